/**
 * Canonical JSON (RFC 8785): the text whose bytes are hashed. Keys are sorted by UTF-16 code units, there is no white
 * space, and null is kept. Refuses what the log never holds: fractions, numbers past 2^53, lone surrogates, undefined.
 */
export function canonical(value: unknown): string {
  const inOrder = ordered(value);
  return inOrder === unordered ? written(value) : JSON.stringify(inOrder);
}

/** Stands for a value with keys that no object keeps in canonical order. */
const unordered = Symbol();

type Members = Readonly<Record<string, unknown>>;

/**
 * A value whose objects have their keys in canonical order, so that one call of `JSON.stringify` writes it: the value itself where
 * its keys are sorted already. Else `unordered`.
 */
function ordered(value: unknown): unknown {
  if (isLeaf(value)) return value;
  return Array.isArray(value) ? orderedList(value) : orderedObject(value as Members);
}

/** Whether a value has no parts. Refuses one that cannot be hashed. */
function isLeaf(value: unknown): boolean {
  if (value === null || typeof value === "boolean") return true;
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new TypeError("a lone surrogate cannot be hashed");
    return true;
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} cannot be hashed`);
    return true;
  }
  if (typeof value !== "object") throw new TypeError(`${typeof value} cannot be hashed`);
  return false;
}

function orderedList(list: readonly unknown[]): unknown {
  let copy: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const part = ordered(list[i]);
    if (part === unordered) return unordered;
    if (part !== list[i]) copy ??= list.slice();
    if (copy) copy[i] = part;
  }
  return copy ?? list;
}

function orderedObject(members: Members): unknown {
  const given = Object.keys(members);
  const keys = sorted(given);
  let copy: Record<string, unknown> | null = keys === given ? null : {};
  if (copy && !areKept(keys)) return unordered;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const part = members[key];
    if (part === undefined) continue;
    const inOrder = ordered(part);
    if (inOrder === unordered) return unordered;
    if (copy === null && inOrder !== part) {
      if (!areKept(keys)) return unordered;
      copy = {};
      for (let before = 0; before < i; before++) copy[keys[before]!] = members[keys[before]!];
    }
    if (copy) copy[key] = inOrder;
  }
  return copy ?? members;
}

/** Lists of sorted keys that were seen before, by the keys in the order in which an object had them. */
const known = new Map<string, readonly string[]>();
const mostKnown = 1000;

/** Keys in canonical order: themselves if they are in it. Most other objects have the keys of one before them. */
function sorted(keys: readonly string[]): readonly string[] {
  if (areSorted(keys)) return keys;
  const name = keys.join("\n");
  const before = known.get(name);
  // No key of a known object has a line break, so as many keys with the same name are the same keys.
  if (before && before.length === keys.length) return before;
  const inOrder = keys.toSorted();
  if (!keys.every((key) => /^\w{1,40}$/.test(key))) return inOrder;
  if (known.size >= mostKnown) known.clear();
  known.set(name, inOrder);
  return inOrder;
}

function areSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! >= keys[i]!) return false;
  return true;
}

/** Whether an object keeps keys in the order in which it gets them: numbers come first in each, and `__proto__` is no property. */
function areKept(keys: readonly string[]): boolean {
  for (const key of keys) {
    const first = key.charCodeAt(0);
    if ((first >= 48 && first <= 57) || key === "__proto__") return false;
  }
  return true;
}

/** The canonical text, written key by key. */
function written(value: unknown): string {
  if (isLeaf(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  const members = sorted(Object.keys(value as Members))
    .filter((key) => (value as Members)[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${written((value as Members)[key])}`);
  return `{${members.join(",")}}`;
}
