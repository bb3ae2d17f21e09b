import type { Static } from "@sinclair/typebox";
import type { PolicyChange } from "../../contract/boards.ts";
import type { Policy } from "../access/board-policy.ts";

type PolicyChange = Static<typeof PolicyChange>;
type PolicyKey = Policy["overrides"][number];

const presets = {
  starter: {
    visibility: "open",
    broadcast: "everyone",
    urgent: "everyone",
    nudges: "on",
    show_harness: true,
  },
  recommended: {
    visibility: "addressed",
    broadcast: "granted",
    urgent: "granted",
    nudges: "on",
    show_harness: true,
  },
} as const satisfies Record<Policy["preset"], Record<PolicyKey, unknown>>;

/** A preset's whole policy. */
export const presetPolicy = (preset: Policy["preset"]): Policy => ({
  preset,
  ...presets[preset],
  overrides: [],
});

/** The policy after a change. A preset in the change replaces every key; then the change's other keys apply. */
export function changedPolicy(before: Policy, change: PolicyChange): Policy {
  const preset = change.preset ?? before.preset;
  const base = change.preset ? presetPolicy(preset) : before;
  const after = { ...base, ...change, preset, overrides: [] };
  return { ...after, overrides: overridesOf(after) };
}

function overridesOf(policy: Policy): PolicyKey[] {
  const preset = presets[policy.preset];
  return (Object.keys(preset) as PolicyKey[]).filter((key) => policy[key] !== preset[key]);
}
