import {
  accessSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { CliError } from "./errors.ts";

const lockWaitMs = 5_000;
const lockStaleMs = 10_000;

/** Makes a folder that only its owner can enter, and its parents. One that exists is left as it is. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Refuses a folder in which nothing can be kept, before a server gives what could then be lost. */
export function refuseUnwritable(folder: string): void {
  makePrivateFolder(folder);
  accessSync(folder, constants.W_OK | constants.X_OK);
}

/** A file's text, or null when there is none. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Replaces a file that only its owner can read. A reader sees the old content or the new, never a part. */
export function writePrivate(path: string, text: string): void {
  makePrivateFolder(dirname(path));
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

/** Makes a file that only its owner can read, unless there is one. Of several processes the first one's text stays. */
export function createPrivate(path: string, text: string): void {
  makePrivateFolder(dirname(path));
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary);
  }
}

/** A JSON file's content, or null when there is none. Refuses a file that is not JSON. */
export function readJson<T>(path: string): T | null {
  const text = readText(path);
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new CliError(
      "internal",
      `${path} is not valid JSON.`,
      "Repair it, or move it away and sign in or join again.",
    );
  }
}

/** Changes a JSON file while no other process of this program does. */
export function changeJson<T>(path: string, empty: T, change: (content: T) => T): void {
  makePrivateFolder(dirname(path));
  const lock = `${path}.lock`;
  takeLock(lock);
  try {
    writePrivate(path, `${JSON.stringify(change(readJson<T>(path) ?? empty), null, 2)}\n`);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A lock left by a process that died is taken over once it is older than any change takes. */
function takeLock(lock: string): void {
  const end = Date.now() + lockWaitMs;
  while (!tryLock(lock)) {
    if (ageMs(lock) > lockStaleMs) rmSync(lock, { force: true });
    else if (Date.now() > end)
      throw new CliError(
        "internal",
        `Another run of this program holds ${lock}.`,
        "Try again; if no other run is going on, remove that file.",
      );
    else Bun.sleepSync(5);
  }
}

function tryLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function ageMs(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
