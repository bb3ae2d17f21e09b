import { parse, join } from "node:path";
import { ApiError } from "../../client/client.ts";
import { shellWord } from "../../contract/shell-word.ts";
import type { Place } from "../acting/place-of.ts";
import type { Remembered } from "../../client/machine/remembered-files.ts";
import { sameVersion } from "./same-version.ts";

/** The part of a sending that the hints of its refusal need. */
export interface Refused {
  /** The path as it was typed. */
  readonly typedPath: string;
  /** Where the bytes are. */
  readonly path: string;
  readonly query: {
    readonly name: string;
    readonly brief?: boolean;
    readonly replace_format?: boolean;
    readonly about?: readonly string[];
    readonly maintained?: boolean;
    readonly media_type?: string;
  };
  /** The remembered version that it replaces, if any. */
  readonly known: Remembered | null;
  /** The command that sends it. */
  readonly command: string;
  /** The command that sends it under another name. */
  readonly commandAs?: (name: string) => string;
}

/** Gives a refusal to write a version a hint for this machine: the server knows neither the paths nor what was fetched. */
export async function withLocalHint(
  place: Place,
  error: unknown,
  refused: Refused,
): Promise<unknown> {
  if (!(error instanceof ApiError)) return error;
  const hint = await hintFor(place, error, refused);
  return hint === null ? error : error.withHint(hint);
}

async function hintFor(place: Place, error: ApiError, refused: Refused) {
  const { hinted } = place;
  const { command, typedPath } = refused;
  const brief = `brief put ${typedPath === "-" ? "PATH" : shellWord(typedPath)}`;
  switch (error.code) {
    case "file_exists":
    case "file_changed":
      return conflictHint(place, error, refused);
    case "brief_path_reserved":
      return `Write the brief: ${hinted(brief)}. Or choose another name with \`--name\`.`;
    case "brief_exists":
      return `Replace it with the other format: ${hinted(`${brief} --replace-format`)}. Read it first: ${hinted("brief")}.`;
    case "file_has_secret":
    case "file_too_large":
      return `${error.hint} Then again: ${hinted(command)}.`;
    default:
      return null;
  }
}

async function conflictHint(place: Place, { details }: ApiError, refused: Refused) {
  const { hinted } = place;
  const { command, query } = refused;
  const version = details?.["version"];
  if (typeof version !== "number") return goneHint(place, refused);
  const get = query.brief ? "brief get" : `file get ${query.name}`;
  const same = isBytesAlone(query) && (await sameVersion(place, query.name, refused.path));
  if (same) return sameHint(place, get, refused, same.latest.version);
  const fetch = query.replace_format
    ? `Read it: ${hinted("brief")}.`
    : `Fetch it beside yours: ${hinted(`${get} ${shellWord(besides(refused, version))}`)}.`;
  return `${fetch} Bring the two together, then: ${hinted(`${command} --base ${version}`)}.`;
}

/** Whether only bytes are sent. Tasks, a mark or a media type may be missing on the board even if it has the bytes. */
const isBytesAlone = ({ about, maintained, media_type }: Refused["query"]): boolean =>
  about === undefined && maintained === undefined && media_type === undefined;

/** What to do when the board has these very bytes. Fetching them to their own path only remembers the version. */
function sameHint({ hinted }: Place, get: string, { typedPath }: Refused, version: number) {
  const done = `Version ${version} holds the same bytes as yours, so nothing is left to write.`;
  if (typedPath === "-") return done;
  return `${done} To go on from it: ${hinted(`${get} ${shellWord(typedPath)}`)}.`;
}

/** What to do when the board has no file of that name: it was renamed, or removed. */
async function goneHint(
  { api, board, hinted }: Place,
  { command, commandAs, known, query }: Refused,
): Promise<string> {
  if (query.brief)
    return `The board has no brief now. Write one: ${hinted(`${command} --base 0`)}.`;
  const params = known && { board, file: known.file_id };
  const now = params && (await api.call("getFile", { params }).catch(() => null));
  return commandAs && known && now && now.name !== known.name
    ? `It is named ${now.name} now: ${hinted(`${commandAs(now.name)} --base ${known.version}`)}.`
    : `It was removed, or never there. Write it anew: ${hinted(`${command} --base 0`)}.`;
}

/** Where another's version can go beside one's own: `plan.v3.md` beside `plan.md`. */
function besides({ typedPath, query }: Refused, version: number): string {
  const { dir, name, ext } = parse(typedPath === "-" ? parse(query.name).base : typedPath);
  return join(dir, `${name}.v${version}${ext}`);
}
