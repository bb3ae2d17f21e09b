import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { clean, oneLine } from "../clean.ts";
import { textOf } from "../files/fetch-file.ts";
import { filePlace } from "../files/place.ts";
import { briefThere } from "../files/brief.ts";
import { sinceThen } from "../render/file.ts";
import { header } from "../render/message.ts";
import { when } from "../render/time.ts";
import { dim } from "../style.ts";

export default defineCommand({
  summary: "Read the board's brief",
  acts: "either",
  args: { ...agentFlags, ...serverFlag },
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
