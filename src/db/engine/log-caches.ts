import type { EventData } from "../../contract/log.ts";

/** What was posted, and when: the event, where id, text and addressees live. */
export interface Posted {
  readonly at: string;
  readonly data: EventData<"message.posted">;
}

/** A message as it was rendered, with all that its text depends on besides what was posted. */
export interface Rendering {
  readonly text: string;
  /** What its sender is to the reader, and what a reader of this kind is shown of it. */
  readonly look: string;
  readonly replies: number;
  readonly lastReply: string | null;
  readonly answered: string | null | undefined;
}

/** How much happened on a board, as far as a reader may read. */
export interface Happened {
  readonly messages: number;
  readonly tasksClosed: number;
  /** Answers to asks, and withdrawals of asks. */
  readonly answers: number;
}

/** What was counted for a reader on a board, from a place on that no longer matters. */
interface Counted {
  readonly role: string | null;
  readonly readsAll: boolean;
  /** How far it was counted, and what happened up to there. */
  readonly upTo: number;
  readonly total: Happened;
  /** What happened up to each of some other places; the one asked for longest ago comes first. */
  readonly until: ReadonlyMap<number, Happened>;
}

/** What was read of committed events, which never change, kept while there is room. */
interface LogCache<T> {
  recall(key: number): T | undefined;
  /** Keeps a value of about `size` characters, in place of one under the same key. */
  keep(key: number, value: T, size: number): void;
}

/** What a database keeps of its logs. All of it shares one budget: whatever was kept first gives way. */
export interface LogCaches {
  /** Events of messages, by their places. */
  readonly posted: LogCache<Posted>;
  /** The renderings of a message for those to whom it looks different, by its place. */
  readonly rendered: LogCache<readonly Rendering[]>;
  /** What was counted for a reader, by the row of their member. */
  readonly counted: LogCache<Counted>;
}

interface Entry {
  readonly size: number;
  /** Takes the entry out of the cache that it is in. */
  forget(): void;
}

/** Makes caches for values of at most `budget` characters together. */
export function createLogCaches(budget: number): LogCaches {
  const oldestFirst = new Set<Entry>();
  let taken = 0;
  const drop = (entry: Entry) => {
    oldestFirst.delete(entry);
    entry.forget();
    taken -= entry.size;
  };
  function createCache<T>(): LogCache<T> {
    const values = new Map<number, Entry & { readonly value: T }>();
    return {
      recall: (key) => values.get(key)?.value,
      keep(key, value, size) {
        const before = values.get(key);
        if (before) drop(before);
        const entry = { value, size, forget: () => values.delete(key) };
        values.set(key, entry);
        oldestFirst.add(entry);
        taken += size;
        for (const oldest of oldestFirst) {
          if (taken <= budget) return;
          drop(oldest);
        }
      },
    };
  }
  return { posted: createCache(), rendered: createCache(), counted: createCache() };
}

/** The same caches for a write, which keeps nothing: what it reads may be undone, and its place be taken by something else. */
export function recallOnly({ posted, rendered, counted }: LogCaches): LogCaches {
  const keep = () => {};
  return {
    posted: { ...posted, keep },
    rendered: { ...rendered, keep },
    counted: { ...counted, keep },
  };
}
