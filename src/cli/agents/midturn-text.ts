export type MidturnPolicy = "owner-only" | "my-agents";
type Source = "person_default" | "agent_override";

const rules: Record<MidturnPolicy, string> = {
  "owner-only": "While a turn runs, only its person's messages reach it, at its next tool call.",
  "my-agents":
    "While a turn runs, its person's messages reach it at its next tool call. Urgent messages that other agents of that person send to it by name may too, where its daemon brings them; this program's names them in the turn, and brings them at its end.",
};

/** A policy with its meaning on one line, and where it comes from when it is an agent's. */
export function midturnLine(policy: MidturnPolicy, source?: Source): string {
  const from = source && (source === "agent_override" ? ", its own" : ", its person's default");
  return `Mid-turn policy: ${policy}${from ?? ""}. ${rules[policy]}`;
}
