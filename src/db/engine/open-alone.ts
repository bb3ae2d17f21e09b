import { Database } from "bun:sqlite";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * After this many pages of write-ahead log, a commit folds them into the file: 1,000 are 4 MB. That commit takes some
 * milliseconds longer than the others. With 4,000 pages it took far longer, for somewhat more posts a second.
 */
const checkpointPages = 1000;
/** Memory for pages of the file, in KiB. It is allocated as pages are read. */
const cacheKib = 32 * 1024;
/** How often to try the lock. The pauses are random, since two processes that open a file at once can block each other. */
const tries = 10;
const longestPauseMs = 50;

/** Opens a database file and holds its lock while it is open. Throws `DatabaseUnavailable` if another process has the file, if it is not writable, or if it is no database. */
export function openAlone(path: string, synchronous: "FULL" | "NORMAL"): Database {
  for (let left = tries - 1; ; left--)
    try {
      return opened(path, synchronous);
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw unavailable(path, error as SqlError);
      Bun.sleepSync(1 + Math.random() * longestPauseMs);
    }
}

type SqlError = Error & { readonly code?: string };
const isBusy = (error: unknown) => (error as SqlError).code?.startsWith("SQLITE_BUSY") ?? false;

function opened(path: string, synchronous: "FULL" | "NORMAL"): Database {
  let sql: Database | undefined;
  try {
    sql = new Database(path, { create: true, strict: true });
    sql.run("PRAGMA busy_timeout = 0");
    sql.run("PRAGMA locking_mode = EXCLUSIVE");
    sql.run("PRAGMA journal_mode = WAL");
    sql.run(`PRAGMA synchronous = ${synchronous}`);
    sql.run(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    sql.run(`PRAGMA cache_size = -${cacheKib}`);
    sql.run("BEGIN IMMEDIATE");
    sql.run("COMMIT");
    return sql;
  } catch (error) {
    sql?.close();
    throw error;
  }
}

const unavailable = (path: string, error: SqlError) =>
  isBusy(error)
    ? new DatabaseUnavailable(
        "server_already_running",
        `Another server has the database ${path} open.`,
        "Use that server, or stop it first: `service down`.",
        error,
      )
    : new DatabaseUnavailable(
        "data_unusable",
        `The database ${path} cannot be opened: ${error.message}.`,
        "Its folder and its files must be writable for the user who starts the server, and be the ones that a server wrote.",
        error,
      );
