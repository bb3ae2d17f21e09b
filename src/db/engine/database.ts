import { createFreezer, type Frozen } from "./checkpoints.ts";
import { addDuration, noDurations, type Durations } from "./durations.ts";
import { createHeldInboxes, type HeldInboxes } from "./held-inboxes.ts";
import { createHeadCache } from "./head-cache.ts";
import { createLogCaches, recallOnly, type LogCaches } from "./log-caches.ts";
import { migrate, type Migration } from "./migrate.ts";
import { isDamaged, openAlone, openShared, unavailable } from "./open-alone.ts";
import { createRowCaches } from "./row-cache.ts";
import { runUnit } from "./run-unit.ts";
import type { Signal } from "./signals.ts";
import { createStatements } from "./statements.ts";
import type { ReadTx, Tx } from "./transaction.ts";

export type { ReadTx, Tx } from "./transaction.ts";

/** Options of a database. A server uses the first one alone; the others are for other databases, tests and measurements. */
export interface DatabaseOptions {
  /** Whether another program may read the file while it is open, and write tables of its own. The database cannot be frozen then. */
  readonly shared?: boolean;
  /** The steps of its schema. Those of a server's database by default. */
  readonly migrations?: readonly Migration[];
  /** Reads the time. */
  readonly clock?: () => Date;
  /** FULL by default. */
  readonly synchronous?: "FULL" | "NORMAL";
  /** Whether all queued writes share one commit. True by default. */
  readonly groupCommit?: boolean;
  /** Most pages that the file may have. A test simulates a full disk with it. */
  readonly maxPages?: number;
  /** How many characters the caches of the log hold together. A test of what a server holds fills them with little. */
  readonly cachedCharacters?: number;
}

/** An open database. Reads run at once, writes in the order in which they came. */
export interface Db {
  /** Runs at once. It sees only what is committed, and nothing can change while it runs. */
  read<T>(work: (tx: ReadTx) => T): T;
  /** Queues work. Everything in the queue is committed together. Resolves once it is on disk. */
  write<T>(work: (tx: Tx) => T): Promise<T>;
  /** Adds a listener that is called after each commit with its signals, if it has any. */
  onCommit(listener: (signals: readonly Signal[]) => void): void;
  /** Which agents wait for messages. */
  readonly heldInboxes: HeldInboxes;
  /** Makes the file a complete copy of what is committed now, until it is thawed. `state` is what `read` returned then. */
  freeze<T>(read: (tx: ReadTx) => T): Frozen<T>;
  /** How many commits, writes in those commits, and reads there were, and how long the commits took. */
  readonly counters: { commits: number; writes: number; reads: number; commitTimes: Durations };
  /** Commits what is queued, folds the write-ahead log into the file, and closes the file. */
  close(): void;
}

