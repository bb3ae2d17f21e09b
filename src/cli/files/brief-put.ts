import { extname } from "node:path";
import { usageError } from "../../client/machine/local-error.ts";
import type { Place } from "../acting/place-of.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { commandLine, words } from "../frame/suggest.ts";
import { filePlace, ownerAt } from "./file-place.ts";
import { briefOn, type Brief } from "./find-brief.ts";
import { toSend } from "./local-file.ts";
import { knownOf, replacing, sendFile } from "./send-file.ts";
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
    const which = `${bold(name)} version ${version}`;
    return {
      json: { board, name, version, replaced },
      text:
        file.changed === false
          ? `The brief of ${bold(board)} has these bytes already: ${which}. Nothing was written.`
          : `Wrote the brief of ${bold(board)}: ${which} · ${size(latest.size)}${instead}`,
    };
  },
});

/** Writes a board's brief on the version that was fetched. `replaced` is the name of the brief in the other format, if it took its place. */
async function putBrief(
  place: Place,
  {
    path: typedPath,
    base,
    replaceFormat,
  }: { readonly path: string; readonly base?: string | undefined; readonly replaceFormat: boolean },
) {
  const name = formatOf(typedPath);
  const path = toSend(place.cli.cwd, typedPath);
  const [active, owner] = await Promise.all([briefOn(place), ownerAt(place)]);
  // A brief in the other format was fetched to a path with another ending.
  const known = await knownOf(place, owner, replaceFormat ? undefined : path, (entry) =>
    replaceFormat ? entry.file_id === active?.file_id : isBrief(entry.name),
  );
  const replaced = replacing(base, known);
  const query = {
    name,
    brief: true,
    ...replaced,
    // Whoever names the version has seen the brief that is there.
    ...(replaced.base && !replaced.file_id && active && { file_id: active.file_id }),
    ...(replaceFormat && { replace_format: true }),
  };
  const command = commandLine({
    words: words`brief put ${typedPath}`,
    flags: { "replace-format": replaceFormat },
  });
  const sending = { typedPath, path, isKept: true, query, known, command };
  const file = await sendFile(place, owner, sending);
  return { file, replaced: active && active.name !== name ? active.name : null };
}

const isBrief = (name: string) => name === "brief.md" || name === "brief.html";

const formats: Readonly<Record<string, Brief["name"]>> = {
  ".md": "brief.md",
  ".markdown": "brief.md",
  ".html": "brief.html",
  ".htm": "brief.html",
};

function formatOf(path: string): Brief["name"] {
  const ending = extname(path).toLowerCase();
  const name = Object.hasOwn(formats, ending) ? formats[ending] : undefined;
  if (name) return name;
  throw usageError(
    "A brief is Markdown or HTML, and the ending of its path says which.",
    "Name a file that ends in `.md` or `.html`.",
  );
}
