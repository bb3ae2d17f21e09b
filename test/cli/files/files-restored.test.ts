import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";
import { markFolderRestored } from "../../support/restores.ts";

const machine = newMachine();
const { home, json, ok, refusal, run } = machine;
const data = join(home, "data");
const database = join(data, "service.db");
const backup = join(home, "backup.db");
const remembered = join(home, "state/files.json");
const at = (path: string) => join(home, path);
const write = (path: string, text: string) => writeFileSync(at(path), text);
const read = (path: string) => readFileSync(at(path), "utf8");
const [rex, bo] = [
  ["--as", "rex"],
  ["--as", "bo"],
];

/** In the backup, `plan.md` and `notes.md` have one version each, which rex wrote from here. */
beforeAll(async () => {
  const { join: code } = await json(["pair", "--board", "demo"]);
  for (const name of ["rex", "bo"]) await ok(["join", code.line, "--name", name]);
  for (const file of ["plan.md", "notes.md"]) {
    write(file, "one\n");
    await ok(["file", "put", file, ...rex]);
  }
  await ok(["down"]);
  copyFileSync(database, backup);
});
afterAll(() => machine.end());

/** Rex has written a second version of the plan, which a restore of the server took back. */
beforeEach(async () => {
  await putBack();
  for (const file of ["plan.md", "notes.md"]) await ok(["file", "get", file, "--force", ...rex]);
  write("plan.md", "two\n");
  await ok(["file", "put", "plan.md", ...rex]);
  await putBack();
  await markFolderRestored(data);
});

async function putBack(): Promise<void> {
  await ok(["down"]);
  for (const part of ["-wal", "-shm"]) rmSync(`${database}${part}`, { force: true });
  copyFileSync(backup, database);
}

/** Bo writes a second version of the plan too, after the restore. */
async function writeOther(): Promise<void> {
  await ok(["file", "get", "plan.md", "bos.md", "--force", ...bo]);
  write("bos.md", "two of bo\n");
  await ok(["file", "put", "bos.md", ...bo]);
}
const onBoard = async (): Promise<string> =>
  (await run(["file", "get", "plan.md", "-", ...bo])).stdout;

test("a version that a restore took back is the base of no other, though its number is used again", async () => {
  await writeOther();
  write("plan.md", "three\n");
  expect(await refusal(["file", "put", "plan.md", ...rex])).toBe("file_exists");
  expect(await onBoard()).toBe("two of bo\n");
  await ok(["file", "put", "plan.md", "--base", "2", ...rex]);
  expect(await onBoard()).toBe("three\n");
  // From here on it is remembered as before.
  write("plan.md", "four\n");
  await ok(["file", "put", "plan.md", ...rex]);
  expect(await onBoard()).toBe("four\n");
});

test("a message attaches no other version under the number of one that was taken back", async () => {
  await writeOther();
  expect(await refusal(["say", "See this", "--attach", "plan.md", ...rex])).toBe("file_exists");
});

test("bytes that a restore took back are not written over without --force: they are nowhere else", async () => {
  const { code, stderr } = await run(["file", "get", "plan.md", ...rex]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("--force")]);
  expect(read("plan.md")).toBe("two\n");
  await ok(["file", "get", "plan.md", "--force", ...rex]);
  expect(read("plan.md")).toBe("one\n");
});

test("a version that the board still has is remembered across a restore", async () => {
  write("notes.md", "two\n");
  expect(await json(["file", "put", "notes.md", ...rex])).toMatchObject({
    file: { latest: { version: 2, base: 1 } },
  });
});

test("entries of an older version of this program, without a generation, count when the board has the version", async () => {
  const { files } = JSON.parse(readFileSync(remembered, "utf8"));
  for (const entry of files) delete entry.server_generation;
  writeFileSync(remembered, JSON.stringify({ files }));
  await writeOther();
  write("plan.md", "three\n");
  expect(await refusal(["file", "put", "plan.md", ...rex])).toBe("file_exists");
  write("notes.md", "two\n");
  await ok(["file", "put", "notes.md", ...rex]);
});
