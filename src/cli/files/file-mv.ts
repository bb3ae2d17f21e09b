import { actorFlags, defineCommand } from "../frame/command.ts";
import { boardName } from "./file-name.ts";
import { filePlace } from "./file-place.ts";
import { rememberName } from "../../client/machine/remembered-files.ts";
import { bold } from "../terminal/style.ts";
import { hintedWith, words } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Give a file another name",
  acts: "either",
  args: {
    name: { type: "positional", description: "The file's name, or its id." },
    new: { type: "positional", description: "Its new name." },
    ...actorFlags,
  },
  details: "Its versions and approvals stay with it. No file of this machine is moved.",
  examples: [["file mv plan.md notes/plan.md", "Into a folder of the board."]],
  seeAlso: ["file list", "file rm"],
  async run({ args, data: cli }) {
    const again = (other: string) => hintedWith(args)(`${words`file mv ${args.name}`} ${other}`);
    const name = boardName(args.new, again);
    const { api, board } = await filePlace(cli, args);
    const params = { board, file: args.name };
    const file = await api.call("updateFile", { params, body: { name } });
    rememberName(cli, file);
    return {
      json: { board, file },
      text: `${args.name} is ${bold(file.name)} on ${bold(board)} now`,
    };
  },
});
