import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  append,
  draftOf,
  remove,
  replace,
  undone,
} from "../../../../src/cli/setting-up/settings-files/json-edits.ts";
import {
  jsonTree,
  NotJson,
  type JsonNode,
} from "../../../../src/cli/setting-up/settings-files/json-tree.ts";
import { tries } from "../../../support/tries.ts";

const texts = [
  "{}",
  "{ }\n",
  "{\n}",
  '{"a":1}',
  '{"a": 1, "b": [1, 2]}\n',
  '{\n  "a": 1,\n  "b": [1, 2],\n  "c": {}\n}\n',
  '{\n\t"a": [\n\t\t{ "x": [] }\n\t]\n}',
  '{\r\n    "a": {\r\n        "b": null\r\n    }\r\n}\r\n',
  '\uFEFF{"a" : [ ] }',
  '\n\n  {"é\\u0041": "\\"}{"}',
];

/** The ways to every object and array of a text. */
function containers(node: JsonNode, way: (string | number)[] = []): (string | number)[][] {
  const isContainer = typeof node.value === "object" && node.value !== null;
  const inner = node.parts.flatMap((part, i) => containers(part.node, [...way, part.key ?? i]));
  return isContainer ? [way, ...inner] : inner;
}

const plain = (text: string): any => JSON.parse(text.replace("\uFEFF", ""));

test("the tree of a text has the values that JSON.parse reads", () => {
  for (const text of texts) expect(jsonTree(text).value).toEqual(plain(text));
  const property = fc.property(fc.json(), (text) => {
    expect(jsonTree(text).value).toEqual(JSON.parse(text));
  });
  fc.assert(property, tries(200));
});

test.each([
  ['{"a": 1', 1, 8, "it ends too early"],
  ['{\n  "a": 1,\n}', 3, 1, "a name in double quotes is expected"],
  ['{\n  // why\n  "a": 1\n}', 2, 3, "a name in double quotes is expected"],
  ['{"a": tru}', 1, 7, "a value is expected"],
  ["", 1, 1, "it ends too early"],
  ["{} {}", 1, 4, "the end is expected"],
  ["[01]", 1, 2, "a value is expected"],
  [`${"[".repeat(300)}`, 1, 202, "a value that is nested less deeply is expected"],
])("what is no JSON is named by its place: %j", (text, line, column, message) => {
  const failed = (() => {
    try {
      jsonTree(text);
    } catch (error) {
      return error;
    }
  })();
  expect(failed).toBeInstanceOf(NotJson);
  expect(failed).toMatchObject({ line, column, message });
});

test("a part that is added at the end reads back, leaves all else, and is undone byte for byte", () => {
  for (const text of texts)
    for (const way of containers(jsonTree(text))) {
      const isArray = Array.isArray(way.reduce<any>((value, step) => value[step], plain(text)));
      const draft = draftOf(text);
      append(draft, way, isArray ? null : "new", { event: [1, { deep: true }] });
      const expected = plain(text);
      const container = way.reduce((value, step) => value[step], expected);
      if (isArray) container.push({ event: [1, { deep: true }] });
      else container.new = { event: [1, { deep: true }] };
      expect(plain(draft.text)).toEqual(expected);
      expect(undone(draft.text, draft.edits)).toBe(text);
    }
});

test("a part that was added to others is removed without a trace", () => {
  for (const text of texts)
    for (const way of containers(jsonTree(text))) {
      const container = way.reduce((value, step) => value[step], plain(text));
      const count = Object.keys(container).length;
      if (count === 0) continue;
      const draft = draftOf(text);
      append(draft, way, Array.isArray(container) ? null : "new", { a: [1] });
      remove(draft, way, count);
      expect(draft.text).toBe(text);
    }
});

test("what is added is laid out as what is there", () => {
  const added = (text: string, way: (string | number)[], key: string | null, value: unknown) => {
    const draft = draftOf(text);
    append(draft, way, key, value);
    return draft.text;
  };
  expect(added("{}", [], "a", { b: [1] })).toBe('{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}');
  expect(added('{\n\t"a": 1\n}\n', [], "b", { c: 2 })).toBe(
    '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}\n',
  );
  expect(added('{"a":1}', [], "b", { c: [] })).toBe('{"a":1,"b":{"c":[]}}');
  expect(added('{\n  "a": ["x", "y"]\n}', ["a"], null, "z")).toBe('{\n  "a": ["x", "y", "z"]\n}');
  expect(added('{\r\n "a": {}\r\n}', ["a"], "b", 1)).toBe('{\r\n "a": {\r\n  "b": 1\r\n }\r\n}');
});

test("a value that takes another's place keeps its layout", () => {
  const draft = draftOf('{\n  "a": {\n    "b": 1\n  },\n  "c": {"d":1}\n}\n');
  replace(draft, ["a"], { b: 2 });
  replace(draft, ["c"], { d: 2 });
  expect(draft.text).toBe('{\n  "a": {\n    "b": 2\n  },\n  "c": {"d":2}\n}\n');
});
