import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  columns,
  harnessesPage,
  headerOf,
  rowsOf,
  tableAfter,
  tableIn,
} from "../../docs/harnesses.ts";
import { capabilities, type Capability } from "../harnesses/support/capability-list.ts";

const page = readFileSync(harnessesPage, "utf8");
const folder = join(import.meta.dir, "../harnesses");
const names = Object.keys(capabilities) as Capability[];

/** Whether a file of tests runs each of them with every harness of a list, this one among them. */
const isOfEvery = (text: string, harness: string): boolean =>
  text.includes("provesFor(name)") && text.includes(`"${harness}": {`);

/** The capabilities that the tests of a harness try. */
function triedWith(harness: string): Set<string> {
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .filter((text) => text.includes(`provesFor("${harness}")`) || isOfEvery(text, harness));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\bproves\(\s*"(\w+)"/g)].map(([, name]) => name!)),
  );
}

test("the page has a row for each capability and a column for each harness in the version of the suite", () => {
  const [header, ...rows] = rowsOf(page);
  expect(header!.slice(1)).toEqual(columns.map(headerOf));
  expect(rows.map(([first]) => first!)).toEqual(Object.values(capabilities));
});

test("the versions of the suite are those that the profiles call proved", () => {
  for (const column of columns)
    expect(headerOf(column)).toBe(`${column[1].name} ${column[1].checks.proved}`);
});

test.each(columns)("the page says nothing of %s that no test of it tries", (harness) => {
  const table = tableIn(page);
  const tried = triedWith(harness);
  const at = columns.findIndex(([name]) => name === harness);
  const shown = names.filter((name) => table.get(name)![at] !== "–");
  expect(shown).toContain("wakes");
  // What a test tries that has not run yet is still unsaid.
  expect(shown.filter((name) => !tried.has(name))).toEqual([]);
});

test("a run changes the columns of what it tried, and one test that fails makes a no", () => {
  const none = tableIn("");
  const fact = {
    harness: "@openai/codex",
    version: "1",
    capability: "wakes",
    passed: true,
  } as const;
  expect(tableAfter(none, [fact]).get("wakes")).toEqual(["–", "yes", "–"]);
  expect(tableAfter(none, [fact, { ...fact, passed: false }]).get("wakes")).toEqual([
    "–",
    "no",
    "–",
  ]);
  expect(tableAfter(tableAfter(none, [fact]), []).get("wakes")).toEqual(["–", "yes", "–"]);
  expect(tableAfter(none, [fact]).get("forged")).toEqual(["–", "–", "–"]);
});
