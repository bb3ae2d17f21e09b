import { statfs } from "node:fs/promises";
import type { Db } from "../../db/engine/database.ts";
import { writeProbe } from "../../db/write-probe.ts";

/** Why a server takes no work: its database takes no write, a commit takes too long, or its disk is nearly full. */
export type NotReady = "database" | "commit" | "disk";

/** Whether a server takes work. */
export interface Readiness {
  /** Null if it does. What was found is good for five seconds, however often it is asked for. */
  check(): Promise<NotReady | null>;
}

/** What has to be free on the disk of the data folder, in bytes. */
const diskReserveBytes = 64 * 1024 * 1024;
/** How long what was found is good, in milliseconds. */
const goodMs = 5_000;
/** How long a commit may take, in milliseconds. */
const longestCommitMs = 5_000;

interface Given {
  readonly db: Db;
  readonly dataFolder: string;
  /** Called when the answer is another one than before. */
  onChange(reason: NotReady | null): void;
  /** Bytes free to this process on the disk of a folder. Tests fill the disk with it. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

/** Makes the check of a server. It writes to the database, so that it knows what a write would come to. */
export function createReadiness({
  db,
  dataFolder,
  onChange,
  freeBytes = freeBytesOf,
}: Given): Readiness {
  let found: { readonly at: number; readonly reason: Promise<NotReady | null> } | null = null;
  let last: NotReady | null = null;

  async function look(): Promise<NotReady | null> {
    const reason =
      (await freeBytes(dataFolder)) < diskReserveBytes ? "disk" : await refusalOfWrite(db);
    if (reason !== last) onChange(reason);
    last = reason;
    return reason;
  }

  return {
    check() {
      if (found === null || performance.now() - found.at >= goodMs)
        found = { at: performance.now(), reason: look() };
      return found.reason;
    },
  };
}

/** While a commit waits for the disk nothing else runs, so how long it took is known only afterwards. */
async function refusalOfWrite(db: Db): Promise<NotReady | null> {
  const began = performance.now();
  try {
    await db.write(writeProbe);
  } catch {
    return "database";
  }
  return performance.now() - began > longestCommitMs ? "commit" : null;
}

/** Bytes that this process may still write on the disk of a folder. A disk that cannot be asked counts as one with room. */
async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }));
  return bavail * bsize;
}
