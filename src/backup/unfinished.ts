import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeInPieces } from "../client/files/copied-file.ts";
import { isDiskFull } from "../client/files/full-disk.ts";
import { holderOf, LockHeld, takeLock } from "../client/files/lock.ts";
import { makePrivateFolder } from "../client/files/private-file.ts";
import { BackupFailed } from "./backup-errors.ts";
import { backupNameForm } from "./manifest.ts";

const [partialEnd, lockEnd] = [".partial", ".partial.lock"];
/** The folder of a backup until it is whole, and while it is deleted. */
const partialOf = (where: string, name: string): string => join(where, name + partialEnd);
/** The lock of whoever is at work there. */
const lockOf = (where: string, name: string): string => join(where, name + lockEnd);

/** How long nothing is written to the folder of an unfinished backup before the next one removes it, in milliseconds. It counts where nobody knows whose it is. */
const abandonedMs = 24 * 60 * 60 * 1000;
/** What the folder of a backup may have in it. */
const contentForm = /^(service\.db(-[a-z]+)?|digest-key|files|manifest\.json)$/;

/** The folder of an unfinished backup. Until `release` no other process of this machine works there. */
interface Unfinished {
  readonly folder: string;
  release(): void;
}

/**
 * Makes the folder of a backup that is about to be written, and removes what earlier ones left that have ended.
 * Throws `BackupFailed` if another process is at work on that name.
 */
export async function newPartial(where: string, name: string): Promise<Unfinished> {
  makePrivateFolder(where);
  const release = lockAlone(where, name);
  const folder = partialOf(where, name);
  try {
    await removeInPieces(folder);
    for (const left of abandonedIn(where)) await removeAbandoned(where, left);
    makePrivateFolder(folder);
    return { folder, release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Frees the folder to which a backup is moved that is about to be deleted. On a full disk nobody holds a lock there: there is no room for
 * one, and a deletion is what makes room.
 */
export async function freePartial(where: string, name: string): Promise<Unfinished> {
  const release = lockUnlessFull(where, name);
  const folder = partialOf(where, name);
  try {
    await removeInPieces(folder);
    return { folder, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Removes the folder of an unfinished backup whose process is known to have ended. */
export function removePartial(where: string, name: string): void {
  rmSync(partialOf(where, name), { recursive: true, force: true });
  rmSync(lockOf(where, name), { force: true });
}

function lockAlone(where: string, name: string): () => void {
  try {
    return takeLock(lockOf(where, name), 0);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw new BackupFailed(
      "backup_running",
      `Another process is at work on the backup ${name} in ${where}.`,
      "Wait until it has ended, or choose another name.",
    );
  }
}

function lockUnlessFull(where: string, name: string): () => void {
  try {
    return lockAlone(where, name);
  } catch (error) {
    if (isDiskFull((error as { code?: string }).code)) return () => {};
    throw error;
  }
}

async function removeAbandoned(where: string, name: string): Promise<void> {
  let release: () => void;
  try {
    release = takeLock(lockOf(where, name), 0);
  } catch (error) {
    // Somebody else removes it.
    if (error instanceof LockHeld) return;
    throw error;
  }
  try {
    await removeInPieces(partialOf(where, name));
  } finally {
    release();
  }
}

/** The names of what was left: its process has ended, or nobody knows whose it is and it is a day old. */
function abandonedIn(where: string): string[] {
  const names = readdirSync(where, { withFileTypes: true }).flatMap((entry) => {
    const end = entry.isDirectory() ? partialEnd : lockEnd;
    const name = entry.name.slice(0, -end.length);
    return entry.name.endsWith(end) && backupNameForm.test(name) ? [name] : [];
  });
  return [...new Set(names)].filter((name) => isAbandoned(where, name));
}

function isAbandoned(where: string, name: string): boolean {
  const folder = partialOf(where, name);
  try {
    const holder = holderOf(lockOf(where, name));
    if (holder === "alive") return false;
    const contents = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
    if (!contents.every((each) => contentForm.test(each))) return false;
    if (holder === "dead") return true;
    const written = [folder, ...contents.map((each) => join(folder, each))].map(
      (path) => statSync(path).mtimeMs,
    );
    return Date.now() - Math.max(...written) > abandonedMs;
  } catch {
    // Another user's, or finished meanwhile.
    return false;
  }
}
