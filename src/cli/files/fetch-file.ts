import { Unreachable, type Download } from "../../client/client.ts";
import { oneLine, withoutControls } from "../terminal/clean.ts";
import type { Answer, Args } from "../frame/command.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { digestOf, editedHere, found, shownPath, toFill, type Target } from "./local-file.ts";
import { isBoardName } from "../../client/file-name.ts";
import type { Place } from "../acting/place-of.ts";
import { ownerAt } from "./file-place.ts";
import { watched } from "../frame/progress.ts";
import { remember, remembered } from "../../client/machine/remembered-files.ts";
import { saveAs } from "./save-file.ts";
import { isStillThere } from "./still-there.ts";
import { versionOf } from "./version-flag.ts";
import { words } from "../frame/suggest.ts";
import { size } from "../terminal/size-text.ts";
import { bold, dim } from "../terminal/style.ts";

/** Where a command writes what it fetches, and whether over a changed file. */
export const fetchArgs = {
  path: {
    type: "positional",
    required: false,
    description:
      "Where to write it: a path or a folder (else its own name in this folder); `-` is standard output.",
  },
  force: { type: "boolean", description: "Replace a file here even if it was changed." },
} as const satisfies Args;

interface Fetching {
  /** The file's name or id. */
  readonly file: string;
  /** The command that fetches it, without the path and `--force`. */
  readonly command: string;
  readonly path?: string | undefined;
  readonly version?: string | undefined;
  readonly force: boolean;
}

type Chosen = Awaited<ReturnType<typeof chosenOf>>;

/** Fetches a version of a file: to a path, where it is remembered, or to standard output. */
export async function fetchFile(place: Place, fetching: Fetching): Promise<Answer | void> {
  if (fetching.path === "-" && place.cli.json)
    throw usageError(
      "Standard output carries either the file or JSON.",
      "Leave out `--json`, or name a path instead of `-`.",
    );
  const chosen = await chosenOf(place, fetching);
  return fetching.path === "-" ? toOutput(place, chosen) : toPath(place, chosen, fetching);
}

async function chosenOf(place: Place, { file, version }: Fetching) {
  const { api, board, hinted } = place;
  const asked = version === undefined ? null : versionOf("--version", version);
  const { id, name, latest, versions } = await api.call("getFile", { params: { board, file } });
  // The name becomes a path here, and a server must not choose one that leads elsewhere.
  if (!isBoardName(name)) throw strangeName(place, name);
  const one = asked === null ? latest : versions.find((each) => each.version === asked);
  if (one) {
    const { version, digest, size } = one;
    return { file_id: id, name, version, latest: latest.version, digest, size };
  }
  throw new LocalError(
    "version_not_found",
    `The file ${name} has no version ${asked}.`,
    `Its newest is ${latest.version}: ${hinted(words`file show ${file}`)}.`,
  );
}

const strangeName = ({ actor }: Place, name: string) =>
  new LocalError(
    "server_unreachable",
    `${actor.server.url} gives the file a name that no board takes: ${oneLine(name)}.`,
    "Nothing was written. Check the address: `service servers` lists the servers known here.",
  );

const begin = ({ api, board }: Place, { file_id, version }: Chosen, watch = {}) =>
  api.download({ params: { board, file: file_id, version: String(version) } }, watch);

async function toPath(place: Place, chosen: Chosen, fetching: Fetching): Promise<Answer> {
  const { cli, board } = place;
  const { latest: _, ...version } = chosen;
  const { name, digest, size: bytes } = version;
  const target = toFill(cli.cwd, name, fetching.path);
  const { path } = target;
  const mayReplace = () => mayWrite(place, target, digest, fetching);
  const isThere = (await mayReplace()) === "there";
  if (!isThere) await download(place, chosen, target, mayReplace, fetching);
  remember(cli, { ...(await ownerAt(place)), ...version, path });
  return {
    json: { board, name, version: chosen.version, digest, size: bytes, path },
    text: gotText(place, chosen, fetching.file, shownPath(cli.cwd, path), isThere),
  };
}

/** Says which version was fetched, where it is, and how to send changes to it. */
function gotText(
  { board, typed }: Place,
  { name, version, latest, size: bytes }: Chosen,
  asked: string,
  shown: string,
  isThere: boolean,
): string {
  const what = `${bold(oneLine(name))} version ${version} on ${bold(board)}`;
  const put = /^brief\.(md|html)$/.test(name) ? "brief put" : "file put";
  return [
    isThere
      ? `${oneLine(shown)} holds ${what} already`
      : `Fetched ${what} to ${oneLine(shown)} · ${size(bytes)}`,
    version === latest
      ? dim(`Write your changes: ${typed(`${put} ${shellWord(shown)}`)}`)
      : dim(`The newest is version ${latest}: ${typed(words`file get ${asked}`)}`),
  ].join("\n");
}

async function download(
  place: Place,
  chosen: Chosen,
  { path, there }: Target,
  mayReplace: () => Promise<"there" | "may">,
  { command }: Fetching,
): Promise<void> {
  const watch = watched(place.cli, "Fetching", chosen.name, chosen.size);
  try {
    const { body } = await begin(place, chosen, watch);
    await saveAs(place.cli, { path, there }, body, mayReplace);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const again = `Nothing was written. Try again: ${place.hinted(command)}.`;
    throw new LocalError("server_unreachable", error.message, again);
  } finally {
    watch.end();
  }
}

/** Says whether the path holds the bytes already. Refuses to write over what was changed there since. */
async function mayWrite(
  place: Place,
  { path }: Target,
  digest: string,
  { command, force }: Fetching,
): Promise<"there" | "may"> {
  const { cli, hinted } = place;
  if (!found(path)) return "may";
  const now = await digestOf(path);
  if (now === digest) return "there";
  if (force || (await isUnedited(place, path, now))) return "may";
  const overIt = hinted(`${command} ${shellWord(shownPath(cli.cwd, path))} --force`);
  throw editedHere(
    cli.cwd,
    path,
    `Fetch it to another path: ${hinted(`${command} PATH`)}. Or replace yours: ${overIt}.`,
  );
}

/** Whether a path holds what was fetched or sent, and the board has that. */
async function isUnedited(place: Place, path: string, digest: string): Promise<boolean> {
  const known = remembered(place.cli).find((entry) => entry.path === path);
  if (known?.digest !== digest) return false;
  const isHere = known.server === place.actor.server.name && known.board === place.board;
  return !isHere || isStillThere(place, await ownerAt(place), known);
}

async function toOutput(place: Place, chosen: Chosen): Promise<void> {
  const { body } = await begin(place, chosen);
  const asText = place.cli.stdout.isTerminal() ? new TextDecoder() : null;
  for await (const chunk of body) {
    // What somebody else wrote does not command this terminal; what is piped on stays as it is.
    const shown = asText ? withoutControls(asText.decode(chunk, { stream: true })) : chunk;
    if (!(await place.cli.stdout.write(shown))) return;
  }
}

/** A file's bytes as text. */
export const textOf = ({ body }: Download): Promise<string> => new Response(body).text();
