import { actorFlags, defineCommand } from "../frame/command.ts";
import { clean, oneLine } from "../terminal/clean.ts";
import { textOf } from "./fetch-file.ts";
import { filePlace } from "./file-place.ts";
import { briefThere } from "./find-brief.ts";
import { sinceThen } from "./file-text.ts";
import { header } from "../messages/message-text.ts";
import { when } from "../terminal/time-text.ts";
import { dim } from "../terminal/style.ts";

export default defineCommand({
  summary: "Read the board's brief",
  acts: "either",
  args: actorFlags,
  details:
    "The board's brief is its file `brief.md` or `brief.html`: what everybody here should know.",
  seeAlso: ["brief get", "brief put", "file show"],
  async run({ args, data: cli }) {
    const place = await filePlace(cli, args);
    const { api, board, typed } = place;
    const brief = await briefThere(place);
    const { file_id: file, name, version, by, at, freshness } = brief;
    const params = { board, file, version: String(version) };
    const text = await textOf(await api.download({ params }));
    const wrote = `version ${version} by @${oneLine(by.name)}`;
    return {
      json: { board, brief, text },
      text: [
        header(board, name, wrote, when(at), ...sinceThen(freshness)),
        "",
        clean(text).replace(/\n+$/, ""),
        "",
        dim(`To change it: ${typed("brief get")}`),
      ].join("\n"),
    };
  },
});
