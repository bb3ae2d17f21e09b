import { asPerson } from "../acting.ts";
import { defineCommand, serverFlag, yesFlag } from "../command.ts";
import { confirmed } from "../questions.ts";
import { when } from "../render/time.ts";
import { forgetSeats } from "../seats.ts";
import { columns, counted } from "../table.ts";
import { duration } from "../values.ts";

export default defineCommand({
  acts: "person",
  args: {
    disconnectedFor: {
      type: "string",
      valueHint: "DURATION",
      default: "7d",
      description: "How long an agent has had no session: from 1h on, 7d unless said.",
    },
    all: { type: "boolean", description: "Everybody's agents, for the server's admins." },
    dryRun: { type: "boolean", description: "Only list them." },
    ...yesFlag,
    ...serverFlag,
  },
  details:
    "Lists your agents that have had no session for that long, asks, and removes them from their boards for good. One that never reported a session is left alone, and so is one that comes back meanwhile.",
  examples: [["agent prune --disconnected-for 30d --dry-run", "Who has been away for a month."]],
  seeAlso: ["agent remove", "status"],
  async run({ args, data: cli }) {
    const seconds = duration("--disconnected-for", args.disconnectedFor, "1h", "100y");
    const { api, server } = await asPerson(cli, args);
    const body = { disconnected_for: seconds, all: args.all };
    const found = await api.call("pruneAgents", { body: { ...body, dry_run: true } });
    const rows = found.agents.map((agent) => [
      agent.name ?? agent.id,
      `of @${agent.owner}`,
      `on ${agent.board ?? agent.board_id}`,
      `away since ${when(agent.disconnected_since)}`,
    ]);
    if (args.dryRun || rows.length === 0)
      return {
        json: { server, ...found },
        text: rows.length ? columns(rows) : "No agent has been away for that long.",
      };
    const question = `${columns(rows)}\nRemove ${counted(rows.length, "agent", "agents")} for good?`;
    if (!args.yes && !confirmed(cli, question))
      return { json: { server, ...found }, text: "Nothing was changed." };
    const ids = found.agents.map(({ id }) => id);
    const pruned = await api.call("pruneAgents", { body: { ...body, agents: ids } });
    const gone = new Set(pruned.agents.map(({ id }) => id));
    forgetSeats(cli, ({ member_id }) => gone.has(member_id));
    const kept = pruned.kept.length
      ? ` ${counted(pruned.kept.length, "agent was", "agents were")} kept: they came back or ended meanwhile.`
      : "";
    return {
      json: { server, ...pruned },
      text: `Removed ${counted(gone.size, "agent", "agents")}.${kept}`,
    };
  },
});
