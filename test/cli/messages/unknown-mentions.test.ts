import { beforeAll, expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const { json, ok } = newMachine();

beforeAll(async () => {
  const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
  await ok(["join", code.line, "--name", "bea"]);
});

/** What `say` answers about the names in a text that nobody has. */
const said = async (text: string, ...who: string[]) => {
  const words = ["say", text, "--board", "demo", ...who];
  const { stdout } = await ok(words);
  const { unknown_mentions: unknown } = await json(words);
  return { line: stdout.split("\n").find((line) => line.startsWith("Nobody")), unknown };
};

test.each([
  ["an agent", ["--as", "writer"]],
  ["a person", ["--me"]],
])("a mistyped mention is told to %s, with the name that is like it", async (_, who) => {
  expect(await said("Hello @baa and @nobody-like-that, how are you?", ...who)).toEqual({
    line: "Nobody on demo is called @baa (@bea?), @nobody-like-that: that mentions nobody.",
    unknown: [
      { name: "baa", nearest: "bea" },
      { name: "nobody-like-that", nearest: null },
    ],
  });
});

test("a name in capitals mentions nobody either", async () => {
  const { line } = await said("Hello @Bea", "--as", "writer");
  expect(line).toBe(
    "Nobody on demo is called @bea in capitals (write @bea): that mentions nobody.",
  );
});

test.each([
  ["of a member", "Hello @bea"],
  ["of oneself", "I am @writer"],
  ["of a role", "Who of @role:reviewer can look?"],
  ["in code", "Run `@baa`"],
  ["of a package", "Use @types/bun"],
  ["in an address", "Write to ada@baa.example"],
])("nothing is told about a name %s", async (_, text) => {
  expect(await said(text, "--as", "writer")).toEqual({ line: undefined, unknown: undefined });
});
