import type { SQLQueryBindings } from "bun:sqlite";
import type { HeadCache } from "./head-cache.ts";
import type { HeldInboxes } from "./held-inboxes.ts";
import type { LogCaches } from "./log-caches.ts";
import type { RowCache, RowCaches } from "./row-cache.ts";
import type { Signal } from "./signals.ts";

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
  /** Other values from earlier reads, each until what it depends on is changed. */
  readonly caches: RowCaches;
  /** The last events of boards' logs, from earlier reads and appends. */
  readonly heads: HeadCache;
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
