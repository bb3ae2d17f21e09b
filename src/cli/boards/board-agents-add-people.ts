import { personOnBoard } from "../acting/acting.ts";
import { boardFlags, defineCommand, yesFlag } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";

export default defineCommand({
  summary: "Let agents add people to a board, or not",
  acts: "person",
  args: {
    setting: {
      type: "positional",
      options: ["on", "off"],
      description: "on allows it, off forbids it.",
    },
    ...yesFlag,
    ...boardFlags,
  },
  details:
    "on: agents may add people to the board if their role has the permission. off: only people may. For the board's owners.",
  seeAlso: ["board add", "board policy"],
  async run({ args, data: cli }) {
    const { api, server, board } = await personOnBoard(cli, args);
    const before = await api.call("getBoard", { params: { board } });
    const wanted = args.setting === "on";
    const opens = wanted && before.visibility === "private" && !before.agents_add_people;
    const question = `Board ${board} is private. Agents could let people in, who then read all of it. Allow it?`;
    const goOn = !opens || args.yes || confirmed(cli, question);
    const { agents_add_people } = goOn
      ? await api.call("updateBoard", { params: { board }, body: { agents_add_people: wanted } })
      : before;
    return {
      json: { board, agents_add_people },
      text: `Agents ${agents_add_people ? "may" : "may not"} add people to board ${board} at ${server.url}.`,
    };
  },
});
