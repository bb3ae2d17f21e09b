import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonical } from "../../src/contract/canonical.ts";
import { tries } from "../support/tries.ts";

/** The rule of RFC 8785 in its plainest form: it sorts the keys of every object anew. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plain).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${plain(part)}`);
  return `{${members.join(",")}}`;
}

/** Few keys, so that objects often have the keys of one before them, and keys that could be taken for others. */
const key = fc.constantFrom("a", "b", "a\nb", "b\na", "10", "9", "!", "", "__proto__", "é", "\0");
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "grapheme" }),
    fc.maxSafeInteger(),
    fc.constantFrom(null, true, false, 0),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(key, tie("value")), { selector: ([name]) => name, maxLength: 6 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

test("remembered key orders never change a canonical text", () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(canonical(value)).toBe(plain(value));
    }),
    tries(2000),
  );
});

test("an object with a line break in a key is not taken for one with two keys", () => {
  expect(canonical({ a: 1, b: 2 })).toBe('{"a":1,"b":2}');
  expect(canonical({ "a\nb": 1 })).toBe('{"a\\nb":1}');
  expect(canonical({ b: 1, "a\nc": 2 })).toBe('{"a\\nc":2,"b":1}');
  expect(canonical({ "b\na": 1, c: 2 })).toBe('{"b\\na":1,"c":2}');
});

test("a property without a value is left out, also of an object whose keys are known", () => {
  expect(canonical({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
  expect(canonical({ b: 1, a: undefined })).toBe('{"b":1}');
});

test("what cannot be hashed is refused, also after keys that an object keeps in an order of its own", () => {
  for (const bad of ["\ud800", 0.5, 2 ** 53, undefined, () => 1])
    for (const before of [
      { b: 1, a: 2 },
      { b: 1, "10": 2, "9": 3 },
      { b: { "10": 2, "9": 3 }, a: 1 },
    ])
      expect(() => canonical([before, bad]), String(bad)).toThrow(TypeError);
});
