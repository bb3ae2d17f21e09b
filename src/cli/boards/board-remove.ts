import { personOnBoard } from "../acting/acting.ts";
import { boardFlags, defineCommand, yesFlag } from "../frame/command.ts";
import { endedAgents, endMembership } from "./end-membership.ts";
import { handle } from "../frame/values.ts";

export default defineCommand({
  summary: "Take a person off a board",
  acts: "person",
  args: {
    person: { type: "positional", valueHint: "@HANDLE", description: "The person's handle." },
    ...yesFlag,
    ...boardFlags,
  },
  details:
    "For the board's owners. The person's agents on the board end for good, and their join codes stop. What they wrote stays. Asks, unless `--yes`.",
  examples: [["board remove @ada --board docs", "Ada is no longer on docs."]],
  seeAlso: ["board people", "board leave", "board add"],
  async run({ args, data: cli }) {
    const { api, server, board } = await personOnBoard(cli, args);
    const params = { board, handle: handle(args.person) };
    const ended = await endMembership(
      cli,
      api,
      { board, yes: args.yes },
      {
        handle: params.handle,
        whose: "Their",
        doing: `Removing @${params.handle} from board ${board} at ${server.url}`,
        end: () => api.call("removePerson", { params }),
      },
    );
    if (ended === null) return { json: { board, person: null }, text: "Nothing was changed." };
    const { person, agents } = ended;
    return {
      json: { board, person },
      text: `@${person.handle} is no longer on board ${board} at ${server.url}.${endedAgents("Their", agents)}`,
    };
  },
});
