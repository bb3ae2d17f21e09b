/** A value of a JSON text with its place: the offsets where it begins and ends. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** The members of an object or the elements of an array, in their order. None for anything else. */
  readonly parts: readonly JsonPart[];
}

/** A member of an object, or an element of an array, which has no key. It begins at its key, and ends with its node. */
export interface JsonPart {
  readonly key: string | null;
  readonly start: number;
  readonly node: JsonNode;
}

/** A text is no JSON. The line and the column count from 1. */
export class NotJson extends Error {
  override readonly name = "NotJson";
  readonly line: number;
  readonly column: number;
  constructor(text: string, offset: number, expected: string) {
    super(offset >= text.length ? "it ends too early" : `${expected} is expected`);
    const before = text.slice(0, offset).split("\n");
    this.line = before.length;
    this.column = before.at(-1)!.length + 1;
  }
}

const blank = /[ \t\r\n]*/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const deepest = 200;

/** Reads a JSON text with the places of its values. Throws `NotJson`; comments are not JSON. */
export function jsonTree(text: string): JsonNode {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const matched = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found ?? null;
  };
  const fail = (expected: string): never => {
    throw new NotJson(text, at, expected);
  };
  const take = (mark: string): boolean => {
    matched(blank);
    if (!text.startsWith(mark, at)) return false;
    at += mark.length;
    return true;
  };
  const partsUntil = (close: string, part: () => JsonPart): JsonPart[] => {
    const parts: JsonPart[] = [];
    if (take(close)) return parts;
    do {
      matched(blank);
      parts.push(part());
    } while (take(","));
    if (!take(close)) fail(`\`,\` or \`${close}\``);
    return parts;
  };
  const member = (depth: number) => (): JsonPart => {
    const start = at;
    const key = matched(string) ?? fail("a name in double quotes");
    if (!take(":")) fail("`:`");
    return { key: JSON.parse(key) as string, start, node: node(depth) };
  };
  const element = (depth: number) => (): JsonPart => {
    const read = node(depth);
    return { key: null, start: read.start, node: read };
  };
  const node = (depth: number): JsonNode => {
    matched(blank);
    if (depth > deepest) fail("a value that is nested less deeply");
    const start = at;
    if (take("{")) {
      const parts = partsUntil("}", member(depth + 1));
      const value = Object.fromEntries(parts.map((part) => [part.key, part.node.value]));
      return { start, end: at, value, parts };
    }
    if (take("[")) {
      const parts = partsUntil("]", element(depth + 1));
      return { start, end: at, value: parts.map((part) => part.node.value), parts };
    }
    const word = matched(string) ?? matched(literal) ?? fail("a value");
    return { start, end: at, value: JSON.parse(word), parts: [] };
  };
  const root = node(0);
  matched(blank);
  if (at < text.length) fail("the end");
  return root;
}

/** The way to a value: names of members and numbers of elements. */
export type JsonWay = readonly (string | number)[];

/** The value at a place, or null. Of several members with one name the last one counts. */
export function nodeAt(root: JsonNode, way: JsonWay): JsonNode | null {
  let node: JsonNode | undefined = root;
  for (const step of way)
    node =
      typeof step === "number"
        ? node?.parts[step]?.node
        : node?.parts.findLast(({ key }) => key === step)?.node;
  return node ?? null;
}
