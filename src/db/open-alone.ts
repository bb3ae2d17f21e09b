import { Database } from "bun:sqlite";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * Pages of write-ahead log after which a commit folds them into the file: 16,000 are 64 MB. That commit takes longer than
 * the others, so it had better be rare.
 */
const checkpointPages = 16_000;
/** Memory for pages of the file, in KiB. It is taken as pages are read. */
const cacheKib = 32 * 1024;

/** Opens a database file and takes its lock for as long as this process has it open. Refuses one that another process has. */
export function openAlone(path: string, synchronous: "FULL" | "NORMAL"): Database {
  const sql = new Database(path, { create: true, strict: true });
  try {
    sql.run("PRAGMA busy_timeout = 0");
    sql.run("PRAGMA locking_mode = EXCLUSIVE");
    sql.run("PRAGMA journal_mode = WAL");
    sql.run(`PRAGMA synchronous = ${synchronous}`);
    sql.run("PRAGMA foreign_keys = ON");
    sql.run(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    sql.run(`PRAGMA cache_size = -${cacheKib}`);
    sql.run("BEGIN IMMEDIATE");
    sql.run("COMMIT");
  } catch (error) {
    sql.close();
    if (!(error as { code?: string }).code?.startsWith("SQLITE_BUSY")) throw error;
    throw new DatabaseUnavailable(
      "server_already_running",
      `Another server has the database ${path} open.`,
      "Use that server, or stop it first: `service down`.",
      error,
    );
  }
  return sql;
}
