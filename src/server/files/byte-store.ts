import { promises as fs, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Received } from "../handler.ts";
import { ulid } from "../ids.ts";
import { createSecretScan } from "./secret-scan.ts";

/** The bytes of an upload, in a temporary file. */
export interface Taken extends Received {
  readonly path: string;
}

/** The bytes of files, on disk, each once under its digest. One process has a store. */
export interface ByteStore {
  /** Writes bytes to a temporary file as they come, and syncs it. If anything fails, the file is removed. */
  take(chunks: AsyncIterable<Uint8Array>): Promise<Taken>;
  /**
   * Moves the bytes to their place under their digest, then runs `work`, which records the version that cites them. No
   * sweep removes the bytes before `work` has ended. Bytes with a credential are dropped, and `work` then refuses them.
   */
  storing<T>(taken: Taken, work: () => Promise<T>): Promise<T>;
  /**
   * The same for many uploads at once, whatever they contain. If `work` fails, the bytes that came with them are removed
   * again, except those that `isCited` says are in use.
   */
  storingAll<T>(
    all: readonly Taken[],
    work: () => Promise<T>,
    isCited: (digest: string) => boolean,
  ): Promise<T>;
  /** Removes the temporary file of an upload that is not stored. */
  drop(taken: Taken): void;
  /** Bytes that are free where the files are. */
  room(): Promise<number>;
  /** Path of the file with the bytes of a digest; null if it is missing or has another size. */
  find(digest: string, size: number): Promise<string | null>;
  /** Digests of all files that were last written before a time. */
  olderThan(time: Date): Promise<string[]>;
  /** Whether an upload that may cite these bytes is still running. */
  isHeld(digest: string): boolean;
  /** Keeps the sweep from removing anything until the returned function is called, such as while a backup copies. */
  rest(): () => void;
  isResting(): boolean;
  /** Removes the bytes of a digest, at once. */
  remove(digest: string): void;
}

/** Makes the store in a folder, and removes the temporary files of interrupted uploads. The first upload makes the folder, with mode 0700. */
export function createByteStore(folder: string): ByteStore {
  const incoming = join(folder, "incoming");
  const held = new Map<string, number>();
  const pathOf = (digest: string) => join(folder, digest.slice(0, 2), digest);
  const rooted = new Set<string>();
  const rests = new Set<object>();
  /** Makes a folder if it is missing, and syncs its parent once, so that its name survives a power cut. */
  async function makeFolder(path: string): Promise<void> {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (rooted.has(path)) return;
    await syncFolder(dirname(path));
    rooted.add(path);
  }
  const hold = (digest: string) => void held.set(digest, (held.get(digest) ?? 0) + 1);
  const release = (digest: string) => {
    const others = held.get(digest)! - 1;
    if (others > 0) held.set(digest, others);
    else held.delete(digest);
  };
  rmSync(incoming, { recursive: true, force: true });
  return {
    async find(digest, size) {
      const path = pathOf(digest);
      return (await sizeOf(path)) === size ? path : null;
    },
    isHeld: (digest) => held.has(digest),
    rest() {
      const one = {};
      rests.add(one);
      return () => void rests.delete(one);
    },
    isResting: () => rests.size > 0,
    remove: (digest) => rmSync(pathOf(digest), { force: true }),
    olderThan: (time) => olderThan(folder, time),
    async take(chunks) {
      await makeFolder(folder);
      mkdirSync(incoming, { recursive: true, mode: 0o700 });
      const path = join(incoming, ulid(Date.now()));
      try {
        return { path, ...(await writeTo(path, chunks)) };
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
    },
    async storing(taken, work) {
      const { digest, secret } = taken;
      hold(digest);
      try {
        if (secret === null) {
          await makeFolder(dirname(pathOf(digest)));
          await settle(taken, pathOf(digest));
        }
        return await work();
      } finally {
        release(digest);
        rmSync(taken.path, { force: true });
      }
    },
    async storingAll(all, work, isCited) {
      const placed: string[] = [];
      for (const { digest } of all) hold(digest);
      try {
        for (const taken of all) {
          await makeFolder(dirname(pathOf(taken.digest)));
          if ((await sizeOf(pathOf(taken.digest))) !== taken.size) placed.push(taken.digest);
          await settle(taken, pathOf(taken.digest));
        }
        return await work();
      } catch (error) {
        for (const digest of placed)
          if (held.get(digest) === 1 && !isCited(digest)) rmSync(pathOf(digest), { force: true });
        throw error;
      } finally {
        for (const { digest, path } of all) {
          release(digest);
          rmSync(path, { force: true });
        }
      }
    },
    drop: ({ path }) => rmSync(path, { force: true }),
    async room() {
      await makeFolder(folder);
      const { bavail, bsize } = await fs.statfs(folder);
      return bavail * bsize;
    },
  };
}

/** Writes bytes to a new file as they come, each before the next is taken, and syncs it. */
async function writeTo(path: string, chunks: AsyncIterable<Uint8Array>): Promise<Received> {
  const hasher = new Bun.CryptoHasher("sha256");
  const scan = createSecretScan();
  let size = 0;
  const file = await fs.open(path, "wx", 0o600);
  try {
    for await (const chunk of chunks) {
      hasher.update(chunk);
      scan.add(chunk);
      size += chunk.length;
      for (let written = 0; written < chunk.length;)
        written += (await file.write(chunk, written)).bytesWritten;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { digest: hasher.digest("hex"), size, secret: scan.found() };
}

/** Moves a temporary file to its place. A complete file that is already there stays. */
async function settle({ path, size }: Taken, place: string): Promise<void> {
  if ((await sizeOf(place)) !== size) await fs.rename(path, place);
  await syncFolder(dirname(place));
}

const sizeOf = async (path: string): Promise<number | null> =>
  (await fs.stat(path).catch(() => null))?.size ?? null;

/** Syncs a folder, so that the names in it survive a power cut. */
async function syncFolder(path: string): Promise<void> {
  const folder = await fs.open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function olderThan(folder: string, time: Date): Promise<string[]> {
  const found: string[] = [];
  for (const part of await namesIn(folder, /^[0-9a-f]{2}$/))
    for (const digest of await namesIn(join(folder, part), /^[0-9a-f]{64}$/)) {
      const there = await fs.stat(join(folder, part, digest)).catch(() => null);
      if (there && there.mtime < time) found.push(digest);
    }
  return found;
}

async function namesIn(folder: string, form: RegExp): Promise<string[]> {
  const names = await fs.readdir(folder).catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return [];
    throw error as Error;
  });
  return names.filter((name) => form.test(name));
}
