/**
 * `npm run test:long` tries what is drawn at random with a new seed, and ten times as often as the suite does. A seed
 * that is given as TEST_SEED is tried again.
 */
import { Glob } from "bun";
import { resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");
const files = [...new Glob("test/**/*.test.ts").scanSync(root)];
const texts = await Promise.all(files.map((file) => Bun.file(resolve(root, file)).text()));
const drawing = files.filter((_, i) => /support\/tries\.ts/.test(texts[i]!));
const TEST_SEED = process.env["TEST_SEED"] ?? String(Date.now() % 2 ** 31);
process.stdout.write(`TEST_SEED=${TEST_SEED}\n`);
const suite = Bun.spawn([process.execPath, "test", "--timeout=600000", ...drawing], {
  cwd: root,
  env: { ...process.env, TEST_SEED },
  stdio: ["inherit", "inherit", "inherit"],
});
process.exit(await suite.exited);
