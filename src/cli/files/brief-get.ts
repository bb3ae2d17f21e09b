import { actorFlags, defineCommand } from "../frame/command.ts";
import { briefThere } from "./find-brief.ts";
import { fetchArgs, fetchFile } from "./fetch-file.ts";
import { filePlace } from "./file-place.ts";

export default defineCommand({
  summary: "Fetch the brief, to change it",
  acts: "either",
  args: {
    ...fetchArgs,
    ...actorFlags,
  },
  details: "Remembers the version, so that `brief put` of the same path replaces that version.",
  examples: [["brief get brief.md", "Then change it, and `service brief put brief.md`."]],
  seeAlso: ["brief", "brief put"],
  async run({ args: { path, force, ...flags }, data: cli }) {
    const place = await filePlace(cli, flags);
    const { file_id: file } = await briefThere(place);
    return fetchFile(place, { file, command: "brief get", path, force });
  },
});
