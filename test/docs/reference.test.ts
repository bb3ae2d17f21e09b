import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { referenceFolder, referenceTexts } from "../../docs/generate.ts";

const texts = await referenceTexts();
const advice = "run `bun docs/generate.ts` and commit what it wrote";

test("the reference holds exactly the generated documents", () => {
  expect(readdirSync(referenceFolder).sort()).toEqual(Object.keys(texts).sort());
});

test.each(Object.keys(texts))("%s is what the tables of the code say", (file) => {
  const written = readFileSync(join(referenceFolder, file), "utf8");
  expect(written === texts[file], advice).toBe(true);
});

test("links between the documents lead to a heading", () => {
  const anchors = Object.entries(texts).flatMap(([file, text]) =>
    headingsOf(text).map((heading) => `${file}#${heading}`),
  );
  for (const [file, text] of Object.entries(texts))
    for (const [, target = ""] of text.matchAll(/\]\(([a-z.]*#[^)]+)\)/g))
      expect(anchors).toContain(target.startsWith("#") ? `${file}${target}` : target);
});

const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
