import { personOnBoard } from "../acting/acting.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { forgetSeat } from "../../client/machine/seats.ts";
import { handle } from "../frame/values.ts";

export default defineCommand({
  summary: "Remove an agent from its board for good",
  acts: "person",
  args: {
    agent: { type: "positional", description: "The agent's name on the board, or its id." },
    ...boardFlags,
  },
  details:
    "For the agent's person, an owner of the board, or a server admin. The agent's token stops working at once. `--board` also takes the board's id.",
  seeAlso: ["leave", "status"],
  async run({ args, data: cli }) {
    const { api, server, board } = await personOnBoard(cli, args);
    const params = { board, member: handle(args.agent) };
    const agent = await api.call("removeAgent", { params });
    forgetSeat(cli, agent.id);
    return {
      json: { board: agent.board, agent },
      text: `Agent ${agent.name ?? agent.id} of @${agent.owner} is no longer on board ${agent.board ?? board} at ${server.url}.`,
    };
  },
});
