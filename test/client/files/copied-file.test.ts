import { afterAll, expect, test } from "bun:test";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copySynced, removeInPieces } from "../../../src/client/files/copied-file.ts";

const folder = mkdtempSync(join(tmpdir(), "copied-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const large = Buffer.alloc(9 * 1024 * 1024 + 7, "a large file. ");

test("of a file that grows its first bytes are copied, and one that is too short is no copy", () => {
  const from = join(folder, "growing");
  writeFileSync(from, large);
  copySynced(from, join(folder, "all"));
  expect(readFileSync(join(folder, "all")).equals(large)).toBe(true);
  const most = 3 * 1024 * 1024 + 1;
  copySynced(from, join(folder, "first"), most);
  expect(readFileSync(join(folder, "first")).equals(large.subarray(0, most))).toBe(true);
  expect(() => copySynced(from, join(folder, "more"), large.length + 1)).toThrow("shorter");
});

test("a folder that is removed in pieces takes nothing from a file that has another name elsewhere", async () => {
  const removed = join(folder, "removed");
  mkdirSync(join(removed, "inner"), { recursive: true });
  writeFileSync(join(removed, "own"), large);
  writeFileSync(join(removed, "inner", "linked"), large);
  linkSync(join(removed, "inner", "linked"), join(folder, "other name"));
  await removeInPieces(removed);
  expect(existsSync(removed)).toBe(false);
  expect(readFileSync(join(folder, "other name")).equals(large)).toBe(true);
  await removeInPieces(removed);
});
