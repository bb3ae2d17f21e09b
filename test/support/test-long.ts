/**
 * `npm run test:long` tries what is drawn at random with a new seed, and ten times as often as the suite does. A seed
 * that is given as TEST_SEED is tried again. Words that are given are parts of the names of files: only those are tried.
 */
import { Glob } from "bun";
import { resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");
const files = [...new Glob("test/**/*.test.ts").scanSync(root)];
const isHarness = (file: string) => file.startsWith("test/harnesses/");
const texts = await Promise.all(files.map((file) => Bun.file(resolve(root, file)).text()));
const words = process.argv.slice(2);
const drawing = files
  .filter((_, i) => /support\/tries\.ts/.test(texts[i]!))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
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
