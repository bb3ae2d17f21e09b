import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { everyCommand } from "../../../src/cli/commands.ts";
import { endingCommands, noSuchCommand } from "../../../src/cli/did-you-mean.ts";
import type { LocalError } from "../../../src/client/machine/local-error.ts";
import { newMachine } from "../../support/commands/machine.ts";

const { run } = newMachine();
const names = everyCommand().map(({ name }) => name);

/** What the program suggests for words that name no command. */
const hintFor = async (line: string): Promise<string> => {
  const { json, code } = await run([...line.split(" "), "--json"]);
  expect(code).toBe(2);
  return json().error.hint;
};

describe("a word that is no command", () => {
  test.each([
    ["board create x", "Did you mean `service board new`?"],
    ["board show plans", "Did you mean `service boards`?"],
    ["board list", "Did you mean `service boards`?"],
    ["task close 1", "Did you mean `service task done`?"],
    ["task edit 1", "Did you mean `service task note`?"],
    ["post hello", "Did you mean `service say`?"],
    ["send hello", "Did you mean `service say`?"],
    ["reply hello", "Did you mean `service say`?"],
    ["start", "Did you mean `service up`?"],
    ["stop", "Did you mean `service down`?"],
    ["logs", "Did you mean `service status`?"],
    ["ui", "Did you mean `service open`?"],
    ["tasks", "Did you mean `service task list`?"],
    ["bords", "Did you mean `service boards`?"],
    ["task lst", "Did you mean `service task list`?"],
    ["task help", "Write the words the other way round: `service help task`."],
    ["xylophone", "`service help` lists the commands."],
  ])("%s leads on", async (line, hint) => {
    expect(await hintFor(line)).toBe(hint);
  });

  test("and is like none of its group is told what the group has", async () => {
    const hint = await hintFor("task frobnicate");
    for (const part of ["list", "show", "new", "start", "note", "done", "`service help task`"])
      expect(hint).toContain(part);
  });
});

test("words for Linux's own program of this name lead to it, where this machine has it", async () => {
  const own = ["/usr/sbin/service", "/sbin/service"].find((path) => existsSync(path));
  for (const line of ["ssh restart", "--status-all", "nginx status"]) {
    const hint = await hintFor(line);
    if (own) expect(hint).toContain(`For a service of this system: \`${own} ${line}\`.`);
    else expect(hint).not.toContain("this system");
  }
  for (const line of ["ssh", "ssh hello", "task restart"])
    expect(await hintFor(line)).not.toContain("this system");
});

test("what may be suggested is a command, and what ends something is one too", () => {
  const known = new Set(names);
  expect([...endingCommands].filter((name) => !known.has(name))).toEqual([]);
});

test("no typing error leads to a command that ends something", () => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const asked = ["stop", "daemon stop", "close", "task close", "task finish"];
  for (const name of names)
    for (const typo of typosOf(name, letters)) {
      const [first = "", second, third] = typo.split(" ");
      if (third !== undefined || known(typo) || known(first) || asked.includes(typo)) continue;
      const { details } = noSuchCommand(first, second) as LocalError;
      const choices = (details?.["choices"] ?? []) as string[];
      // A group's commands are a list and no suggestion.
      if (choices.length === 1) expect(endingCommands, typo).not.toContain(choices[0]!);
    }
}, 60_000);

const known = (words: string): boolean => names.includes(words);

/** A text with one letter left out, another one, one too many, or two exchanged. */
function typosOf(text: string, letters: readonly string[]): string[] {
  return [...text].flatMap((_, at) => {
    const [before, rest] = [text.slice(0, at), text.slice(at)];
    return [
      before + rest.slice(1),
      before + rest.slice(1, 2) + rest.slice(0, 1) + rest.slice(2),
      ...letters.map((letter) => before + letter + rest.slice(1)),
      ...letters.map((letter) => before + letter + rest),
    ];
  });
}
