import { Database } from "bun:sqlite";
import { letCheckpoint } from "./checkpoints.ts";
import { isDiskFull } from "../../client/files/full-disk.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** Memory for pages of the file, in KiB. It is allocated as pages are read. */
const cacheKib = 32 * 1024;
/** How often to try the lock. The pauses are random, since two processes that open a file at once can block each other. */
const tries = 10;
const longestPauseMs = 50;
/** How long a write waits for another program that has the database's lock, in milliseconds. */
const sharedWaitMs = 5_000;

/** Opens a database file and holds its lock while it is open. Throws `DatabaseUnavailable` if another process has the file, if it is not writable, or if it is no database. */
export function openAlone(path: string, synchronous: Synchronous): Database {
  return untilFree(path, () => opened(path, synchronous, "EXCLUSIVE"));
}

/** An open database, and what is to be called after it was closed. */
interface Shared {
  readonly sql: Database;
  release(): void;
}

/**
 * Opens a database file that another program, such as Litestream, reads while it is open. Another server is kept away by the
 * lock of a file beside it. Throws `DatabaseUnavailable` as `openAlone` does.
 */
export function openShared(path: string, synchronous: Synchronous): Shared {
  const lock = untilFree(path, () => {
    const file = new Database(`${path}.lock`, { create: true });
    try {
      file.run("PRAGMA busy_timeout = 0");
      file.run("BEGIN EXCLUSIVE");
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  });
  try {
    const sql = untilFree(path, () => opened(path, synchronous, "NORMAL"));
    sql.run(`PRAGMA busy_timeout = ${sharedWaitMs}`);
    return { sql, release: () => lock.close() };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Tries until no other process has the lock, for half a second. */
function untilFree<T>(path: string, open: () => T): T {
  for (let left = tries - 1; ; left--)
    try {
      return open();
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw unavailable(path, error as SqlError);
      Bun.sleepSync(1 + Math.random() * longestPauseMs);
    }
}

/** How many migrations a database file has had. Throws `DatabaseUnavailable` as `openAlone` does. */
export function schemaOf(path: string): number {
  const sql = openAlone(path, "FULL");
  const { user_version } = sql.query("PRAGMA user_version").get() as { user_version: number };
  sql.close();
  return user_version;
}

type Synchronous = "FULL" | "NORMAL";
type SqlError = Error & { readonly code?: string };
const isBusy = (error: unknown) => (error as SqlError).code?.startsWith("SQLITE_BUSY") ?? false;

function opened(path: string, synchronous: Synchronous, locking: "EXCLUSIVE" | "NORMAL"): Database {
  let sql: Database | undefined;
  try {
    sql = new Database(path, { create: true, strict: true });
    sql.run("PRAGMA busy_timeout = 0");
    sql.run(`PRAGMA locking_mode = ${locking}`);
    sql.run("PRAGMA journal_mode = WAL");
    sql.run(`PRAGMA synchronous = ${synchronous}`);
    letCheckpoint(sql);
    sql.run(`PRAGMA cache_size = -${cacheKib}`);
    sql.run("BEGIN IMMEDIATE");
    sql.run("COMMIT");
    return sql;
  } catch (error) {
    sql?.close();
    throw error;
  }
}

/** Whether an error says that a file is no database, or a damaged one. */
export const isDamaged = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test((error as SqlError).code ?? "");

/** The refusal of a database that could not be opened, by the error of SQLite. A full disk stays what it is. */
export function unavailable(path: string, error: SqlError): Error {
  if (isDiskFull(error.code)) return error;
  if (isBusy(error))
    return new DatabaseUnavailable(
      "server_already_running",
      `Another server has the database ${path} open.`,
      "Use that server, or stop it first: `service down`, or `systemctl stop board-service` for a team's.",
      error,
    );
  if (isDamaged(error))
    return new DatabaseUnavailable(
      "data_unusable",
      `The database ${path} is damaged: ${error.message}.`,
      "Keep its folder as it is, and restore the newest backup into another one: `service backup list`, `service restore`",
      error,
    );
  return new DatabaseUnavailable(
    "data_unusable",
    `The database ${path} cannot be opened: ${error.message}.`,
    "Its folder and its files must be writable for the user who starts the server, and be the ones that a server wrote.",
    error,
  );
}
