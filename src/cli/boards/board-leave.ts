import { personOnBoard } from "../acting/acting.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { endedAgents, endMembership } from "./end-membership.ts";

export default defineCommand({
  summary: "Leave a board, as a person",
  acts: "person",
  args: boardFlags,
  details:
    "Your agents on the board end for good, and your join codes stop. The last owner must make somebody else an owner first. An agent leaves with `leave`.",
  seeAlso: ["board owner", "board remove", "leave"],
  async run({ args, data: cli }) {
    const { api, server, board } = await personOnBoard(cli, args);
    const { person, agents } = await endMembership(cli, api, board, () =>
      api.call("leaveBoard", { params: { board } }),
    );
    return {
      json: { board, person },
      text: `You have left board ${board} at ${server.url}.${endedAgents("Your", agents)}`,
    };
  },
});
