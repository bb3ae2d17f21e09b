import type { Actor } from "../acting/acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { allServersFlag, listEveryServer } from "../acting/every-server.ts";
import { agentsText } from "./agent-text.ts";

export default defineCommand({
  summary: "List your agents and where their last sessions were",
  acts: "either",
  args: {
    ...allServersFlag,
    ...agentFlags,
    board: { ...agentFlags.board, description: "List only the agents on this board." },
    ...serverFlag,
  },
  details:
    "Lists your agents on all boards of every server that this machine has a key for, or of the server that you choose: what each agent is doing, its harness, its last session, and where that session was. An agent sees the agents of its person on its own server. Nobody else sees where your agents are.",
  examples: [["agents --board docs", "Your agents on docs."]],
  seeAlso: ["status", "working", "agent remove", "agent prune"],
  run: ({ args, data: cli }) =>
    listEveryServer(cli, args, {
      none: { agents: [] },
      read: (actor) => ownAgents(actor, args.board),
      isEmpty: ({ agents }) => agents.length === 0,
      text: (typed, group) => agentsText(typed, group, args.board),
    }),
});

async function ownAgents({ api }: Actor, named: string | undefined) {
  const { agents } = await api.call("listOwnAgents");
  return { agents: named ? agents.filter(({ board }) => board === named) : agents };
}
