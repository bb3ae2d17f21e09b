import { mostPruned } from "../../contract/limits.ts";
import type { OutputOf } from "../../contract/index.ts";
import { asPerson, type Person } from "../acting/acting.ts";
import { defineCommand, serverFlag, yesFlag } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import { when } from "../terminal/time-text.ts";
import { forgetSeats } from "../../client/machine/seats.ts";
import { columns, counted, someOf } from "../terminal/table.ts";
import { duration } from "../frame/values.ts";

type Pruned = OutputOf<"pruneAgents">;

export default defineCommand({
  summary: "Remove agents that are long disconnected",
  acts: "person",
  args: {
    disconnectedFor: {
      type: "string",
      valueHint: "DURATION",
      default: "7d",
      description: "Only agents without a session for at least this long: 1h or more (default 7d).",
    },
    all: {
      type: "boolean",
      description: "Everybody's agents, not only yours (for server admins).",
    },
    dryRun: { type: "boolean", description: "Only list the agents that would be removed." },
    ...yesFlag,
    ...serverFlag,
  },
  details:
    "Lists your agents that have had no session for that long, asks, and removes them from their boards for good. Agents that never reported a session stay, and so do agents that come back before you answer.",
  examples: [["agent prune --disconnected-for 30d --dry-run", "Who has been away for a month."]],
  seeAlso: ["agent remove", "status"],
  async run({ args, data: cli }) {
    const disconnected_for = duration("--disconnected-for", args.disconnectedFor, "1h", "100y");
    const { api, server } = await asPerson(cli, args);
    const asked = { disconnected_for, all: args.all };
    const found = await api.call("pruneAgents", { body: { ...asked, dry_run: true } });
    const lines = columns(found.agents.map(rowOf)).split("\n");
    const count = counted(found.agents.length, "agent", "agents");
    if (found.agents.length === 0)
      return {
        json: { server, ...found, dry_run: args.dryRun },
        text: `No agent at ${server.url} has been away for that long.`,
      };
    if (args.dryRun)
      return {
        json: { server, ...found },
        text: `${count} at ${server.url} would be removed:\n${lines.join("\n")}`,
      };
    const question = `${someOf(lines).join("\n")}\nRemove ${count} at ${server.url} for good?`;
    if (!args.yes && !confirmed(cli, question))
      return { json: { server, ...found }, text: "Nothing was changed." };
    const ids = found.agents.map(({ id }) => id);
    const { agents, kept } = await prune(api, asked, ids);
    const gone = new Set(agents.map(({ id }) => id));
    forgetSeats(cli, ({ member_id }) => gone.has(member_id));
    const stayed = kept.length
      ? ` ${counted(kept.length, "agent was", "agents were")} kept: they came back or ended meanwhile.`
      : "";
    return {
      json: { server, ...asked, dry_run: false, agents, kept },
      text: `Removed ${counted(gone.size, "agent", "agents")} at ${server.url}.${stayed}`,
    };
  },
});

/** An admin who may not see a board gets ids in place of its name and of its agents' names. */
const rowOf = (agent: Pruned["agents"][number]) => [
  agent.name ?? agent.id,
  `of @${agent.owner}`,
  `on ${agent.board ?? agent.board_id}`,
  `away since ${when(agent.disconnected_since)}`,
];

async function prune(
  api: Person["api"],
  asked: { readonly disconnected_for: number; readonly all: boolean },
  ids: readonly string[],
): Promise<Pick<Pruned, "agents" | "kept">> {
  const answers: Pruned[] = [];
  for (let first = 0; first < ids.length; first += mostPruned) {
    const agents = ids.slice(first, first + mostPruned);
    answers.push(await api.call("pruneAgents", { body: { ...asked, agents } }));
  }
  return {
    agents: answers.flatMap(({ agents }) => agents),
    kept: answers.flatMap(({ kept }) => kept),
  };
}
