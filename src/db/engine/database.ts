import type { SQLQueryBindings } from "bun:sqlite";
import { createLogCaches, recallOnly, type LogCaches } from "./log-caches.ts";
import { migrate } from "./migrate.ts";
import { openAlone } from "./open-alone.ts";
import { createRowCache, type ManagedRowCache, type RowCache } from "./row-cache.ts";
import type { Signal } from "./signals.ts";
import { createStatements, type Statements } from "./statements.ts";

type Value = SQLQueryBindings;

/** What a read is given: the clock, and queries. */
export interface ReadTx {
  /** The clock, read once inside the transaction: UTC with exactly three fraction digits. */
  readonly now: string;
  /** The first row, or null. */
  get<Row>(sql: string, ...values: Value[]): Row | null;
  all<Row>(sql: string, ...values: Value[]): Row[];
  /**
   * The rows one by one, each read when it is asked for; `return()` ends it, as does leaving a loop over it. Until it has
   * ended the same statement cannot be run otherwise.
   */
  each<Row>(sql: string, ...values: Value[]): IterableIterator<Row>;
  /** What earlier reads of the log left: committed events never change. */
  readonly logCaches: LogCaches;
  /** What earlier reads left of people, boards, members and credentials, which seldom change. */
  readonly rowCache: RowCache;
}

/** What a write is given besides. It commits whole or not at all. */
export interface Tx extends ReadTx {
  /** Changes rows; gives how many. */
  run(sql: string, ...values: Value[]): number;
  /** Inserts one row; gives its row number. */
  insert(sql: string, ...values: Value[]): number;
  /** Tells listeners once this is committed, and never if it is not. */
  signal(signal: Signal): void;
  /** Runs a part of the work. If it throws, everything written so far is undone and the error goes on. */
  attempt<T>(part: () => T): T;
}

/** What tests and measurements change about a database. A server leaves it all out. */
export interface DatabaseOptions {
  /** Reads the time. */
  readonly clock?: () => Date;
  /** FULL unless a measurement asks otherwise. */
  readonly synchronous?: "FULL" | "NORMAL";
  /** One commit for all queued writes; a measurement may turn it off. */
  readonly groupCommit?: boolean;
  /** Most pages the file may have: how a test makes a disk full. */
  readonly maxPages?: number;
}

/** An open database: reads at once, writes in the order in which they came. */
export interface Db {
  /** Runs at once. It sees only what is committed, and nothing can change while it runs. */
  read<T>(work: (tx: ReadTx) => T): T;
  /** Queues work; everything queued is committed together. Answers once it is on disk. */
  write<T>(work: (tx: Tx) => T): Promise<T>;
  /** Called after each commit with what it signalled. */
  onCommit(listener: (signals: readonly Signal[]) => void): void;
  /** How many commits there were, how many writes they held, and how many reads there were besides. */
  readonly counters: { commits: number; writes: number; reads: number };
  /** Commits what is queued, folds the write-ahead log into the file and closes it. */
  close(): void;
}

interface Queued {
  work(tx: Tx): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** How much of what was posted is kept at hand, in characters: some 8,000 messages of 200 characters. */
const cachedCharacters = 8 * 1024 * 1024;

/**
 * Opens the file at `path` (or `:memory:`) for this process alone, migrates it, and gives the one way to read and
 * write it. One connection, one thread: while a unit of work runs, nothing else does.
 */
export function openDatabase(path: string, options: DatabaseOptions = {}): Db {
  const { clock = () => new Date(), synchronous = "FULL", groupCommit = true, maxPages } = options;
  const sql = openAlone(path, synchronous);
  migrate(sql, path);
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
  const get: ReadTx["get"] = (text, ...values) => reading(text).get(...values) as never;
  const all: ReadTx["all"] = (text, ...values) => reading(text).all(...values) as never;
  const each: ReadTx["each"] = (text, ...values) => reading(text).iterate(...values) as never;
  const reader = (logCaches: LogCaches): ReadTx => ({
    now: clock().toISOString(),
    logCaches,
    rowCache: rowCache.rows,
    get,
    all,
    each,
  });
  /** The row cache hears of changes from run() and insert() alone. */
  function reading(text: string) {
    const { sql, table } = statement(text);
    if (table !== null) throw new TypeError(`A change goes through run() or insert(): ${text}`);
    return sql;
  }

  /**
   * Runs queued work from the front in one transaction, answers it, and gives what is left. A unit that fails after it
   * changed something spoils a transaction without savepoints: then the same work is run again, each unit in one of its
   * own. Nothing was answered yet, so nobody can tell.
   */
  function commitTogether(units: Queued[], separately = false): Queued[] {
    const answers: (() => void)[] = [];
    const signals: Signal[] = [];
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
        } else if (!sql.inTransaction) throw outcome.error;
        else if (outcome.spoiled) {
          statement("ROLLBACK").sql.run();
          rowCache.afterTransaction();
          return commitTogether(units, true);
        } else answers.push(() => unit.reject(outcome.error));
      }
      statement("COMMIT").sql.run();
      rowCache.afterTransaction();
    } catch (error) {
      if (sql.inTransaction) statement("ROLLBACK").sql.run();
      rowCache.afterTransaction();
      // A transaction that cannot even begin fails its first unit, so that a queue always comes to its end.
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
    read(work) {
      counters.reads++;
      // Inside a transaction each query is spared taking and leaving the file's state for itself.
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
  | { readonly ok: true; readonly value: unknown; readonly signals: Signal[] }
  /** Spoiled: what it changed is still there, and goes only with the whole transaction. */
  | { readonly ok: false; readonly error: unknown; readonly spoiled: boolean };

/** Runs one unit of work; separately, in a savepoint of its own, which is opened by its first change. */
function runUnit(
  statement: Statements,
  rowCache: ManagedRowCache,
  reader: ReadTx,
  work: (tx: Tx) => unknown,
  separately: boolean,
): Outcome {
  let signals: Signal[] = [];
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
    return spoiled ? { ok: false, error: undefined, spoiled } : { ok: true, value, signals };
  } catch (error) {
    undo();
    return { ok: false, error, spoiled };
  }
}
