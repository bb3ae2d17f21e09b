import { expect, test } from "bun:test";
import { Glob } from "bun";
import { brotliCompressSync } from "node:zlib";
import { buildPage, type BuiltPage } from "../../src/web/build/build-page.ts";

const page = await buildPage();
/** Kilobytes after compression, as browsers get them over https. */
const packed = (text: string): number => brotliCompressSync(text).length / 1024;
const isScript = (path: string) => path.endsWith(".js") && path.startsWith("/assets/");

/** The scripts that are there before anything is shown: the first one, and what it imports without waiting. */
function firstScripts({ script, files }: BuiltPage): string[] {
  const found = [script];
  for (const path of found)
    for (const [, name] of files[path]!.text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) {
      const next = `/assets/${name}`;
      if (!found.includes(next)) found.push(next);
    }
  return found;
}
const sum = (paths: readonly string[]) =>
  paths.reduce((total, path) => total + packed(page.files[path]!.text), 0);

test("the first view needs at most 90 KB of script, and all views at most 140 KB", () => {
  const first = firstScripts(page);
  expect(first.length).toBeGreaterThan(0);
  expect(sum(first)).toBeLessThanOrEqual(90);
  expect(sum(Object.keys(page.files).filter(isScript))).toBeLessThanOrEqual(140);
});

test("the style is one file of at most 14 KB", () => {
  const styles = Object.keys(page.files).filter((path) => path.endsWith(".css"));
  expect(styles).toEqual([page.style]);
  expect(sum(styles)).toBeLessThanOrEqual(14);
});

test("nothing of the contract's schemas and nothing of the server is in the page", () => {
  for (const [path, { text }] of Object.entries(page.files))
    expect([path, /typebox|bun:sqlite|"node:/i.test(text)]).toEqual([path, false]);
});

test("no source of the page makes markup of a text", async () => {
  const root = new URL("../../src/web/", import.meta.url).pathname;
  for (const path of new Glob("**/*.{ts,tsx}").scanSync(root)) {
    const text = await Bun.file(root + path).text();
    const found =
      /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|srcdoc|document\.write/.exec(
        text,
      );
    expect([path, found?.[0]]).toEqual([path, undefined]);
  }
});
