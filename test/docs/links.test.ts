import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");
const pages = ["*.md", "docs/**/*.md", "test/**/*.md", "bench/*.md", "deploy/*.md"].flatMap(
  (pattern) => [...new Bun.Glob(pattern).scanSync(root)],
);
const isHere = (target: string) => !/^[a-z]+:/.test(target);

test("there are pages to look at", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/architecture.md"]));
});

test.each(pages)("the links of %s lead to files that are there", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
    ([, target = ""]) => target,
  );
  const missing = targets
    .filter(isHere)
    .filter((target) => !existsSync(join(root, dirname(page), target)));
  expect(missing).toEqual([]);
});

test("the scripts that the pages name exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const page of pages)
    for (const [, script = ""] of readFileSync(join(root, page), "utf8").matchAll(
      /\b(?:npm|bun) run (?:-s )?([a-z][a-z:]*)/g,
    ))
      expect(Object.keys(scripts), page).toContain(script);
});
