/** What was read and can never change, kept while there is room. */
export interface Memory {
  recall(place: number): unknown;
  /** Keeps a value of about `size` characters; the oldest give way. */
  keep(place: number, value: unknown, size: number): void;
}

/** Makes a memory for values of at most `room` characters together. */
export function createMemory(room: number): Memory {
  const values = new Map<number, { value: unknown; size: number }>();
  let taken = 0;
  return {
    recall: (place) => values.get(place)?.value,
    keep(place, value, size) {
      if (values.has(place)) return;
      values.set(place, { value, size });
      taken += size;
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
