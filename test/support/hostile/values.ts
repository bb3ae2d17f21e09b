import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import fc from "fast-check";
import {
  boardNameForm,
  boardSelectorForm,
  fileNameForm,
  handleForm,
  memberNameForm,
  roleNameForm,
  taskSelectorForm,
} from "../../../src/contract/forms.ts";
import { ShortCode } from "../../../src/contract/scalars.ts";
import type { Draw } from "./draw.ts";
import type { Scene, Word } from "./parties.ts";

/** Texts that are no harm, and that programs stumble over. */
export const oddTexts: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "null",
  "undefined",
  "NaN",
  "true",
  "-1",
  "0",
  "1e309",
  "0x10",
  "[]",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "prototype",
  "$ne",
  "{{7*7}}",
  "' OR 1=1 --",
  '"; DROP TABLE event; --',
  "%00",
  "%",
  "%s%n",
  "${x}",
  "../../etc/passwd",
  "\u202e",
  "\u2028",
  "\ufeff",
  "\ufffd",
  "é",
  "e\u0301",
  "İ",
  "ß",
  "👩‍👩‍👧‍👦",
  "\u{10ffff}",
  "a\r\nX: y",
  "\ud800",
  "\udc00x",
  "<script>alert(1)</script>",
  "@all",
  "@here @writer",
  "#1 #2",
  "a".repeat(41),
  "x".repeat(201),
  "x".repeat(8001),
  "é".repeat(32_769),
  "\t\n\v\f",
  "😀".repeat(81),
  "2026-13-45T99:99:99Z",
  "9999-12-31T23:59:59Z",
  "0000-01-01T00:00:00-23:59",
  "2027-01-01T00:00:00Z",
  '"',
  '""',
  '"a b"',
  "a OR b",
  "(",
  "a*",
  "NEAR(a b)",
  "^a",
  "a:b",
  '"a" -"b"',
  "-",
  "+",
  "tag:x",
];
const oddNumbers: readonly number[] = [
  0,
  -0,
  1,
  -1,
  2,
  8,
  50,
  200,
  201,
  0.5,
  1e21,
  1e308,
  -1e308,
  5e-324,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
];

const wordsOf = new Map<string, Word>([
  [boardNameForm, "board"],
  [boardSelectorForm, "board"],
  [handleForm, "handle"],
  [memberNameForm, "member"],
  [fileNameForm, "file"],
  [roleNameForm, "role"],
  [taskSelectorForm, "task"],
  [(ShortCode as TSchema)["pattern"] as string, "code"],
]);

/** What fields of these names hold, whose schema does not say it. */
const wordsOfField: Readonly<Record<string, Word>> = {
  file: "file",
  path: "file",
  code: "code",
  invite: "code",
  secret: "code",
  item: "item",
  token: "secret",
  key: "secret",
  member: "member",
  handle: "handle",
  board: "board",
};

const samples = new Map<string, readonly string[]>();
/** Texts of a form. */
function fitting(pattern: string): readonly string[] {
  let found = samples.get(pattern);
  if (!found) {
    const texts = fc.stringMatching(new RegExp(pattern));
    samples.set(pattern, (found = fc.sample(texts, { numRuns: 20, seed: 1 })));
  }
  return found;
}

/** A value that a schema takes, or hardly: what it names is there as a rule. */
export function valueOf(schema: TSchema, draw: Draw, scene: Scene, field = ""): unknown {
  if (draw.chance(0.02)) return oddValue(draw, 0);
  if (schema["anyOf"]) return valueOf(draw.pick(schema["anyOf"] as TSchema[]), draw, scene, field);
  if (schema[Kind] === "OneOf") return draw.pick(schema["enum"] as string[]);
  if ("const" in schema) return schema["const"];
  const type: unknown = schema["type"];
  if (type === "string") return textOf(schema, draw, scene, field);
  if (type === "integer" || type === "number") return numberOf(schema, draw);
  if (type === "boolean") return draw.chance(0.5);
  if (type === "array") {
    const items = Array.from({ length: draw.pick([0, 1, 1, 2, 3, 9]) }, () =>
      valueOf(schema["items"] as TSchema, draw, scene),
    );
    return draw.chance(0.05) ? [...items, ...items] : items;
  }
  if (type === "object") return objectOf(schema as TObject, draw, scene);
  return null;
}

/** An object of a schema: what it requires, and some of the rest. */
export function objectOf(
  { properties = {}, required = [] }: Partial<TObject>,
  draw: Draw,
  scene: Scene,
): Record<string, unknown> {
  const often = draw.pick([0, 0.2, 0.5, 1]);
  const value: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties))
    if (draw.chance(required.includes(name) ? 0.985 : often))
      value[name] = valueOf(schema as TSchema, draw, scene, name);
  return value;
}

function textOf(
  schema: TSchema,
  draw: Draw,
  { ids, words, secrets }: Scene,
  field: string,
): string {
  if (draw.chance(0.04)) return draw.pick(oddTexts);
  const pattern = schema["pattern"] as string | undefined;
  const prefix = /^\^([a-z]+)_\[/.exec(pattern ?? "")?.[1];
  const word = wordsOf.get(pattern ?? "") ?? wordsOfField[field];
  const known = prefix ? ids.get(prefix) : word && words[word];
  if (known?.length && draw.chance(0.9)) return recent(known, draw);
  if (pattern) return draw.pick(fitting(pattern));
  if (draw.chance(0.1) && secrets.length) return draw.pick(words.secret);
  return draw.pick([
    "hello",
    "a b c",
    "@writer look",
    "member",
    "#1",
    "Über",
    "plan",
    "line\nline",
    "**bold**",
    draw.pick(words.member),
    recent(words.handle, draw),
    `@${recent(words.handle, draw)}`,
    "x".repeat(Math.min(Number(schema["maxLength"] ?? 100), 40_000)),
    "x".repeat(Math.min(Number(schema["maxLength"] ?? 100), 40_000) + 1),
  ]);
}

/** One of a list, and more often one of those that came last. */
export const recent = <T>(list: readonly T[], draw: Draw): T =>
  draw.chance(0.75) ? list[list.length - 1 - draw.int(Math.min(list.length, 5))]! : draw.pick(list);

function numberOf({ minimum, maximum }: TSchema, draw: Draw): number {
  const [least, most] = [Number(minimum ?? 0), Number(maximum ?? 1000)];
  if (draw.chance(0.1)) return draw.pick(oddNumbers);
  if (draw.chance(0.15)) return draw.pick([least, most, least - 1, most + 1]);
  return least + draw.int(Math.min(most - least, draw.pick([1, 3, 40])) + 1);
}

/** A value of any kind. */
export function oddValue(draw: Draw, depth: number): unknown {
  const kind = draw.int(depth > 3 ? 4 : 7);
  if (kind === 0) return null;
  if (kind === 1) return draw.pick(oddNumbers);
  if (kind === 2) return draw.chance(0.5);
  if (kind === 3) return draw.pick(oddTexts);
  if (kind === 4) return Array.from({ length: draw.int(4) }, () => oddValue(draw, depth + 1));
  const entries = Array.from({ length: draw.int(4) }, () => [
    draw.pick(oddTexts),
    oddValue(draw, depth + 1),
  ]);
  return Object.fromEntries(entries) as object;
}
