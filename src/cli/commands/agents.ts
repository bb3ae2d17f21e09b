import { asAgentOrPerson } from "../acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { agentsText } from "../render/agents.ts";
import { typedWith } from "../typed-again.ts";

export default defineCommand({
  acts: "either",
  args: {
    ...agentFlags,
    board: { ...agentFlags.board, description: "Only those on this board." },
    ...serverFlag,
  },
  details:
    "On all boards, with what they do, the harness and the session that they had last, and where that was. An agent is shown its person's. Nobody else sees where they are.",
  examples: [["agents --board docs", "Those on docs."]],
  seeAlso: ["status", "working", "agent remove", "agent prune"],
  async run({ args, data: cli }) {
    const { api, server } = await asAgentOrPerson(cli, args);
    const all = (await api.call("listOwnAgents")).agents;
    const agents = args.board ? all.filter(({ board }) => board === args.board) : all;
    const typed = typedWith(cli, { server: args.server });
    return { json: { server, agents }, text: agentsText(typed, server, agents, args.board) };
  },
});
