/**
 * Canonical JSON (RFC 8785): the text whose bytes are hashed. Keys are sorted by UTF-16 code units, there is no white
 * space, and null is kept. Refuses what the log never holds: fractions, numbers past 2^53, lone surrogates, undefined.
 */
export function canonical(value: unknown): string {
  // What is hashed most is made with its keys in order, and then one call writes all of it.
  if (isInOrder(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  let text = "";
  for (const { key, start } of membersOf(Object.keys(value as Members))) {
    const part = (value as Members)[key];
    if (part !== undefined) text += `${text && ","}${start}${canonical(part)}`;
  }
  return `{${text}}`;
}

type Members = Readonly<Record<string, unknown>>;

/** Whether the keys of a value, and those of its parts, are sorted already. Refuses what cannot be hashed. */
function isInOrder(value: unknown): boolean {
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
  if (Array.isArray(value)) {
    for (const part of value) if (!isInOrder(part)) return false;
    return true;
  }
  let before = "";
  for (const key of Object.keys(value)) {
    const part = (value as Members)[key];
    if (key < before || (part !== undefined && !isInOrder(part))) return false;
    before = key;
  }
  return true;
}

/** A key of an object, and how its member begins in the text: the key in quotes, and a colon. */
interface Member {
  readonly key: string;
  readonly start: string;
}

/** The sorted members of objects that were written before, by the keys in the order in which an object had them. */
const known = new Map<string, readonly Member[]>();
const mostKnown = 1000;

/** The members of an object in their canonical order. Most objects have the keys of one before them. */
function membersOf(keys: string[]): readonly Member[] {
  const name = keys.join("\n");
  const before = known.get(name);
  // No key of a known object has a line break, so as many keys with the same name are the same keys.
  if (before && before.length === keys.length) return before;
  const members = keys.sort().map((key) => ({ key, start: `${JSON.stringify(key)}:` }));
  if (!keys.every((key) => /^\w{1,40}$/.test(key))) return members;
  if (known.size >= mostKnown) known.clear();
  known.set(name, members);
  return members;
}
