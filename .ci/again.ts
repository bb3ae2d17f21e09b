/**
 * Runs the files of a kind of tests once more in which a test failed, one at a time: a real browser, a kernel and a harness have
 * moments of their own on a busy machine. Many files are no moment. Both results are kept, and `count.ts` names what passed only
 * now. It fails as the tests do, and where the runner did not read all files.
 */
import { copyFileSync, renameSync } from "node:fs";
import { againOf, fileOf, resultsIn } from "./results.ts";

const mostFiles = 3;
const kind = process.argv[2]!;
const apart = ["system", "web", "harnesses"];
const inKind = (file: string): boolean =>
  apart.includes(kind)
    ? file.startsWith(`test/${kind}/`)
    : !apart.some((one) => file.startsWith(`test/${one}/`));

const results = resultsIn(fileOf(kind)) ?? [];
const read = new Set(results.map(({ file }) => file));
const all = [...new Bun.Glob("test/**/*.test.ts").scanSync()].filter(inKind);
const failed = new Set(
  results.filter(({ outcome }) => outcome === "failed").map(({ file }) => file),
);
if (failed.size === 0 || failed.size > mostFiles || all.some((file) => !read.has(file)))
  process.exit(1);

const command =
  kind === "harnesses"
    ? ["test/harnesses/run.ts"]
    : ["test", "--timeout=90000", "--reporter=junit", `--reporter-outfile=${againOf(kind)}`];
console.log(`Once more: ${[...failed].join(", ")}`);
if (kind === "harnesses") copyFileSync(fileOf(kind), `${fileOf(kind)}.first`);
const { success } = Bun.spawnSync([process.execPath, ...command, ...failed], {
  stdio: ["inherit", "inherit", "inherit"],
});
if (kind === "harnesses") {
  renameSync(fileOf(kind), againOf(kind));
  renameSync(`${fileOf(kind)}.first`, fileOf(kind));
}
process.exit(success ? 0 : 1);
