import { existsSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BackupFailed } from "../../backup/backup-errors.ts";
import { moveSynced, removeInPieces } from "../../client/files/copied-file.ts";
import { finishedIn, nameTaken } from "../../backup/folder-place.ts";
import { newPartial, removePartial } from "../../backup/unfinished.ts";
import { childWord, type CopyJob, type CopyWord } from "../../backup/words-of-child.ts";
import type { Place } from "../../backup/place.ts";
import { allHeads } from "../../db/boards.ts";
import type { Db } from "../../db/engine/database.ts";
import type { ByteStore } from "../files/byte-store.ts";
import { diskFull, reasonOf, type Reason } from "./reason.ts";

/** What a backup is taken of, and where to. */
export interface BackupSource {
  readonly db: Db;
  /** Its files' bytes, which no sweep may remove meanwhile. Missing where no server runs. */
  readonly bytes?: Pick<ByteStore, "rest">;
  /** Absolute folder of the server's data. */
  readonly dataFolder: string;
  /** The words that start this program. */
  readonly program: readonly string[];
  readonly version: string;
  /** Whether another program reads the database: a copy of its file is none then. */
  readonly shared?: boolean;
  /** For tests: most bytes of the write-ahead log while the file is frozen. */
  readonly mostLogBytes?: number;
  /** For tests: bytes of the disk that a backup leaves free. */
  readonly reserveBytes?: number;
}

/** A finished backup. */
export interface Taken {
  readonly at: string;
  readonly bytes: number;
  readonly files: number;
}

/** Bytes of the disk that a backup leaves free. */
const reserveBytes = 64 * 1024 * 1024;
/** The log may always become this large, however small the database is. */
const leastLogBytes = 1024 ** 3;
/** Pause between two looks at the log and the disk while a backup runs, in milliseconds. */
const lookMs = 200;

/** How a run is stopped, and how it tells its progress. */
interface Run {
  readonly signal?: AbortSignal;
  onBytes?(bytes: number, total: number): void;
}

/** Where a backup is taken that is stored elsewhere. */
const outgoingFolder = (dataFolder: string): string => join(dataFolder, "outgoing");

/** Takes a backup into a place. One that is elsewhere gets it from a folder beside the data, which is removed then. */
export async function takeInto(
  place: Place,
  source: BackupSource,
  name: string,
  run: Run,
): Promise<Taken> {
  const outgoing = outgoingFolder(source.dataFolder);
  // One that was killed left it: whoever backs up has the database alone.
  await removeInPieces(outgoing);
  if (!place.isElsewhere) return takeBackup(source, place.where, name, run);
  if ((await place.taken()).includes(name)) throw nameTaken(name);
  try {
    const taken = await takeBackup(source, outgoing, name, run, [source.dataFolder]);
    await unlessStopped(run.signal, place.store(name, join(outgoing, name), run.signal));
    return taken;
  } finally {
    await removeInPieces(outgoing);
  }
}

/** Removes what a backup left that ended with its server. */
export function removeUnfinished(place: Place, dataFolder: string, name: string): void {
  if (place.isElsewhere) rmSync(outgoingFolder(dataFolder), { recursive: true, force: true });
  else removePartial(place.where, name);
}

