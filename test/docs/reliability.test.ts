import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { drawingTests } from "../support/drawing.ts";

const root = resolve(import.meta.dir, "../..");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const drawing = drawingTests(root);
const blocks = textOf("docs/reliability.md").matchAll(/^```sh\n([\s\S]*?)^```$/gm);
const commands = [...blocks].flatMap(([, block = ""]) => block.trim().split("\n"));

/** The files of tests that a command of the page runs. */
function filesOf(command: string): string[] {
  const [, word] = /npm run test:long -- (\S+)$/.exec(command) ?? [];
  if (word) return drawing.filter((file) => file.includes(word));
  const [, pattern = ""] = /(test\/\S+\.test\.ts)$/.exec(command) ?? [];
  return [...new Bun.Glob(pattern).scanSync(root)];
}

test.each(commands)("%s runs tests that draw, with variables that they read", (command) => {
  const files = filesOf(command);
  expect(files).not.toBeEmpty();
  for (const file of files) expect(drawing).toContain(file);
  const [program = ""] = command.match(/node_modules\S+/) ?? [];
  expect(existsSync(join(root, program))).toBe(true);
  const texts = [...files, "test/support/tries.ts"].map(textOf).join("\n");
  for (const [, variable] of command.matchAll(/([A-Z_]+)=/g)) expect(texts).toContain(variable!);
});

test("a long run of tests that are not there says so, and is no success", () => {
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, "test/support/test-long.ts", "no-such-proof"],
    { cwd: root },
  );
  expect([exitCode, stderr.toString()]).toEqual([
    1,
    "No test that draws has no-such-proof in its name.\n",
  ]);
});
