import type { Database } from "bun:sqlite";

/**
 * After this many pages of write-ahead log, a commit folds them into the file: 1,000 are 4 MB. That commit takes some
 * milliseconds longer than the others. With 4,000 pages it took far longer, for somewhat more posts a second.
 */
const checkpointPages = 1000;

/** Lets commits fold the write-ahead log into the file from now on. */
export const letCheckpoint = (sql: Database): void =>
  void sql.run(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);

/** A database whose file no commit touches, and whose log is only appended to. */
export interface Frozen<T> {
  /** What was read of the moment. */
  readonly state: T;
  /** So many bytes of the write-ahead log belong to the moment beside the file; 0 if the file has all of it. */
  readonly logBytes: number;
  /** Lets commits reach the file again. */
  thaw(): void;
}

/** Freezes the file of one connection, once at a time. */
export interface Freezer {
  /**
   * Keeps commits from folding the log into the file until it is thawed. Meanwhile the file with the first `logBytes` of the
   * log is a complete copy of this moment, which another process may copy. `read` reads that moment.
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
      const logBytes = unfoldedBytes(sql);
      sql.run("PRAGMA wal_autocheckpoint = 0");
      frozen = true;
      let thawed = false;
      const thawOnce = () => {
        if (!thawed) thaw();
        thawed = true;
      };
      try {
        return { state: read(), logBytes, thaw: thawOnce };
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

/** Bytes of the log's and each of its pages' heads, by SQLite's file format. */
const [logHead, pageHead] = [32, 24];

/** How many bytes of the log the file lacks. As long as that is not 0, commits append to the log: none begins it anew. */
function unfoldedBytes(sql: Database): number {
  // It does nothing but count. An SQLite before 3.51 folds what it can, which is as good.
  const { log, checkpointed } = sql.query("PRAGMA wal_checkpoint(NOOP)").get() as {
    log: number;
    checkpointed: number;
  };
  if (log === checkpointed) return 0;
  const { page_size } = sql.query("PRAGMA page_size").get() as { page_size: number };
  return logHead + log * (pageHead + page_size);
}
