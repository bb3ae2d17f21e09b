import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The files of tests below a checkout that draw at random, by themselves or by a support that they import. */
export function drawingTests(root: string): string[] {
  const files = [...new Glob("test/**/*.ts").scanSync(root)].toSorted();
  const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const importers = (support: string) =>
    files.filter((file) => textOf.get(file)!.includes(`/${support}";`));
  const direct = importers("tries.ts");
  const supports = direct.filter((file) => !file.endsWith(".test.ts"));
  const indirect = supports.flatMap((file) => importers(basename(file)));
  return [...new Set([...direct, ...indirect])].filter((file) => file.endsWith(".test.ts"));
}
