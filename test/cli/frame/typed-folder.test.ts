import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { home, ok } = machine;
const checkout = resolve(import.meta.dir, "../../..");

/** Runs the npm script of the checkout, as the README's alias does, in a folder. */
async function alias(cwd: string, words: readonly string[]) {
  const command = ["npm", "--prefix", checkout, "run", "-s", "service", "--", ...words];
  const child = Bun.spawn(command, { cwd, env: machine.env, stdout: "ignore", stderr: "pipe" });
  return [await child.exited, await new Response(child.stderr).text()];
}

test("the README's alias reads and writes files in the folder where it was typed", async () => {
  await ok(["pair", "--board", "plans", "--name", "ada"]);
  const folder = join(home, "notes");
  mkdirSync(folder);
  writeFileSync(join(folder, "plan.md"), "# Plan\n");
  expect(await alias(folder, ["file", "put", "plan.md", "--as", "ada"])).toEqual([0, ""]);
  expect(await alias(folder, ["file", "get", "plan.md", "copy.md", "--as", "ada"])).toEqual([
    0,
    "",
  ]);
  expect(readFileSync(join(folder, "copy.md"), "utf8")).toBe("# Plan\n");
});

test("another script's folder is not taken for it", async () => {
  const elsewhere = { npm_lifecycle_event: "test", INIT_CWD: join(home, "notes") };
  const { code } = await machine.asProcess.run(["file", "put", "plan.md", "--as", "ada"], {
    env: elsewhere,
    cwd: checkout,
  });
  expect(code).toBe(2);
});
