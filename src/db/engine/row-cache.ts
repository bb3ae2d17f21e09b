/** What was read of tables that seldom change, kept until one of them does. */
export interface Settled {
  /** The value kept under a key, else the one read now. A reading that finds nothing is not kept. */
  get<T>(key: string, read: () => T): T;
}

/** Tables that change all the time. What is kept may not depend on them; a change of any other table lets all of it go. */
const restless = new Set([
  ...["event", "message", "reply", "thread", "recipient", "awaited_reply", "role_target"],
  ...["reaction", "read_position", "presence", "agent_line", "kept_answer"],
  ...["delivery_queue", "agent_location"],
  ...["task", "task_helper", "current_task", "message_task", "last_on_task"],
  ...["task_count"],
  ...["ask", "answer"],
  ...["file", "file_version", "file_task", "file_approval", "file_posted"],
  ...["machine_request", "search_text", "search_position", "search_task", "search_file"],
]);

/** Most values that are kept. */
const room = 20_000;

/** What a database keeps, and what its writes do to it. */
export interface Keeper {
  /** For a transaction: keeps nothing once it has changed what is kept. */
  readonly settled: Settled;
  /** Looks at a statement that is about to change something. */
  beforeChange(sql: string): void;
  /** A transaction has ended, one way or the other. */
  afterTransaction(): void;
}

/** Makes a keeper that has nothing yet. */
export function createKeeper(): Keeper {
  const values = new Map<string, unknown>();
  const unsettling = new Map<string, boolean>();
  let changing = false;
  return {
    settled: {
      get<T>(key: string, read: () => T): T {
        if (changing) return read();
        const known = values.get(key);
        if (known !== undefined) return known as T;
        const value = read();
        if (values.size >= room) values.clear();
        if (value !== null && value !== undefined) values.set(key, value);
        return value;
      },
    },
    beforeChange(sql) {
      let unsettles = unsettling.get(sql);
      if (unsettles === undefined) unsettling.set(sql, (unsettles = !restless.has(tableOf(sql))));
      if (!unsettles) return;
      changing = true;
      values.clear();
    },
    afterTransaction() {
      changing = false;
    },
  };
}

/** The table that a statement changes; empty when it is of no known form, which counts as any. */
const tableOf = (sql: string): string =>
  /^(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)?.[1] ?? "";
