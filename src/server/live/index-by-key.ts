/** Values by key. */
export interface Index<K, T> {
  /** The values of a key now: those that come and go while it is read are in it or not. */
  at(key: K): Iterable<T>;
  has(key: K): boolean;
  putIn(key: K, value: T): void;
  takeOut(key: K, value: T): void;
}

/** Makes an empty index. Most keys have one value, which needs no set. */
export function createIndex<K, T extends object>(): Index<K, T> {
  const held = new Map<K, T | Set<T>>();
  return {
    at(key) {
      const here = held.get(key);
      return here instanceof Set ? here : here ? [here] : [];
    },
    has: (key) => held.has(key),
    putIn(key, value) {
      const here = held.get(key);
      if (here instanceof Set) here.add(value);
      else held.set(key, here && here !== value ? new Set([here, value]) : value);
    },
    takeOut(key, value) {
      const here = held.get(key);
      if (here instanceof Set) here.delete(value);
      if (here === value || (here instanceof Set && here.size === 0)) held.delete(key);
    },
  };
}
