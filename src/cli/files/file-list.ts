import { listedUnlessSaid, mostListed } from "../../contract/limits.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { filePlace } from "./file-place.ts";
import { fileListText } from "./file-text.ts";
import { integer } from "../frame/values.ts";

export default defineCommand({
  summary: "List a board's files",
  acts: "either",
  args: {
    task: { type: "string", valueHint: "ID", description: "Only files about this task." },
    mine: { type: "boolean", description: "Only files that you wrote a version of." },
    limit: {
      type: "string",
      valueHint: "N",
      description: `At most N (1 to ${mostListed}, else ${listedUnlessSaid}).`,
    },
    ...actorFlags,
  },
  details:
    "Files that are kept up to date come first, then the others; in each group the newest change is first.",
  seeAlso: ["file show", "file get", "file put", "brief"],
  async run({ args, data: cli }) {
    const { task, mine } = args;
    const limit = integer("--limit", args.limit ?? `${listedUnlessSaid}`, 1, mostListed);
    const { api, board, typed } = await filePlace(cli, args, task);
    const query = { mine, limit, ...(task !== undefined && { task }) };
    const list = await api.call("listFiles", { params: { board }, query });
    const flags = `${task === undefined ? "" : ` --task ${task}`}${mine ? " --mine" : ""}`;
    const rest =
      limit < mostListed
        ? typed(`file list${flags} --limit ${mostListed}`)
        : `a list holds ${mostListed} at most`;
    const empty =
      flags === ""
        ? `${board} has no files yet. The first: ${typed("file put PATH")}`
        : `No such files on ${board}. All of them: ${typed("file list")}`;
    return {
      json: list,
      text: list.files.length ? fileListText(list, rest) : empty,
    };
  },
});
