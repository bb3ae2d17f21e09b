import { expect, test } from "bun:test";
import { Glob } from "bun";
import { dirname } from "node:path";

/** Every folder of src that has files of its own. */
const folders = new Set(
  [...new Glob("src/*/**/*").scanSync()].map((file) => dirname(file).slice("src/".length)),
);
const page = await Bun.file("docs/folders.md").text();
/** The rows of the page's tables: the folders of each, and what is in them. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [, named, holds] = line.split("|");
    return { folders: foldersOf(named!), holds: holds! };
  });

/** The folders that a row names. `…/x` lies in the first of them, or beside it if that has none. */
function foldersOf(named: string): string[] {
  const names = wordsIn(named);
  const first = names[0]!;
  return names.map((name) => {
    if (!name.startsWith("…/")) return name;
    const inFirst = name.replace("…", first);
    return folders.has(inFirst) ? inFirst : name.replace("…", dirname(first));
  });
}

function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
}

test("the page of folders names each folder of src once, and none that is not there", () => {
  const named = rows
    .flatMap((row) => row.folders)
    .filter((name) => !name.startsWith("test") && name !== "main.ts");
  const places = [...folders].filter((name) => name.startsWith("web/places/"));
  expect([...named, ...places].toSorted()).toEqual([...folders].toSorted());
});

test("a command lies in the folder that the page says", async () => {
  const index = await Bun.file("src/cli/commands.ts").text();
  const whereIs = (word: string) =>
    new Set(
      [...index.matchAll(/^ +"?([a-z -]+)"?: \(\) => import\("\.\/([a-z/-]+)\/[a-z-]+\.ts"\)/gm)]
        .filter(([, name]) => name === word || name!.startsWith(`${word} `))
        .map(([, , folder]) => `cli/${folder}`),
    );
  const elsewhere = rows
    .filter(({ folders: [first] }) => first!.startsWith("cli/"))
    .flatMap(({ folders: here, holds }) =>
      wordsIn(holds)
        .filter((word) => whereIs(word).size > 0 && !here.some((one) => whereIs(word).has(one)))
        .map((word) => `${word}: ${here.join(", ")}`),
    );
  expect(elsewhere).toEqual([]);
});
