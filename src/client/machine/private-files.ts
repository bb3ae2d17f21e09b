import { fs } from "../files/late-fs.ts";
import { dirname } from "node:path";
import { LockHeld, withLock } from "../files/lock.ts";
import {
  createPrivately,
  makePrivateFolder as makeFolder,
  moveIntoPlace,
  writePrivately,
} from "../files/private-file.ts";
import { kindOfSecret } from "../../contract/credentials.ts";
import { LocalError } from "./local-error.ts";

/** Makes a folder as `client/files` does. Refuses a folder that cannot be made or written to. */
export function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder);
    fs().accessSync(folder, fs().constants.W_OK | fs().constants.X_OK);
  } catch (error) {
    throw unusable(`Nothing can be kept in ${folder}`, error);
  }
}

function unusable(what: string, error: unknown): LocalError {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const remedy = Object.hasOwn(remedies, code) ? remedies[code]! : otherRemedy;
  return new LocalError(
    "internal",
    `${what} (${code}).`,
    `${remedy}, or set SERVICE_HOME to another folder.`,
  );
}

const remedies: Readonly<Record<string, string>> = {
  EROFS: "Its file system is read-only: make it writable",
  EACCES: "This user may not do that: run this as the one that it belongs to",
};
const otherRemedy =
  "Check that it belongs to you and is not a folder in place of a file or a file in place of a folder";

/** A file's text, or null when there is none. Refuses one that cannot be read. */
export function readText(path: string): string | null {
  try {
    return fs().readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw unusable(`${path} cannot be read`, error);
  }
}

/** A file that changed less than so many milliseconds ago may change again without another time in its mark. */
const youngMs = 1_000;

/** What tells one content of a file from another: null for a file that cannot be looked at, and while it is young. */
export function markOf(path: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = fs().statSync(path, { bigint: true });
    if (Date.now() - Number(ctimeMs) < youngMs) return null;
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return null;
  }
}

/** Replaces a file that only its owner can read. Refuses a folder that cannot be written to. */
export function writePrivate(path: string, text: string): void {
  makePrivateFolder(dirname(path));
  writePrivately(path, text);
}

/** Makes a file that only its owner can read, unless there is one. Of several processes the first one's text stays. */
export function createPrivate(path: string, text: string): void {
  makePrivateFolder(dirname(path));
  createPrivately(path, text);
}

/** A JSON file and what it holds: whether content has its form. */
export interface JsonFile<T> {
  readonly path: string;
  readonly holds: (content: unknown) => content is T;
  /** What to do after moving a damaged file away. Default: sign in or join again. */
  readonly afresh?: string;
  /**
   * For a file that may start empty: a change moves a damaged one away, then calls this with its new path. Without it a
   * damaged file stays, and reading and changing it are refused.
   */
  readonly movedAside?: (to: string) => void;
}

/** A JSON file's content, or null when there is none. Refuses a file whose content is not valid. */
export function readJson<T>(file: JsonFile<T>): T | null {
  const text = readText(file.path);
  if (text === null) return null;
  const content = parsed(text);
  if (!file.holds(content)) throw damaged(file.path, file.afresh);
  return content;
}

function isDamaged({ path, holds }: JsonFile<unknown>): boolean {
  const text = readText(path);
  return text !== null && !holds(parsed(text));
}

/** The error for a file whose content is not what this program writes. */
export const damaged = (path: string, afresh = "sign in or join again"): LocalError =>
  new LocalError(
    "internal",
    `${path} is damaged: its content is not valid.`,
    `Repair it, or move it away and ${afresh}.`,
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object that has a text under each of some names. */
export const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  typeof value === "object" &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === "string");

/** Whether a text has the form of a credential. With a broken one every request would fail without a reason. */
export const isCredential = (text: string): boolean =>
  kindOfSecret(text) !== null && /^[\w-]+$/.test(text);

/** Changes a JSON file while no other process of this program does. */
export function changeJson<T>(file: JsonFile<T>, empty: T, change: (content: T) => T): void {
  const { path } = file;
  makePrivateFolder(dirname(path));
  locked(`${path}.lock`, () => {
    if (file.movedAside && isDamaged(file)) moveAside(path, file.movedAside);
    writePrivate(path, `${JSON.stringify(change(readJson(file) ?? empty), null, 2)}\n`);
  });
}

/** The new name has the time, so that no earlier damaged file is replaced. */
function moveAside(path: string, said: (to: string) => void): void {
  const to = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  moveIntoPlace(path, to);
  said(to);
}

function locked(lock: string, work: () => void): void {
  try {
    withLock(lock, work);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    const holder = error.pid === null ? "" : ` (process ${error.pid})`;
    throw new LocalError(
      "internal",
      `Another run of this program${holder} holds ${lock}.`,
      "Try again; if no other run is going on, remove that file.",
    );
  }
}
