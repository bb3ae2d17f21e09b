import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { open, readdir, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Digest and size of a file. It is read piece by piece. */
export async function digestOfFile(path: string): Promise<{ sha256: string; size: number }> {
  const hasher = new Bun.CryptoHasher("sha256");
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hasher.update(chunk as Uint8Array);
    size += (chunk as Uint8Array).length;
  }
  return { sha256: hasher.digest("hex"), size };
}

/**
 * Copies a file, or so many of its first bytes, to a new one that only its owner can read, sharing its blocks where the file
 * system can. The copy is on disk when this returns. Throws if the file has fewer bytes.
 */
export function copySynced(from: string, to: string, bytes = Infinity): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  if (bytes < Infinity || !shared(from, to)) copyInPieces(from, to, bytes);
  chmodSync(to, 0o600);
  syncPath(to);
}

/** Makes a file of the blocks of another one. False where the file system cannot do that. */
function shared(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["ENOTSUP", "EOPNOTSUPP", "EXDEV", "EINVAL", "ENOSYS", "ENOTTY"].includes(code))
      throw error;
    rmSync(to, { force: true });
    return false;
  }
}

/** So much of a copy is on its way to the disk at once. A commit of a server that comes meanwhile waits for no more than that. */
const pieceBytes = 1024 * 1024;

function copyInPieces(from: string, to: string, bytes: number): void {
  const source = openSync(from, "r");
  try {
    const target = openSync(to, "wx", 0o600);
    try {
      const piece = Buffer.allocUnsafe(pieceBytes);
      let left = bytes;
      for (let count; (count = readSync(source, piece, 0, Math.min(pieceBytes, left), null)) > 0;) {
        for (let at = 0; at < count;) at += writeSync(target, piece, at, count - at);
        if (count === pieceBytes) fdatasyncSync(target);
        left -= count;
      }
      if (bytes < Infinity && left > 0) throw new Error(`${from} is shorter than it was`);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** Gives a file a second name, whose folder is made. False if it is not there, or if this file system cannot link it. */
export function linkedFile(from: string, to: string): boolean {
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    linkSync(from, to);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOSPC", "EDQUOT", "EIO", "EROFS"].includes(code)) throw error;
    return false;
  }
}

/** Syncs a folder and, so many levels deep, the folders in it, so that the names in them survive a power cut. */
export function syncTree(folder: string, levels = 3): void {
  syncPath(folder);
  if (levels === 0) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) syncTree(join(folder, entry.name), levels - 1);
}

/** Syncs a file, or the names in a folder. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Moves a complete folder to its name. Its content and its new name are on disk when this returns. */
export function finishFolder(unfinished: string, to: string): void {
  syncTree(unfinished);
  moveSynced(unfinished, to);
}

/** Moves a folder that is on disk to its name, which is on disk when this returns. */
export function moveSynced(folder: string, to: string): void {
  renameSync(folder, to);
  syncPath(dirname(to));
}

/** Moves a file or a folder to a new name on the same disk, never over what is there: then it throws. On disk when this returns. */
export function moveToNewName(from: string, to: string): void {
  if (lstatSync(from).isDirectory()) {
    if (existsSync(to))
      throw Object.assign(new Error(`${to} is there already`), { code: "EEXIST" });
    renameSync(from, to);
  } else {
    linkSync(from, to);
    rmSync(from);
  }
  syncPath(dirname(to));
}

/**
 * Removes a folder, which has the other name meanwhile: a kill or a power cut leaves it whole under its own name, or not at
 * all. It is gone from the disk when this returns.
 */
export function removeAtOnce(folder: string, otherName: string): void {
  rmSync(otherName, { recursive: true, force: true });
  renameSync(folder, otherName);
  syncPath(dirname(otherName));
  rmSync(otherName, { recursive: true, force: true });
}

/** So much of a large file is given back to the disk at once. */
const freedBytes = 4 * 1024 * 1024;

/**
 * Removes a folder if it is there, and gives the room of its large files back in pieces. A file system that tells its disk of free blocks
 * does so within a commit of its journal: removed at once, a file of 100 MB holds up everybody's next write for 20 ms.
 */
export async function removeInPieces(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await freeInPieces(join(entry.parentPath, entry.name));
  await rm(folder, { recursive: true, force: true });
}

async function freeInPieces(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await unlink(path);
    // Without a name it can get no other one. One that has another name keeps its content.
    const { nlink, size } = await file.stat();
    if (nlink > 0) return;
    for (let left = size - freedBytes; left > 0; left -= freedBytes) {
      await file.truncate(left);
      await file.datasync();
    }
  } finally {
    await file.close();
  }
}
