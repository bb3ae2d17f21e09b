/**
 * Adds up what the test runner wrote of the kinds of tests that are named, and prints it in one line, after each test that failed
 * and why. Of files that ran again the second results count, and what failed in the first only is named unsteady. Fails if a
 * kind's results are missing or a test failed.
 */
import { againOf, fileOf, resultsIn, type Result } from "./results.ts";

const counts = { passed: 0, failed: 0, skipped: 0 };
const say = (what: string, { file, name, why }: Result): void =>
  console.log(`${what}: ${file}: ${name}\n${why.trim().replace(/^/gm, "  ")}`);

for (const kind of process.argv.slice(2)) {
  const first = resultsIn(fileOf(kind));
  if (!first || first.length === 0) {
    console.log(`failed: ${kind}: its tests did not run`);
    counts.failed++;
    continue;
  }
  const again = resultsIn(againOf(kind)) ?? [];
  const files = new Set(again.map(({ file }) => file));
  const last = [...first.filter(({ file }) => !files.has(file)), ...again];
  for (const each of last) counts[each.outcome]++;
  const failed = last.filter(({ outcome }) => outcome === "failed");
  for (const each of failed) say("failed", each);
  const isFailed = ({ file, name }: Result) =>
    failed.some((one) => one.file === file && one.name === name);
  for (const each of first) if (each.outcome === "failed" && !isFailed(each)) say("unsteady", each);
}
const { passed, failed, skipped } = counts;
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
