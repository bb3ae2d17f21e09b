import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LocalError } from "../../../client/machine/local-error.ts";

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

/** The largest file that is read, in bytes. Settings have some thousands. */
const largestFile = 16 * 1024 * 1024;

/**
 * Reads a file that may be a link, also to a file that is not there yet. Refuses what is no text file. A device or a pipe is
 * never opened: to read it may not end, and to write it would put a file in its place.
 */
export function fileState(path: string): FileState {
  const target = endOfLinks(path);
  try {
    const stats = statSync(target);
    if (!stats.isFile()) throw unreadable(path, "it is no file");
    if (stats.size > largestFile) throw unreadable(path, "it is larger than 16 MiB");
    const text = textOf(path, readFileSync(target));
    return { path, target, text, mode: stats.mode & 0o7777, owner: stats.uid };
  } catch (error) {
    if (error instanceof LocalError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      return { path, target, text: null, mode: null, owner: null };
    throw unreadable(path, code ?? "the system says no more");
  }
}

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable(path, "it is no UTF-8 text");
  }
}

/** The text of a file that is only looked at. One that cannot be read counts as none. */
export function textIfReadable(file: (path: string) => FileState, path: string): string | null {
  try {
    return file(path).text;
  } catch (error) {
    if (error instanceof LocalError) return null;
    throw error;
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
