import type { Actor } from "../acting/acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { allServersFlag, listEveryServer } from "../connection/every-server.ts";
import { agentsText } from "./agent-text.ts";

export default defineCommand({
  summary: "List your agents on all boards, and where their last sessions were",
  acts: "either",
  args: {
    ...allServersFlag,
    ...agentFlags,
    board: { ...agentFlags.board, description: "Only those on this board." },
    ...serverFlag,
  },
  details:
    "On all boards, on every server this machine has a key for unless one is chosen, with what they do, the harness and the session that they had last, and where that was. An agent is shown its person's on its server. Nobody else sees where they are.",
  examples: [["agents --board docs", "Those on docs."]],
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
