import { lstatSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { oneLine } from "../terminal/clean.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { hinted, words } from "../frame/suggest.ts";

/** The file at a path, links followed; null when there is none. Refuses a path that cannot be read, named as it was typed. */
export function found(path: string, typed = path): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw usageError(`${oneLine(typed)} cannot be read (${code}).`, "Name another path.");
  }
}

/** An absolute path in the one form under which it is remembered: a link as what it points to. */
function absolute(whole: string): string {
  try {
    return realpathSync(whole);
  } catch {
    try {
      return join(realpathSync(dirname(whole)), basename(whole));
    } catch {
      return whole;
    }
  }
}

/** `sha256:` and the digest of a file's bytes, which are never whole in memory. */
export async function digestOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return `sha256:${hasher.digest("hex")}`;
}

/** The absolute path of a file to send, from the path that was typed. Refuses anything but an ordinary file. */
export function toSend(cwd: string, path: string): string {
  const whole = resolve(cwd, path);
  const stats = found(whole, path);
  const shown = oneLine(path);
  if (!stats) throw usageError(`There is no file ${shown} here.`, "Check the path.");
  if (stats.isDirectory())
    throw usageError(`${shown} is a folder.`, "Name a file; one of them at a time.");
  if (!stats.isFile())
    throw usageError(
      `${shown} is not an ordinary file.`,
      `Pipe it in: ${hinted({ words: words`file put - --name NAME < ${path}` })}.`,
    );
  return absolute(whole);
}

/** Where a fetched file goes: the absolute path, and the file that is there now. */
export interface Target {
  readonly path: string;
  readonly there: Stats | null;
}

/**
 * Where to write a file of this name: to `path`, or into it if it is a folder, under the last part of the name. A link
 * counts as what it points to. Without a path it is the whole name below `cwd`. Refuses anything but an ordinary file.
 */
export function toFill(cwd: string, name: string, path?: string): Target {
  const typed = path === undefined ? null : resolve(cwd, path);
  const intoFolder = typed !== null && (path!.endsWith("/") || found(typed, path)?.isDirectory());
  const whole = intoFolder ? join(typed, basename(name)) : (typed ?? resolve(cwd, name));
  const there = found(whole);
  if (there && !there.isFile()) throw noFile(shownPath(cwd, whole), there.isDirectory());
  if (!there && lstatSync(whole, { throwIfNoEntry: false }))
    throw usageError(
      `${oneLine(shownPath(cwd, whole))} is a link to something that is not there.`,
      "Remove the link, or name another path.",
    );
  if (path === undefined) refuseLeadingOut(cwd, whole, name);
  if (path !== undefined && !found(dirname(whole)))
    throw usageError(
      `There is no folder ${oneLine(shownPath(cwd, dirname(whole)))}.`,
      `Make it first: \`mkdir -p ${shellWord(shownPath(cwd, dirname(whole)))}\`. Or name another path.`,
    );
  return { path: absolute(whole), there };
}

/**
 * Refuses a folder in a file's name that is a link out of the working folder. Whoever wrote the working folder made the link,
 * and a member of the board chose the name: neither is the person who runs this.
 */
function refuseLeadingOut(cwd: string, whole: string, name: string): void {
  let folder = dirname(whole);
  while (!found(folder) && folder !== dirname(folder)) folder = dirname(folder);
  const real = realpathSync(folder);
  const here = realpathSync(cwd);
  if (real === here || real.startsWith(here.endsWith("/") ? here : `${here}/`)) return;
  throw usageError(
    `${oneLine(shownPath(cwd, folder))} leads out of this folder, to ${oneLine(real)}.`,
    `If that is meant, name the place: ${hinted({ words: words`file get ${name} ${join(real, basename(name))}` })}.`,
  );
}

const noFile = (shown: string, isFolder: boolean) =>
  usageError(
    `${oneLine(shown)} is ${isFolder ? "a folder" : "not an ordinary file"}.`,
    "Name another path, or `-` for standard output.",
  );

/** A path as it is typed in the folder `cwd`. */
export function shownPath(cwd: string, path: string): string {
  const here = relative(cwd, path);
  return here === "" || here.startsWith("..") ? path : here;
}

/** The refusal to write over something that this program did not put there. */
export const editedHere = (cwd: string, path: string, hint: string): LocalError =>
  new LocalError(
    "local_file_changed",
    `${oneLine(shownPath(cwd, path))} was changed since it was last fetched or sent from here, so it was not replaced.`,
    hint,
    { path },
  );
