import type { EventData } from "../../contract/log.ts";

/** The data of a `message.posted` event, and when it happened. */
export interface Posted {
  readonly at: string;
  readonly data: EventData<"message.posted">;
}

/** A rendered message, with everything that its text depends on besides its event. */
export interface Rendering {
  readonly text: string;
  /** A key for how the sender looks to this kind of reader and what that reader is shown. */
  readonly look: string;
  readonly replies: number;
  readonly lastReply: string | null;
  readonly answered: string | null | undefined;
}

/** How much happened on a board, counting only what a reader may read. */
export interface Happened {
  readonly messages: number;
  readonly tasksClosed: number;
  /** Answers to asks, and withdrawals of asks. */
  readonly answers: number;
}

/** Counts for a reader of a board. Differences between them are meaningful; where counting began is not. */
interface Counted {
  readonly role: string | null;
  readonly readsAll: boolean;
  /** The place up to which it was counted. `total` is the count up to there. */
  readonly upTo: number;
  readonly total: Happened;
  /** The counts up to some other places. The one asked for longest ago comes first. */
  readonly until: ReadonlyMap<number, Happened>;
}

/** A cache of values read from committed events, which never change. */
interface LogCache<T> {
  recall(key: number): T | undefined;
  /** Stores a value of about `size` characters. It replaces the value under the same key. */
  keep(key: number, value: T, size: number): void;
}

/** The caches of a database's logs. They share one budget; the oldest entry is dropped first. */
export interface LogCaches {
  /** Events of messages, by their places. */
  readonly posted: LogCache<Posted>;
  /** The renderings of a message for different kinds of readers, by its place. */
  readonly rendered: LogCache<readonly Rendering[]>;
  /** The counts for a reader, by the row of their member. */
  readonly counted: LogCache<Counted>;
}

interface Entry {
  readonly size: number;
  /** Removes the entry from its cache. */
  forget(): void;
}

/** Makes empty caches for values of at most `budget` characters together. */
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

/** These caches for a write, which stores nothing in them: an event that it reads may be undone and another take its place. */
export function recallOnly({ posted, rendered, counted }: LogCaches): LogCaches {
  const keep = () => {};
  return {
    posted: { ...posted, keep },
    rendered: { ...rendered, keep },
    counted: { ...counted, keep },
  };
}