/** Ends at once when the server stops, however long a bucket takes to answer. */
async function unlessStopped(signal: AbortSignal | undefined, work: Promise<void>): Promise<void> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(failure(serverStops));
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  try {
    await Promise.race([work, stopped.promise]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * Takes a backup into the folder `where/name`. The server goes on meanwhile, and nobody waits for it. Throws a `BackupFailed` and leaves nothing half there. `signal` ends it. Files are
 * linked to those of `linkable` folders where they can be.
 */
export async function takeBackup(
  source: BackupSource,
  where: string,
  name: string,
  { signal, onBytes }: Run = {},
  linkable = existsSync(where) ? finishedIn(where) : [],
): Promise<Taken> {
  const to = join(where, name);
  if (source.shared) throw failure(othersRead);
  const { folder: into, release } = await newPartial(where, name).catch((error: unknown) => {
    throw failure(reasonOf(error));
  });
  const goOn = source.bytes?.rest();
  try {
    if (existsSync(to)) throw nameTaken(name);
    refuseWithoutRoom(source, into);
    const taken = await copied(source, into, linkable, signal, onBytes);
    moveSynced(into, to);
    return taken;
  } catch (error) {
    rmSync(into, { recursive: true, force: true });
    throw error;
  } finally {
    release();
    goOn?.();
  }
}

async function copied(
  source: BackupSource,
  into: string,
  others: readonly string[],
  signal: AbortSignal | undefined,
  onBytes: ((bytes: number, total: number) => void) | undefined,
): Promise<Taken> {
  const { db, dataFolder, program, version } = source;
  // What waits for its commit is acknowledged later than this backup begins, so it need not be in it.
  const { state, logBytes, thaw } = db.freeze((tx) => ({ at: tx.now, boards: allHeads(tx) }));
  let child: ReturnType<typeof startChild> | undefined;
  let reason: Reason | null = null;
  const end = (why: Reason) => {
    reason ??= why;
    child?.kill("SIGKILL");
  };
  const stopped = () => end(serverStops);
  const looking = setInterval(() => {
    const why = whyNot(source, into);
    if (why) end(why);
  }, lookMs);
  signal?.addEventListener("abort", stopped);
  try {
    signal?.throwIfAborted();
    child = startChild(program);
    const job: CopyJob = { data: dataFolder, into, others, program: version, logBytes, ...state };
    tell(child, JSON.stringify(job));
    let done: Taken | null = null;
    for await (const word of wordsOf(child.stdout)) {
      if (reason) break;
      if (word.is === "copied") {
        thaw();
        tell(child, "go");
      } else if (word.is === "progress") onBytes?.(word.bytes, word.total);
      else if (word.is === "failed") reason = word;
      else done = { at: state.at, bytes: word.bytes, files: word.files };
    }
    await child.exited;
    if (reason) throw failure(reason);
    if (!done) throw failure(childEnded);
    return done;
  } finally {
    clearInterval(looking);
    signal?.removeEventListener("abort", stopped);
    child?.kill("SIGKILL");
    await child?.exited;
    thaw();
  }
}

const startChild = (program: readonly string[]) =>
  Bun.spawn([...program, childWord], { stdin: "pipe", stdout: "pipe", stderr: "ignore" });

/** Says a line to the process that copies. One that has ended does not hear it, and its exit says so. */
function tell({ stdin }: ReturnType<typeof startChild>, line: string): void {
  try {
    stdin.write(`${line}\n`);
    Promise.resolve(stdin.flush()).catch(() => {});
  } catch {}
}

async function* wordsOf(output: AsyncIterable<Uint8Array>): AsyncGenerator<CopyWord> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as CopyWord;
  }
}

const failure = ({ code, message, hint }: Reason) => new BackupFailed(code, message, hint);

function refuseWithoutRoom(source: BackupSource, into: string): void {
  const { reserveBytes: reserve = reserveBytes } = source;
  const needed = sizeAt(join(source.dataFolder, "service.db")) + reserve;
  if (freeAt(into) < needed)
    throw failure(diskFull("The disk has no room for a copy of the database."));
}

/** Why a running backup must end, if it must. A folder that is gone, such as of a disk that was taken away, must not end the server. */
function whyNot(source: BackupSource, into: string): Reason | null {
  try {
    return noRoom(source, into);
  } catch (error) {
    return reasonOf(error);
  }
}

function noRoom(source: BackupSource, into: string): Reason | null {
  const { dataFolder, mostLogBytes, reserveBytes: reserve = reserveBytes } = source;
  const base = sizeAt(join(dataFolder, "service.db"));
  const most = mostLogBytes ?? Math.max(leastLogBytes, 4 * base);
  if (sizeAt(join(dataFolder, "service.db-wal")) > most)
    return {
      code: "backup_failed",
      message: "So much was written while the database was copied that its log grew too large.",
      hint: "Try again when less is going on, or name a faster disk for the backups.",
    };
  if (freeAt(into) < reserve || freeAt(dataFolder) < reserve)
    return diskFull("The disk is almost full, so the backup was ended.");
  return null;
}

const sizeAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
function freeAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Why a backup ended with its server. */
export const serverStops: Reason = {
  code: "server_stopped",
  message: "The server stopped before the backup was finished.",
  hint: "Start it, and make a backup again: `service backup`",
};
const othersRead: Reason = {
  code: "storage_unsupported",
  message:
    "The server shares its database with another program (`?shared=1`), so it makes no backup of it.",
  hint: "Use the copy that this program makes, such as Litestream's, or stop the server and run `service backup` again.",
};
const childEnded: Reason = {
  code: "backup_failed",
  message: "The process that copies ended before it was finished.",
  hint: "Try again: `service backup`",
};