interface Queued {
  work(tx: Tx): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** How many characters the caches of the log hold together unless said: some 8,000 messages of 200 characters. */
const usuallyCached = 8 * 1024 * 1024;

/**
 * Opens the file at `path` (or `:memory:`) and migrates it, for this process alone unless `shared` is set. There is one connection and one thread:
 * while a unit of work runs, nothing else does. Throws `DatabaseUnavailable` if the file cannot be opened.
 */
export function openDatabase(path: string, options: DatabaseOptions = {}): Db {
  const { clock = () => new Date(), synchronous = "FULL", groupCommit = true, maxPages } = options;
  const { sql, release } = options.shared
    ? openShared(path, synchronous)
    : { sql: openAlone(path, synchronous), release() {} };
  try {
    migrate(sql, path, undefined, options.migrations);
  } catch (error) {
    sql.close();
    release();
    throw isDamaged(error) ? unavailable(path, error as Error) : error;
  }
  if (maxPages) sql.run(`PRAGMA max_page_count = ${maxPages}`);

  const statement = createStatements(sql);
  const freezer = createFreezer(sql);
  const counters = { commits: 0, writes: 0, reads: 0, commitTimes: noDurations() };
  const listeners: ((signals: readonly Signal[]) => void)[] = [];
  let queue: Queued[] = [];
  let scheduled = false;
  let closed = false;
  /**
   * Whether a read is under way that has asked no table yet. Its first query begins its transaction, without which SQLite would
   * begin and end one for each query. What the caches answer needs none: nothing changes before the read is over.
   */
  let beforeBegin = false;

  const logCaches = createLogCaches(options.cachedCharacters ?? usuallyCached);
  const logCachesOfWrites = recallOnly(logCaches);
  const rowCaches = createRowCaches();
  const heads = createHeadCache();
  const heldInboxes = createHeldInboxes(clock);
  const get: ReadTx["get"] = (text, ...values) => reading(text).get(...values) as never;
  const all: ReadTx["all"] = (text, ...values) => reading(text).all(...values) as never;
  const each: ReadTx["each"] = (text, ...values) => reading(text).iterate(...values) as never;
  const reader = (logCaches: LogCaches): ReadTx => ({
    now: clock().toISOString(),
    logCaches,
    rowCache: rowCaches.caches.rows,
    caches: rowCaches.caches,
    heads,
    heldInboxes,
    get,
    all,
    each,
  });
  /** Refuses a statement that changes rows: the row cache only learns of changes made by run() and insert(). */
  function reading(text: string) {
    const { sql, table } = statement(text);
    if (beforeBegin) statement("BEGIN").sql.run();
    beforeBegin = false;
    if (table !== null) throw new TypeError(`A change goes through run() or insert(): ${text}`);
    return sql;
  }

  /**
   * Runs queued work from the front in one transaction, answers it, and returns the units that are left. A unit that fails
   * after it changed something spoils a transaction without savepoints. Then all units run again, each in a savepoint of
   * its own. No unit was answered before that, so no caller notices.
   */
  function commitTogether(units: Queued[], separately = false): Queued[] {
    const answers: (() => void)[] = [];
    const signals: Signal[] = [];
    const undos: (() => void)[] = [];
    const undoAll = () => {
      for (const takeBack of undos.reverse()) takeBack();
      rowCaches.afterTransaction();
      heads.clear();
    };
    let done = 0;
    try {
      statement("BEGIN IMMEDIATE").sql.run();
      const shared = reader(logCachesOfWrites);
      for (const unit of units) {
        done++;
        const outcome = runUnit(statement, { rowCaches, heads }, shared, unit.work, separately);
        if (outcome.ok) {
          answers.push(() => unit.resolve(outcome.value));
          signals.push(...outcome.signals);
          undos.push(...outcome.undos);
        } else if (!sql.inTransaction) throw outcome.error;
        else if (outcome.spoiled) {
          statement("ROLLBACK").sql.run();
          undoAll();
          return commitTogether(units, true);
        } else answers.push(() => unit.reject(outcome.error));
      }
      const began = performance.now();
      statement("COMMIT").sql.run();
      addDuration(counters.commitTimes, performance.now() - began);
      rowCaches.afterTransaction();
    } catch (error) {
      if (sql.inTransaction) statement("ROLLBACK").sql.run();
      undoAll();
      // If the transaction cannot even begin, its first unit fails, so that the queue always becomes empty.
      const failed = Math.max(done, 1);
      for (const unit of units.slice(0, failed)) unit.reject(error);
      return units.slice(failed);
    }
    counters.commits++;
    counters.writes += units.length;
    for (const answer of answers) answer();
    if (signals.length) for (const listen of listeners) listen(signals);
    return [];
  }

  /**
   * Commits a lone unit at once. Several wait for one more turn of the event loop: callers that were answered together come
   * again one after another, and would else fall into two halves that take turns, each with a sync of its own.
   */
  function gather(): void {
    if (queue.length > 1) setImmediate(drain);
    else drain();
  }

  function drain(): void {
    scheduled = false;
    let units = queue;
    queue = [];
    while (units.length) {
      const together = groupCommit ? units : units.slice(0, 1);
      const left = commitTogether(together);
      units = [...left, ...units.slice(together.length)];
    }
  }

  return {
    counters,
    heldInboxes,
    read(work) {
      counters.reads++;
      if (beforeBegin || sql.inTransaction) throw new Error("a read inside of a transaction");
      beforeBegin = true;
      try {
        return work(reader(logCaches));
      } finally {
        if (!beforeBegin) statement("COMMIT").sql.run();
        beforeBegin = false;
      }
    },
    write<T>(work: (tx: Tx) => T) {
      if (closed) return Promise.reject(new Error("the database is closed"));
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (!scheduled) {
        scheduled = true;
        setImmediate(gather);
      }
      return promise;
    },
    freeze(read) {
      if (options.shared) throw new Error("a database that others read cannot be frozen");
      return freezer.freeze(() => this.read(read));
    },
    onCommit: (listener) => void listeners.push(listener),
    close() {
      if (closed) return;
      drain();
      closed = true;
      try {
        statement.finalize();
        freezer.end();
      } finally {
        sql.close();
        release();
      }
    },
  };
}
