import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");
const page = readFileSync(join(root, "docs/security.md"), "utf8");

/** Rows of the tables of promises: what is promised, where that comes from, and the tests. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("|") && /\.test\.ts` "/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );
const tests = rows.flatMap(([promise = "", , held = ""]) =>
  [...held.matchAll(/`([\w/.-]+)` "([^"]+)"/g)].map(([, file = "", name = ""]) => ({
    promise,
    file,
    name,
  })),
);

test("there are promises, each with where it comes from and a test", () => {
  expect(rows.length).toBeGreaterThan(60);
  for (const row of rows) {
    expect(row).toHaveLength(3);
    const [promise, from, held] = row as [string, string, string];
    expect(promise).toEndWith(".");
    expect([promise, from === ""]).toEqual([promise, false]);
    // Nothing stands in the cell but tests.
    expect(held.replace(/`[\w/.-]+` "[^"]+"(?:; )?/g, "")).toBe("");
  }
});

test("every table of promises has nothing but promises", () => {
  const tables = page.split(/\n\n+/).filter((part) => part.startsWith("| Promise"));
  expect(tables.length).toBeGreaterThan(8);
  expect(tables.flatMap((table) => table.trim().split("\n").slice(2))).toHaveLength(rows.length);
});

test("each test that is named is there, once and not skipped", () => {
  const missing = tests.filter(({ file, name }) => {
    const path = join(root, "test", file);
    if (!existsSync(path)) return true;
    const text = readFileSync(path, "utf8");
    const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const named = new RegExp(String.raw`\btest(?:\.each\([\s\S]{0,120}?\))?\(\s*"${quoted}"`, "g");
    return [...text.matchAll(named)].length !== 1;
  });
  expect(missing).toEqual([]);
});
