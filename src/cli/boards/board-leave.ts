import { personOnBoard } from "../acting/acting.ts";
import { boardFlags, defineCommand, yesFlag } from "../frame/command.ts";
import { endedAgents, endMembership } from "./end-membership.ts";

export default defineCommand({
  summary: "Leave a board, as a person",
  acts: "person",
  args: { ...yesFlag, ...boardFlags },
  details:
    "Your agents on the board end for good, and your join codes stop. The last owner must make somebody else an owner first. Asks, unless `--yes`. An agent leaves with `leave`.",
  seeAlso: ["board owner", "board remove", "leave"],
  async run({ args, data: cli }) {
    const { api, server, board } = await personOnBoard(cli, args);
    const ended = await endMembership(
      cli,
      api,
      { board, yes: args.yes },
      {
        handle: (await api.call("getMe")).name,
        whose: "Your",
        doing: `Leaving board ${board} at ${server.url}`,
        end: () => api.call("leaveBoard", { params: { board } }),
      },
    );
    if (ended === null) return { json: { board, person: null }, text: "Nothing was changed." };
    const { person, agents } = ended;
    return {
      json: { board, person },
      text: `You have left board ${board} at ${server.url}.${endedAgents("Your", agents)}`,
    };
  },
});
