import { personOnBoard } from "../acting/acting.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { handle } from "../frame/values.ts";

export default defineCommand({
  summary: "Make a person an owner of a board",
  acts: "person",
  args: {
    person: {
      type: "positional",
      valueHint: "@HANDLE",
      description: "The handle of a person on the board.",
    },
    ...boardFlags,
  },
  details: "For the board's owners. A board may have several owners.",
  examples: [["board owner @ada --board docs", "Ada owns docs too."]],
  seeAlso: ["board people", "board leave"],
  async run({ args, data: cli }) {
    const { api, server, board } = await personOnBoard(cli, args);
    const named = handle(args.person);
    const { people } = await api.call("listPeople", { params: { board } });
    const before = people.find((one) => one.handle === named)?.board_role;
    const person = await api.call("addOwner", { params: { board }, body: { handle: named } });
    const changed = before !== "owner";
    return {
      json: { board, person, changed },
      text: `@${person.handle} is an owner of board ${board} at ${server.url}${changed ? "" : " already"}.`,
    };
  },
});
