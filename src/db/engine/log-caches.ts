/** What a value is kept under: a place of the log, or a number that no place is. */
type Key = number;

/** What was read and can never change, kept while there is room. */
export interface Memory {
  recall(key: Key): unknown;
  /** Keeps a value of about `size` characters, in place of one under the same key; the oldest give way. */
  keep(key: Key, value: unknown, size: number): void;
}

/** Makes a memory for values of at most `room` characters together. */
export function createMemory(room: number): Memory {
  const values = new Map<Key, { value: unknown; size: number }>();
  let taken = 0;
  return {
    recall: (key) => values.get(key)?.value,
    keep(key, value, size) {
      taken += size - (values.get(key)?.size ?? 0);
      values.delete(key);
      values.set(key, { value, size });
      for (const [oldest, { size: freed }] of values) {
        if (taken <= room) return;
        values.delete(oldest);
        taken -= freed;
      }
    },
  };
}

/** A memory that only recalls: what a write reads may be undone, and its place then be taken by something else. */
export const recallOnly = (memory: Memory): Memory => ({ ...memory, keep: () => {} });
