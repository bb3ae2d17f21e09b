import { actorFlags, defineCommand } from "../frame/command.ts";
import { filePlace } from "./file-place.ts";
import { putBrief } from "./put-brief.ts";
import { size } from "../terminal/size-text.ts";
import { bold } from "../terminal/style.ts";

export default defineCommand({
  summary: "Write the brief",
  acts: "either",
  args: {
    path: { type: "positional", description: "The file; its ending says the format." },
    base: {
      type: "string",
      valueHint: "N",
      description: "The version that it replaces (else the one you fetched); 0 for a first one.",
    },
    replaceFormat: {
      type: "boolean",
      description: "Replace a brief in the other format; that file is taken off the list.",
    },
    ...actorFlags,
  },
  details:
    "A path that ends in `.md` is written as `brief.md`, one in `.html` as `brief.html`; a board has one of them. If somebody else changed the brief since you fetched it, the command refuses and changes nothing.",
  examples: [
    ["brief put brief.md", "The first brief, or your changes to the one you fetched."],
    ["brief put brief.html --replace-format", "In HTML instead of Markdown."],
  ],
  seeAlso: ["brief", "brief get"],
  async run({ args, data: cli }) {
    const place = await filePlace(cli, args);
    const { board } = place;
    const { file, replaced } = await putBrief(place, args);
    const { name, latest } = file;
    const { version } = latest;
    const instead = replaced === null ? "" : `, instead of ${replaced}`;
    return {
      json: { board, name, version, replaced },
      text: `Wrote the brief of ${bold(board)}: ${bold(name)} version ${version} · ${size(latest.size)}${instead}`,
    };
  },
});
