import type { Prepared } from "./statements.ts";

/** The last event of a board's log. Its place and its hash, in lowercase hex. */
export interface LastEvent {
  readonly place: number;
  readonly hash: string;
}

/** The last events of boards' logs, by the rows of the boards. */
export interface HeadCache {
  /** Returns the last event of a board's log that is cached, or reads it. That a log has none is not cached. */
  get(boardRow: number, read: () => LastEvent | null): LastEvent | null;
  /** Stores the last event of a board's log, which was just appended. */
  moved(boardRow: number, last: LastEvent): void;
}

/** A cache of heads with the calls that its database makes. */
export interface ManagedHeadCache extends HeadCache {
  /** Called with each statement that is about to change something. */
  beforeChange(statement: Prepared): void;
  /** Called when anything that was written has been undone, or is about to be. */
  clear(): void;
}

/** The cache is cleared when it holds this many heads. */
const maxEntries = 10_000;

/** Makes an empty cache of heads. */
export function createHeadCache(): ManagedHeadCache {
  const heads = new Map<number, LastEvent>();
  const keep = (boardRow: number, last: LastEvent) => {
    if (heads.size >= maxEntries) heads.clear();
    heads.set(boardRow, last);
  };
  return {
    get(boardRow, read) {
      const known = heads.get(boardRow);
      if (known) return known;
      const last = read();
      if (last) keep(boardRow, last);
      return last;
    },
    moved: keep,
    beforeChange({ table, inserts }) {
      // Events are inserted by append() alone, which moves the head of its board. Anything else may change any log.
      if (table === null || (table === "event" && !inserts)) heads.clear();
    },
    clear: () => heads.clear(),
  };
}
