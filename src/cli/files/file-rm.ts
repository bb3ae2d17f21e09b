import { actorFlags, defineCommand } from "../frame/command.ts";
import { filePlace } from "./file-place.ts";
import { forget } from "../../client/machine/remembered-files.ts";
import { bold, dim } from "../terminal/style.ts";

export default defineCommand({
  summary: "Take a file off the board's list",
  acts: "either",
  args: {
    name: { type: "positional", description: "The file's name, or its id." },
    ...actorFlags,
  },
  details:
    "Another file can take its name. Its versions stay readable by its id and from messages. No file of this machine is removed.",
  seeAlso: ["file list", "file mv"],
  async run({ args, data: cli }) {
    const { api, board, typed } = await filePlace(cli, args);
    const file = await api.call("removeFile", { params: { board, file: args.name } });
    forget(cli, file.id);
    return {
      json: { board, file },
      text: [
        `Took ${bold(file.name)} off ${bold(board)}`,
        dim(`Its versions stay: ${typed(`file show ${file.id}`)}`),
      ].join("\n"),
    };
  },
});
