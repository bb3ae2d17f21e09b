import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "./support/temporary-folder.ts";

const scripts = resolve(import.meta.dir, "../.ci");
const passes = 'import { test } from "bun:test"; test("always", () => {});';
const fails =
  'import { test } from "bun:test"; test("never", () => { throw new Error("broken"); });';
/** A test that fails the first time that it runs. */
const unsteady = `
  import { existsSync, writeFileSync } from "node:fs";
  import { test } from "bun:test";
  test("later <one>", () => {
    if (existsSync("ran")) return;
    writeFileSync("ran", "");
    throw new Error("not yet");
  });
`;

/** Runs tests of a kind as the gate does: what fails once more, then the count. */
function gate(files: Record<string, string>) {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "test/web"), { recursive: true });
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(cwd, "test/web", `${name}.test.ts`), text);
  const bun = (...args: string[]) => {
    const { stdout, success } = Bun.spawnSync([process.execPath, ...args], {
      cwd,
      stdout: "pipe",
      stderr: "ignore",
    });
    return { success, lines: stdout.toString().trimEnd().split("\n") };
  };
  const outfile = "--reporter-outfile=dist/test-results/web.xml";
  mkdirSync(join(cwd, "dist/test-results"), { recursive: true });
  const first = bun("test", "--reporter=junit", outfile, "test/web");
  const again = first.success ? null : bun(join(scripts, "again.ts"), "web");
  const count = bun(join(scripts, "count.ts"), "web");
  return { passed: first.success || again!.success, again, count };
}

test("the gate counts what passed and what was skipped", () => {
  const skips = 'import { test } from "bun:test"; test.skip("not here", () => {});';
  const { passed, count } = gate({ passes, skips });
  expect({ passed, ...count }).toEqual({
    passed: true,
    success: true,
    lines: ["1 passed, 0 failed, 1 skipped"],
  });
});

test("what passes when it runs once more is named, and does not stop the gate", () => {
  const { passed, count } = gate({ passes, unsteady });
  expect({ passed, ...count }).toEqual({
    passed: true,
    success: true,
    lines: ["unsteady: test/web/unsteady.test.ts: later <one>", "  not yet", "2 passed, 0 failed"],
  });
});

test("what fails twice stops the gate, and says why", () => {
  const { passed, count } = gate({ passes, fails, unsteady });
  expect({ passed, ...count }).toEqual({
    passed: false,
    success: false,
    lines: [
      "failed: test/web/fails.test.ts: never",
      "  broken",
      "unsteady: test/web/unsteady.test.ts: later <one>",
      "  not yet",
      "2 passed, 1 failed",
    ],
  });
});

test("a hook that fails, and a file that could not be read, stop the gate", () => {
  const hook = `${passes} import { afterAll } from "bun:test"; afterAll(() => { throw new Error("left over"); });`;
  expect(gate({ hook })).toMatchObject({ passed: false, count: { success: false } });
  const unread = gate({ passes, unsteady, unread: 'throw new Error("no test")' });
  expect(unread).toMatchObject({ passed: false, again: { lines: [""] } });
});

test("where many files fail, none runs again", () => {
  const { passed, again, count } = gate({ a: fails, b: fails, c: fails, d: unsteady });
  expect({ passed, ran: again!.lines, last: count.lines.at(-1) }).toEqual({
    passed: false,
    ran: [""],
    last: "0 passed, 4 failed",
  });
});

test("a kind of tests that left no results fails", () => {
  expect(gate({}).count).toEqual({
    success: false,
    lines: ["failed: web: its tests did not run", "0 passed, 1 failed"],
  });
});
