import { Database } from "bun:sqlite";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * Pages of write-ahead log after which a commit folds them into the file: 1,000 are 4 MB. That commit takes some
 * milliseconds longer than the others; with 4,000 pages it took far longer, for somewhat more posts a second.
 */
const checkpointPages = 1000;
/** Memory for pages of the file, in KiB. It is taken as pages are read. */
const cacheKib = 32 * 1024;
/** How often the lock is tried, with pauses of a random length: of two that open a file at once each may find the other's. */
const tries = 10;
const longestPauseMs = 50;

/** Opens a database file and takes its lock for as long as this process has it open. Refuses one that another process has, that may not be written, or that is no database. */
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
