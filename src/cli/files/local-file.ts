import { lstatSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { oneLine } from "../clean.ts";
import { CliError, usageError } from "../errors.ts";
import { shellWord } from "../../contract/shell-word.ts";

/** What stands at a path, links followed; null when nothing does. Refuses one that cannot be looked at. */
export function found(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw usageError(`${oneLine(path)} cannot be read (${code}).`, "Name another path.");
  }
}

/** A path in the one form under which it is remembered: absolute, and a link as what it points to. */
export function absolute(path: string): string {
  const whole = resolve(path);
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

/** A file of this machine that is to be sent, by the path that was typed. Refuses what is no ordinary file. */
export function toSend(path: string): string {
  const stats = found(path);
  const shown = oneLine(path);
  if (!stats) throw usageError(`There is no file ${shown} here.`, "Check the path.");
  if (stats.isDirectory())
    throw usageError(`${shown} is a folder.`, "Name a file; one of them at a time.");
  if (!stats.isFile())
    throw usageError(
      `${shown} is no ordinary file.`,
      `Pipe it in: \`service file put - --name NAME < ${shellWord(path)}\`.`,
    );
  return absolute(path);
}

/** Where a file that is fetched goes: the absolute path, and what stands there now. */
export interface Target {
  readonly path: string;
  readonly there: Stats | null;
}

/**
 * Where a file goes that was asked for under a path: into a folder under the last part of its name, through a link to
 * what it points to. Without a path it goes by its whole name below this folder. Refuses what is no ordinary file.
 */
export function toFill(name: string, path?: string): Target {
  const intoFolder = path?.endsWith("/") || (path !== undefined && found(path)?.isDirectory());
  const whole = resolve(intoFolder ? join(path!, basename(name)) : (path ?? name));
  const there = found(whole);
  if (there && !there.isFile()) throw noFile(whole, there.isDirectory());
  if (!there && lstatSync(whole, { throwIfNoEntry: false }))
    throw usageError(
      `${oneLine(shownPath(whole))} is a link to something that is not there.`,
      "Remove the link, or name another path.",
    );
  if (path !== undefined && !found(dirname(whole)))
    throw usageError(
      `There is no folder ${oneLine(shownPath(dirname(whole)))}.`,
      `Make it first: \`mkdir -p ${shellWord(shownPath(dirname(whole)))}\`. Or name another path.`,
    );
  return { path: absolute(whole), there };
}

const noFile = (path: string, isFolder: boolean) =>
  usageError(
    `${oneLine(shownPath(path))} is ${isFolder ? "a folder" : "no ordinary file"}.`,
    "Name another path, or `-` for standard output.",
  );

/** A path as it is typed from where the command stands. */
export function shownPath(path: string): string {
  const here = relative(process.cwd(), path);
  return here === "" || here.startsWith("..") ? path : here;
}

/** The refusal to write over something that this program did not put there. */
export const editedHere = (path: string, hint: string): CliError =>
  new CliError(
    "local_file_changed",
    `${oneLine(shownPath(path))} is not as it was last fetched or sent from here, so it is left as it is.`,
    hint,
    { path },
  );
