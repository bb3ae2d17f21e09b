import { asPerson, boardOf } from "../acting/acting.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { endedAgents, offBoard } from "./end-membership.ts";

export default defineCommand({
  summary: "Leave a board, as a person",
  acts: "person",
  args: boardFlags,
  details:
    "Your agents on the board end for good, and your join codes stop. The last owner makes somebody else one first. `leave` is an agent's command.",
  seeAlso: ["board owner", "board remove", "leave"],
  async run({ args, data: cli }) {
    const actor = await asPerson(cli, args);
    const board = await boardOf(cli, actor, args);
    const { api, server } = actor;
    const { person, agents } = await offBoard(cli, api, board, () =>
      api.call("leaveBoard", { params: { board } }),
    );
    return {
      json: { board, person },
      text: `You have left board ${board} at ${server.url}.${endedAgents("Your", agents)}`,
    };
  },
});
