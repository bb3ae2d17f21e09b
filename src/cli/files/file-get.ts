import { actorFlags, defineCommand } from "../frame/command.ts";
import { fetchArgs, fetchFile } from "./fetch-file.ts";
import { filePlace } from "./file-place.ts";
import { commandLine, words } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Fetch a file",
  acts: "either",
  args: {
    name: { type: "positional", description: "The file's name, or its id." },
    path: fetchArgs.path,
    version: { type: "string", valueHint: "N", description: "This version (else the newest)." },
    force: fetchArgs.force,
    ...actorFlags,
  },
  details:
    "Remembers the version, so that `file put` of the same path replaces that version. A file that is already there is replaced only if it is unchanged since it was last fetched or sent; `--force` replaces it anyway.",
  examples: [
    ["file get plan.md", "Into this folder."],
    ["file get notes/plan.md - --version 2", "Print an earlier version."],
  ],
  seeAlso: ["file put", "file show"],
  async run({ args, data: cli }) {
    const { name, path, version, force } = args;
    const command = commandLine({ words: words`file get ${name}`, flags: { version } });
    return fetchFile(await filePlace(cli, args), { file: name, command, path, version, force });
  },
});
