import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LocalError } from "../../client/machine/local-error.ts";

/** A file as it is before anything is changed. */
export interface FileState {
  /** Its name as the harness knows it. */
  readonly path: string;
  /** What is written: the end of the links, if the name is one. */
  readonly target: string;
  /** Null when there is no file. */
  readonly text: string | null;
  /** The permissions of the file. */
  readonly mode: number | null;
  /** The user whose file it is. */
  readonly owner: number | null;
}

const mostLinks = 40;

/** Reads a file that may be a link, also to a file that is not there yet. Refuses what is no text file. */
export function fileState(path: string): FileState {
  const target = endOfLinks(path);
  try {
    const bytes = readFileSync(target);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const { mode, uid } = statSync(target);
    return { path, target, text, mode: mode & 0o7777, owner: uid };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      return { path, target, text: null, mode: null, owner: null };
    throw unreadable(path, code ?? "it is no UTF-8 text");
  }
}

/** The path that a name stands for, if it is a link. There may be no file. */
export function endOfLinks(path: string): string {
  let target = path;
  for (let links = 0; isLink(target); links++) {
    if (links === mostLinks) throw unreadable(path, "its links lead in a circle");
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

const unreadable = (path: string, why: string) =>
  new LocalError(
    "settings_broken",
    `${path} cannot be read (${why}). Nothing was changed.`,
    "Repair that file, or move it away; then run this command again.",
  );
