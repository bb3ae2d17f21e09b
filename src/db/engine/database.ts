import type { SQLQueryBindings } from "bun:sqlite";
import { createHeldInboxes, type HeldInboxes } from "./held-inboxes.ts";
import { createLogCaches, recallOnly, type LogCaches } from "./log-caches.ts";
import { migrate, type Migration } from "./migrate.ts";
import { openAlone } from "./open-alone.ts";
import { createRowCache, type ManagedRowCache, type RowCache } from "./row-cache.ts";
import type { Signal } from "./signals.ts";
import { createStatements, type Statements } from "./statements.ts";

type Value = SQLQueryBindings;

/** A read transaction: the clock, queries, and caches of what was read before. */
export interface ReadTx {
  /** The clock, read once inside the transaction: UTC with exactly three fraction digits. */
  readonly now: string;
  /** The first row, or null. */
  get<Row>(sql: string, ...values: Value[]): Row | null;
  all<Row>(sql: string, ...values: Value[]): Row[];
  /**
   * The rows one by one, each read when it is asked for. `return()` ends it, as does leaving a loop over it. Until then the
   * same statement cannot be run again.
   */
  each<Row>(sql: string, ...values: Value[]): IterableIterator<Row>;
  /** Values computed from the log by earlier reads. They stay valid, since committed events never change. */
  readonly logCaches: LogCaches;
  /** Rows of people, boards, members and credentials from earlier reads. They seldom change. */
  readonly rowCache: RowCache;
  /** Which agents wait for messages. */
  readonly heldInboxes: Pick<HeldInboxes, "of" | "lastHeld">;
}

/** A write transaction. It commits whole or not at all. */
export interface Tx extends ReadTx {
  /** Changes rows and returns how many. */
  run(sql: string, ...values: Value[]): number;
  /** Inserts one row and returns its row number. */
  insert(sql: string, ...values: Value[]): number;
  /** Sends a signal to listeners after the commit. They get none if there is no commit. */
  signal(signal: Signal): void;
  /** Registers what takes back a change in memory. It runs if what this unit has written is undone. */
  onUndo(takeBack: () => void): void;
  /** Runs a part of the work. If it throws, everything that this unit has written is undone, and the error is thrown on. */
  attempt<T>(part: () => T): T;
}

/** Options of a database that is not a server's, and for tests and measurements. A server uses none of them. */
export interface DatabaseOptions {
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
  /** How many commits, writes in those commits, and reads there were. */
  readonly counters: { commits: number; writes: number; reads: number };
  /** Commits what is queued, folds the write-ahead log into the file, and closes the file. */
  close(): void;
}

interface Queued {
  work(tx: Tx): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** How many characters the caches of the log hold together: some 8,000 messages of 200 characters. */
const cachedCharacters = 8 * 1024 * 1024;

/**
 * Opens the file at `path` (or `:memory:`) for this process alone and migrates it. There is one connection and one thread:
 * while a unit of work runs, nothing else does. Throws `DatabaseUnavailable` if the file cannot be opened.
 */
export function openDatabase(path: string, options: DatabaseOptions = {}): Db {
  const { clock = () => new Date(), synchronous = "FULL", groupCommit = true, maxPages } = options;
  const sql = openAlone(path, synchronous);
  migrate(sql, path, undefined, options.migrations);
  if (maxPages) sql.run(`PRAGMA max_page_count = ${maxPages}`);

  const statement = createStatements(sql);
  const counters = { commits: 0, writes: 0, reads: 0 };
  const listeners: ((signals: readonly Signal[]) => void)[] = [];
  let queue: Queued[] = [];
  let scheduled = false;
  let closed = false;

  const logCaches = createLogCaches(cachedCharacters);
  const logCachesOfWrites = recallOnly(logCaches);
  const rowCache = createRowCache();
  const heldInboxes = createHeldInboxes(clock);
  const get: ReadTx["get"] = (text, ...values) => reading(text).get(...values) as never;
  const all: ReadTx["all"] = (text, ...values) => reading(text).all(...values) as never;
  const each: ReadTx["each"] = (text, ...values) => reading(text).iterate(...values) as never;
  const reader = (logCaches: LogCaches): ReadTx => ({
    now: clock().toISOString(),
    logCaches,
    rowCache: rowCache.rows,
    heldInboxes,
    get,
    all,
    each,
  });
  /** Refuses a statement that changes rows: the row cache only learns of changes made by run() and insert(). */
  function reading(text: string) {
    const { sql, table } = statement(text);
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
      rowCache.afterTransaction();
    };
    let done = 0;
    try {
      statement("BEGIN IMMEDIATE").sql.run();
      const shared = reader(logCachesOfWrites);
      for (const unit of units) {
        done++;
        const outcome = runUnit(statement, rowCache, shared, unit.work, separately);
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
      statement("COMMIT").sql.run();
      rowCache.afterTransaction();
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
      // Without a transaction SQLite would begin and end one for each query.
      statement("BEGIN").sql.run();
      try {
        return work(reader(logCaches));
      } finally {
        statement("COMMIT").sql.run();
      }
    },
    write<T>(work: (tx: Tx) => T) {
      if (closed) return Promise.reject(new Error("the database is closed"));
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (!scheduled) {
        scheduled = true;
        setImmediate(drain);
      }
      return promise;
    },
    onCommit: (listener) => void listeners.push(listener),
    close() {
      if (closed) return;
      drain();
      closed = true;
      statement.finalize();
      sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
      sql.close();
    },
  };
}

type Outcome =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly signals: Signal[];
      readonly undos: (() => void)[];
    }
  /** Spoiled: its changes are still there, and only a rollback of the whole transaction removes them. */
  | { readonly ok: false; readonly error: unknown; readonly spoiled: boolean };

/** Runs one unit of work. With `separately`, its first change opens a savepoint for it. */
function runUnit(
  statement: Statements,
  rowCache: ManagedRowCache,
  reader: ReadTx,
  work: (tx: Tx) => unknown,
  separately: boolean,
): Outcome {
  let signals: Signal[] = [];
  let undos: (() => void)[] = [];
  let changed = false;
  let spoiled = false;
  const change = (text: string, values: Value[]) => {
    if (!changed && separately) statement("SAVEPOINT unit").sql.run();
    changed = true;
    const changing = statement(text);
    rowCache.beforeChange(changing);
    return changing.sql.run(...values);
  };
  const undo = () => {
    signals = [];
    for (const takeBack of undos.reverse()) takeBack();
    undos = [];
    if (!changed) return;
    if (!separately) {
      spoiled = true;
      return;
    }
    statement("ROLLBACK TO unit").sql.run();
    statement("RELEASE unit").sql.run();
    changed = false;
  };
  const tx: Tx = {
    ...reader,
    run: (text, ...values) => change(text, values).changes,
    insert: (text, ...values) => Number(change(text, values).lastInsertRowid),
    signal: (signal) => void signals.push(signal),
    onUndo: (takeBack) => void undos.push(takeBack),
    attempt(part) {
      try {
        return part();
      } catch (error) {
        undo();
        throw error;
      }
    },
  };
  try {
    const value = work(tx);
    if (value instanceof Promise)
      throw new TypeError("A unit of work must not be async: it would commit before it ends.");
    if (changed && separately) statement("RELEASE unit").sql.run();
    if (!spoiled) return { ok: true, value, signals, undos };
    undo();
    return { ok: false, error: undefined, spoiled };
  } catch (error) {
    undo();
    return { ok: false, error, spoiled };
  }
}
