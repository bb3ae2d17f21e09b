/**
 * `npm run test:long` tries what is drawn at random with a new seed, and ten times as often as the suite does. A seed
 * that is given as TEST_SEED is tried again. Words that are given are parts of the names of files: only those are tried.
 */
import { resolve } from "node:path";
import { drawingTests } from "./drawing.ts";

const root = resolve(import.meta.dir, "../..");
const isHarness = (file: string) => file.startsWith("test/harnesses/");
const words = process.argv.slice(2);
const drawing = drawingTests(root).filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);
if (drawing.length === 0) {
  process.stderr.write(`No test that draws has ${words.join(" or ")} in its name.\n`);
  process.exit(1);
}
const TEST_SEED = process.env["TEST_SEED"] ?? String(Date.now() % 2 ** 31);
process.stdout.write(`TEST_SEED=${TEST_SEED}\n`);
const run = (words: readonly string[]) =>
  Bun.spawn([process.execPath, ...words], {
    cwd: root,
    env: { ...process.env, TEST_SEED },
    stdio: ["inherit", "inherit", "inherit"],
  }).exited;
const runEach = (before: readonly string[], those: readonly string[]) =>
  those.length > 0 ? run([...before, ...those]) : 0;
const inSuite = await runEach(
  ["test", "--timeout=600000"],
  drawing.filter((one) => !isHarness(one)),
);
// They run in a network namespace of their own.
const withHarnesses = await runEach(["test/harnesses/run.ts"], drawing.filter(isHarness));
process.exit(inSuite || withHarnesses);
