import { dirname, resolve } from "node:path";
import { fs } from "./late-fs.ts";

/** The calls with which a file reaches the disk. They are `node:fs`, unless a test hands in ones that take notes. */
export type Disk = Pick<
  ReturnType<typeof fs>,
  | "chmodSync"
  | "closeSync"
  | "fsyncSync"
  | "linkSync"
  | "mkdirSync"
  | "openSync"
  | "renameSync"
  | "rmSync"
  | "writeFileSync"
>;

/**
 * Replaces a file that only its owner may read. A reader sees the old content or the new one, never a part, and the new
 * one is on disk when this returns. Makes the folder if it is missing.
 */
export function writePrivately(path: string, text: string, disk: Disk = fs()): void {
  writeBeside(path, text, disk, (temporary) => disk.renameSync(temporary, path));
}

/** Replaces a file as `writePrivately` does, for what says nothing once the machine has stopped: it is not brought to the disk. */
export function writePassing(path: string, text: string): void {
  const temporary = temporaryAt(path);
  try {
    fs().writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    fs().renameSync(temporary, path);
  } catch (error) {
    fs().rmSync(temporary, { force: true });
    throw error;
  }
}

/** Replaces a file as `writePrivately` does, and gives it these permissions. */
export function writeWithMode(path: string, text: string, mode: number, disk: Disk = fs()): void {
  writeBeside(path, text, disk, (temporary) => {
    disk.chmodSync(temporary, mode);
    disk.renameSync(temporary, path);
  });
}

/** Makes a file that only its owner may read, on disk when this returns. If there is one already, it stays as it is. */
export function createPrivately(path: string, text: string, disk: Disk = fs()): void {
  writeBeside(path, text, disk, (temporary) => {
    try {
      disk.linkSync(temporary, path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  });
}

/**
 * Makes a folder that only its owner can enter, and its parents, all on disk when this returns. One that exists is left as
 * it is. Its name is synced all the same, once in a process: whoever made it may have been killed before that.
 */
export function makePrivateFolder(folder: string, disk: Disk = fs()): void {
  const path = resolve(folder);
  const isThere = fs().existsSync(path);
  // A folder is made only in one whose own name is on disk. So of those that are there, only the deepest may lack this.
  if (!isThere) makePrivateFolder(dirname(path), disk);
  disk.mkdirSync(path, { recursive: true, mode: 0o700 });
  if (isThere && onDisk.has(path)) return;
  syncFolder(dirname(path), disk);
  onDisk.add(path);
}

/** Folders whose names this process has synced. */
const onDisk = new Set<string>();

/** Moves a complete file to its place, over what is there. Its content and its new name are on disk when this returns. */
export function moveIntoPlace(from: string, to: string, disk: Disk = fs()): void {
  sync(from, disk);
  disk.renameSync(from, to);
  syncFolder(dirname(to), disk);
}

const temporaryAt = (path: string): string => `${path}.${crypto.randomUUID()}.new`;

/** Writes a temporary file beside a path, and lets `move` give it that name. */
function writeBeside(
  path: string,
  text: string,
  disk: Disk,
  move: (temporary: string) => void,
): void {
  makePrivateFolder(dirname(path), disk);
  const temporary = temporaryAt(path);
  try {
    disk.writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    // Before the move: else a power cut could leave the new name with nothing in it.
    sync(temporary, disk);
    move(temporary);
  } finally {
    disk.rmSync(temporary, { force: true });
  }
  syncFolder(dirname(path), disk);
}

function sync(path: string, disk: Disk): void {
  const descriptor = disk.openSync(path, "r");
  try {
    disk.fsyncSync(descriptor);
  } finally {
    disk.closeSync(descriptor);
  }
}

/** Some file systems cannot sync a folder, and a folder that may be written may not be readable. Then there is nothing to do. */
const notSyncable = new Set(["EINVAL", "ENOTSUP", "EACCES"]);

function syncFolder(path: string, disk: Disk): void {
  try {
    sync(path, disk);
  } catch (error) {
    if (!notSyncable.has(codeOf(error) ?? "")) throw error;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
