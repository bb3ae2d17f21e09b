/** Adds up the results in the test runner's files and prints them in one line. Fails if a file is missing or a test failed. */
const totals = { tests: 0, failures: 0, skipped: 0 };
let missing = 0;
for (const path of process.argv.slice(2)) {
  const file = Bun.file(path);
  const head = (await file.exists())
    ? /<testsuites [^>]*>/.exec(await file.text())?.[0]
    : undefined;
  if (!head) {
    console.error(`${path} is missing: its tests did not run`);
    missing++;
    continue;
  }
  for (const name of Object.keys(totals) as (keyof typeof totals)[])
    totals[name] += Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
}
const { tests, failures, skipped } = totals;
const passed = tests - failures - skipped;
console.log(
  `${passed} passed, ${failures + missing} failed${skipped ? `, ${skipped} skipped` : ""}`,
);
process.exit(failures + missing > 0 || passed === 0 ? 1 : 0);
