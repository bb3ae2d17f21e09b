import { expect, test } from "bun:test";
import { clean, escapedControls, oneLine } from "../../../src/cli/terminal/clean.ts";
import { bold, shown } from "../../../src/cli/terminal/style.ts";

test.each([
  ["colours", "a\x1b[31mb\x1b[0m", "ab"],
  ["cursor movements", "a\x1b[2J\x1b[1;1Hb", "ab"],
  ["titles", "a\x1b]0;title\x07b\x1b]0;title\x1b\\c", "abc"],
  ["links", "\x1b]8;;https://x\x1b\\text\x1b]8;;\x1b\\", "text"],
  ["device strings", "a\x1bPq#0\x1b\\b", "ab"],
  ["one-byte sequences", "a\x9b31mb\x9d0;t\x9cc", "abc"],
  ["two-character escapes", "a\x1bcb\x1b(0c", "abc"],
  ["nested introducers", "a\x1b\x1b[31m[31mb", "a[31mb"],
  ["backspaces, bells and returns", "a\bb\x07c\rd", "abcd"],
  ["reversed text", "a\u202ebc", "abc"],
  ["embedded and isolated text", "a\u202bb\u2067c\u2069d", "abcd"],
  ["an unfinished string, but not what follows", "a\x1b]0;b\nnext\x07", "a0;b\nnext"],
])("%s are taken out", (_, text, left) => {
  expect(clean(text)).toBe(left);
});

test("tabs, line feeds and other scripts stay", () => {
  expect(clean("a\tb\nc\r\nd é 漢 🎉 שלום")).toBe("a\tb\nc\nd é 漢 🎉 שלום");
});

test("JSON holds the same text without a character that a terminal acts on", () => {
  const text = "a\x1b[31m\x7f\x9b2J\u202e\u2066 é 漢 🎉\n";
  const json = escapedControls(JSON.stringify({ text }));
  expect(json).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  expect(JSON.parse(json)).toEqual({ text });
});

test("a name stays on its line", () => {
  expect(oneLine("a\nb\u2028c\x1b[2J")).toBe("a b c");
});

test("only the program's own colours reach a terminal", () => {
  expect(shown(`${bold("name")} \x1b[31mred`, () => true)).toBe("\x1b[1mname\x1b[0m red");
  expect(shown(`${bold("name")} \x1b[31mred`, () => false)).toBe("name red");
});
