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

/** Which tables each cache does not depend on, and how many values it holds before it is cleared. */
const ignored: { readonly [C in keyof RowCaches]: (table: string) => boolean } = {
  rows: (table) => messageTables.has(table) || workTables.has(table),
  work: (table) => messageTables.has(table),
  presence: (table) => table !== "presence",
  sinceChange: () => false,
};
const mostEntries = { rows: 20_000, work: 20_000, presence: 20_000, sinceChange: 300 };

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
    rows: createRowCache("rows"),
    work: createRowCache("work"),
    presence: createRowCache("presence"),
    sinceChange: createRowCache("sinceChange"),
  };
  const all = Object.values(made);
  const { rows, work, presence, sinceChange } = made;
  return {
    caches: {
      rows: rows.cache,
      work: work.cache,
      presence: presence.cache,
      sinceChange: sinceChange.cache,
    },
    beforeChange({ table }) {
      for (const one of all) one.beforeChange(table);
    },
    afterTransaction() {
      for (const one of all) one.afterTransaction();
    },
  };
}

/** A row cache with the calls that its database makes. */
interface ManagedRowCache {
  /** The cache for transactions. A transaction that has cleared it reads everything from the tables until it ends. */
  readonly cache: RowCache;
  /** Called when a table is about to be changed; null if it may be any. */
  beforeChange(table: string | null): void;
  afterTransaction(): void;
}

function createRowCache(name: keyof RowCaches): ManagedRowCache {
  const kinds = new Map<string, Map<string | number, unknown>>();
  let entries = 0;
  let version = 0;
  let changing = false;
  const clear = () => {
    kinds.clear();
    entries = 0;
    version++;
  };
  return {
    cache: {
      get<T>(kind: string, key: string | number, read: () => T): T {
        if (changing) return read();
        const known = kinds.get(kind)?.get(key);
        if (known !== undefined) return known as T;
        const value = read();
        if (entries >= mostEntries[name]) clear();
        if (value === null || value === undefined) return value;
        let values = kinds.get(kind);
        if (!values) kinds.set(kind, (values = new Map()));
        values.set(key, value);
        entries++;
        return value;
      },
      get version() {
        return version;
      },
    },
    beforeChange(table) {
      if (table !== null && ignored[name](table)) return;
      changing = true;
      clear();
    },
    afterTransaction() {
      changing = false;
    },
  };
}
