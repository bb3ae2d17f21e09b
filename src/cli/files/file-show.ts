import { actorFlags, defineCommand } from "../frame/command.ts";
import { filePlace } from "./file-place.ts";
import { fileText } from "./file-text.ts";

export default defineCommand({
  summary: "Show a file's versions, approvals and posts",
  acts: "either",
  args: {
    name: { type: "positional", description: "The file's name, or its id." },
    ...actorFlags,
  },
  details:
    "Its versions, who approved which, and the messages that it was attached to. A removed file is found by its id.",
  seeAlso: ["file list", "file get"],
  async run({ args, data: cli }) {
    const { api, board, typed } = await filePlace(cli, args);
    const file = await api.call("getFile", { params: { board, file: args.name } });
    return { json: { board, file }, text: fileText(file, args.name, typed) };
  },
});
