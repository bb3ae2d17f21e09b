import { extname } from "node:path";
import { usageError } from "../../client/machine/local-error.ts";
import { briefOn, type Brief } from "./find-brief.ts";
import { toSend } from "./local-file.ts";
import type { Place } from "../acting/place-of.ts";
import { ownerAt } from "./file-place.ts";
import { rememberedBy } from "../../client/machine/remembered-files.ts";
import { replacing, sendFile, type BoardFile } from "./send-file.ts";
import { commandLine, words } from "../frame/suggest.ts";

/** The words and flags of `brief put`. */
interface PutBriefFlags {
  readonly path: string;
  readonly base?: string | undefined;
  readonly replaceFormat: boolean;
}

/** A brief that was written, and the name of the one in the other format whose place it took. */
interface WrittenBrief {
  readonly file: BoardFile;
  readonly replaced: string | null;
}

/** Writes a board's brief from a file of this machine, on the version that was fetched. */
export async function putBrief(place: Place, flags: PutBriefFlags): Promise<WrittenBrief> {
  const { path: typedPath, base, replaceFormat } = flags;
  const name = formatOf(typedPath);
  const path = toSend(place.cli.cwd, typedPath);
  const [active, owner] = await Promise.all([briefOn(place), ownerAt(place)]);
  // A brief in the other format was fetched to a path with another ending.
  const known =
    rememberedBy(place.cli, owner, replaceFormat ? undefined : path).find((entry) =>
      replaceFormat ? entry.file_id === active?.file_id : isBrief(entry.name),
    ) ?? null;
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

/** Which format a brief has, by the ending of its path. */
function formatOf(path: string): Brief["name"] {
  const ending = extname(path).toLowerCase();
  const name = Object.hasOwn(formats, ending) ? formats[ending] : undefined;
  if (name) return name;
  throw usageError(
    "A brief is Markdown or HTML, and the ending of its path says which.",
    "Name a file that ends in `.md` or `.html`.",
  );
}
