import type { Prepared } from "./statements.ts";

/** Rows read from tables that are seldom written. A write to one of these tables clears the cache. */
export interface RowCache {
  /** Returns the value of a kind that is cached under a key, or reads it. A read that finds nothing is not cached. */
  get<T>(kind: string, key: string | number, read: () => T): T;
}

/** Tables that are written all the time. No cached value depends on them, and a write to one of them clears nothing. */
const volatileTables = new Set([
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
  "agent_line",
  "kept_answer",
  "delivery_queue",
  "agent_location",
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
  "machine_request",
  "agent_act",
  "attention_cause",
  "attention_mark",
  "search_text",
  "search_position",
  "search_task",
  "search_file",
]);

/** The cache is cleared when it holds this many values. */
const maxEntries = 20_000;

/** Whether a statement may change rows that are cached. If its table is not known, it may. */
const invalidates = ({ table }: Prepared): boolean => table === null || !volatileTables.has(table);

/** A row cache with the calls that its database makes. */
export interface ManagedRowCache {
  /** The cache for transactions. A transaction that has cleared it reads everything from the tables until it ends. */
  readonly rows: RowCache;
  /** Called with each statement that is about to change something. */
  beforeChange(statement: Prepared): void;
  /** Called when a transaction has been committed or rolled back. */
  afterTransaction(): void;
}

/** Makes an empty row cache. */
export function createRowCache(): ManagedRowCache {
  const kinds = new Map<string, Map<string | number, unknown>>();
  let entries = 0;
  let changing = false;
  const clear = () => {
    kinds.clear();
    entries = 0;
  };
  return {
    rows: {
      get<T>(kind: string, key: string | number, read: () => T): T {
        if (changing) return read();
        const known = kinds.get(kind)?.get(key);
        if (known !== undefined) return known as T;
        const value = read();
        if (entries >= maxEntries) clear();
        if (value === null || value === undefined) return value;
        let values = kinds.get(kind);
        if (!values) kinds.set(kind, (values = new Map()));
        values.set(key, value);
        entries++;
        return value;
      },
    },
    beforeChange(statement) {
      if (!invalidates(statement)) return;
      changing = true;
      clear();
    },
    afterTransaction() {
      changing = false;
    },
  };
}
