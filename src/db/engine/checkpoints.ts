import type { Database } from "bun:sqlite";

/**
 * After this many pages of write-ahead log, a commit folds them into the file: 1,000 are 4 MB. That commit takes some
 * milliseconds longer than the others. With 4,000 pages it took far longer, for somewhat more posts a second.
 */
const checkpointPages = 1000;

/** Lets commits fold the write-ahead log into the file from now on. */
export const letCheckpoint = (sql: Database): void =>
  void sql.run(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);

/** A database file that no commit touches. */
export interface Frozen<T> {
  /** What was read of the moment that the file holds. */
  readonly state: T;
  /** Lets commits reach the file again. */
  thaw(): void;
}

/** Freezes the file of one connection, once at a time. */
export interface Freezer {
  /**
   * Folds the log into the file, and keeps commits from doing so until it is thawed. Meanwhile the file is a complete copy
   * of this moment, which another process may copy: commits only append to the log. `read` reads that moment.
   */
  freeze<T>(read: () => T): Frozen<T>;
  /** Folds the log into the file for the last time, before the connection is closed. */
  end(): void;
}

/** The freezer of a connection. Nothing else folds its log, but for the commits that `letCheckpoint` lets. */
export function createFreezer(sql: Database): Freezer {
  let frozen = false;
  let ended = false;
  const thaw = () => {
    if (frozen && !ended) letCheckpoint(sql);
    frozen = false;
  };
  return {
    freeze(read) {
      if (ended || frozen) throw new Error("the database is closed, or its file is frozen already");
      foldLog(sql);
      sql.run("PRAGMA wal_autocheckpoint = 0");
      frozen = true;
      let thawed = false;
      const thawOnce = () => {
        if (!thawed) thaw();
        thawed = true;
      };
      try {
        return { state: read(), thaw: thawOnce };
      } catch (error) {
        thawOnce();
        throw error;
      }
    },
    end() {
      ended = true;
      sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
    },
  };
}

/** Throws if the log could not be folded, or not all of it. */
function foldLog(sql: Database): void {
  const { busy } = sql.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
  if (busy) throw new Error("the write-ahead log could not be folded into the database file");
}
