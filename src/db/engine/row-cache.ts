import { RowMap } from "./row-map.ts";
import type { Prepared } from "./statements.ts";

/** Values read from tables that are seldom written. A write to one of these tables clears the cache. */
export interface RowCache {
  /** Returns the value of a kind that is cached under a key, or reads it. A read that finds nothing is not cached. */
  get<T>(kind: string, key: string | number, read: () => T): T;
  /** Another number whenever what was cached has been let go: what was made of it holds while this is the same. */
  readonly version: number;
}

/** Tables that a message writes. */
const messageTables = new Set([
  "event",
  "message",
  "reply",
  "thread",
  "recipient",
  "awaited_reply",
  "role_target",
  "damped",
  "reaction",
  "read_position",
  "presence",
  "kept_answer",
  "delivery_queue",
  "agent_location",
  "machine_request",
  "agent_act",
  "attention_cause",
  "attention_mark",
  "search_text",
  "search_position",
  "search_task",
  "search_file",
]);
/** Tables that the work of agents writes all the time. */
const workTables = new Set([
  "agent_line",
  "task",
  "task_helper",
  "current_task",
  "message_task",
  "last_on_task",
  "task_count",
  "ask",
  "answer",
  "file",
  "file_version",
  "file_task",
  "file_approval",
  "file_posted",
]);

/** The caches of a database. */
export interface RowCaches {
  /** People, boards, members and credentials. */
  readonly rows: RowCache;
  /** What agents have to do. No message changes it. */
  readonly work: RowCache;
  /** What agents reported of their presence. */
  readonly presence: RowCache;
  /** What was read since anything was changed. */
  readonly sinceChange: RowCache;
}

/** Which tables each cache does not depend on. */
const ignored: { readonly [C in keyof RowCaches]: (table: string) => boolean } = {
  rows: (table) => messageTables.has(table) || workTables.has(table),
  work: (table) => messageTables.has(table),
  presence: (table) => table !== "presence",
  sinceChange: () => false,
};

/** The row caches with the calls that their database makes. */
export interface ManagedRowCaches {
  readonly caches: RowCaches;
  /** Called with each statement that is about to change something. */
  beforeChange(statement: Prepared): void;
  /** Called when a transaction has been committed or rolled back. */
  afterTransaction(): void;
}

/** Makes the empty row caches of a database. */
export function createRowCaches(): ManagedRowCaches {
  const made = {
    rows: createRowCache(40_000),
    work: createRowCache(20_000),
    presence: createRowCache(20_000),
    // A value may be a whole page.
    sinceChange: createRowCache(300),
  };
  const { rows, work, presence, sinceChange } = made;
  /** The caches that depend on each table; on none that is known, all of them. */
  const dependent = new Map<string | null, readonly ManagedRowCache[]>();
  const dependentOn = (table: string | null) => {
    let those = dependent.get(table);
    if (!those) {
      const names = Object.keys(made) as (keyof RowCaches)[];
      those = names
        .filter((name) => table === null || !ignored[name](table))
        .map((name) => made[name]);
      dependent.set(table, those);
    }
    return those;
  };
  return {
    caches: {
      rows: rows.cache,
      work: work.cache,
      presence: presence.cache,
      sinceChange: sinceChange.cache,
    },
    beforeChange({ table }) {
      for (const cache of dependentOn(table)) cache.beforeChange();
    },
    afterTransaction() {
      for (const cache of Object.values(made)) cache.afterTransaction();
    },
  };
}

/** A row cache with the calls that its database makes. */
interface ManagedRowCache {
  /** The cache for transactions. A transaction that has cleared it reads everything from the tables until it ends. */
  readonly cache: RowCache;
  /** Called when a table that it depends on is about to be changed. */
  beforeChange(): void;
  afterTransaction(): void;
}

/** Makes an empty cache, which is cleared when it holds so many values. */
function createRowCache(mostEntries: number): ManagedRowCache {
  const byName = new Map<string, Map<string, unknown>>();
  const byRow = new Map<string, RowMap<unknown>>();
  const knownOf = (kind: string, key: string | number): unknown =>
    typeof key === "number" ? byRow.get(kind)?.get(key) : byName.get(kind)?.get(key);
  const keep = (kind: string, key: string | number, value: unknown): void => {
    if (typeof key === "number") valuesOf(byRow, kind, () => new RowMap()).set(key, value);
    else valuesOf(byName, kind, () => new Map()).set(key, value);
  };
  let entries = 0;
  let version = 0;
  let changing = false;
  const clear = () => {
    byName.clear();
    byRow.clear();
    entries = 0;
    version++;
  };
  return {
    cache: {
      get<T>(kind: string, key: string | number, read: () => T): T {
        if (changing) return read();
        const known = knownOf(kind, key);
        if (known !== undefined) return known as T;
        const value = read();
        if (entries >= mostEntries) clear();
        if (value === null || value === undefined) return value;
        keep(kind, key, value);
        entries++;
        return value;
      },
      get version() {
        return version;
      },
    },
    beforeChange() {
      // A transaction that changes something keeps nothing more.
      if (changing) return;
      changing = true;
      clear();
    },
    afterTransaction() {
      changing = false;
    },
  };
}

/** The values of a kind, made at their first use. */
function valuesOf<V>(kinds: Map<string, V>, kind: string, make: () => V): V {
  let values = kinds.get(kind);
  if (values === undefined) kinds.set(kind, (values = make()));
  return values;
}
