import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  manifestText,
  parseManifest,
  partsOf,
  readManifest,
  sizeOf,
  type Manifest,
} from "../../src/backup/manifest.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const manifest: Manifest = {
  format: 1,
  program: "0.1.0",
  schema: 22,
  server_id: `srv_${ulid}`,
  mode: "team",
  generation: `gen_${ulid}`,
  at: "2026-01-02T03:04:05.678Z",
  boards: [{ id: `brd_${ulid}`, seq: 7, head: "a".repeat(64) }],
  database: { sha256: "b".repeat(64), size: 4096 },
  digest_key: { sha256: "c".repeat(64), size: 65 },
  files: [
    { sha256: "1".repeat(64), size: 5 },
    { sha256: "2".repeat(64), size: 0 },
  ],
};

test("a manifest is read as it was written, and names its parts by their digests, the database last", () => {
  expect(parseManifest("it", manifestText(manifest))).toEqual(manifest);
  expect(partsOf(manifest).map(({ path }) => path)).toEqual([
    "digest-key",
    `files/11/${"1".repeat(64)}`,
    `files/22/${"2".repeat(64)}`,
    "service.db",
  ]);
  expect(sizeOf(manifest)).toBe(4096 + 65 + 5);
});

test("more files than can be read again are refused before a manifest is written, with what to do", () => {
  const files = Array.from({ length: 800_000 }, (_, n) => ({
    sha256: n.toString(16).padStart(64, "0"),
    size: 1,
  }));
  expect(() => manifestText({ ...manifest, files })).toThrow(
    expect.objectContaining({
      code: "backup_failed",
      hint: expect.stringContaining("Delete boards"),
    }),
  );
});

test("an edited manifest is refused, whatever was edited", () => {
  const text = manifestText(manifest);
  const edits: [string, string][] = [
    ['"seq":7', '"seq":6'],
    ["0.1.0", "0.1.1"],
    ['"size":4096', '"size":4097'],
    ["2026-01-02", "2026-01-03"],
    ['"mode":"team"', '"mode":"local"'],
  ];
  for (const [from, to] of edits)
    expect(() => parseManifest("it", text.replace(from, to))).toThrow(
      "it was changed after it was written",
    );
});

test("a manifest with foreign content is refused, also with a digest that fits", () => {
  const changed: Record<string, unknown>[] = [
    { mode: "other" },
    { more: 1 },
    { files: [{ sha256: "../../etc", size: 1 }] },
    { files: [...manifest.files].reverse() },
    { files: [manifest.files[0], manifest.files[0]] },
    { boards: [...manifest.boards, ...manifest.boards] },
    { boards: null },
    { database: { sha256: "b".repeat(64), size: -1 } },
    { database: { sha256: "b".repeat(64), size: 1.5 } },
    { program: "a b" },
    { at: "yesterday" },
  ];
  for (const change of changed) {
    const inner = { ...manifest, ...change };
    const sha256 = Bun.CryptoHasher.hash("sha256", JSON.stringify(inner), "hex");
    expect(() => parseManifest("it", JSON.stringify({ manifest: inner, sha256 }))).toThrow(
      "it does not have the fields of a manifest",
    );
  }
  for (const text of ["", "{", "null", "[]", "1", '{"manifest":[]}'])
    expect(() => parseManifest("it", text)).toThrow(/not JSON|not the manifest/);
  expect(() => parseManifest("it", '{"manifest":{"format":2}}')).toThrow(/newer version/);
});

test("a folder without a manifest is no backup, and one that is a link or a folder is not read", () => {
  const folder = temporaryFolder();
  expect(() => readManifest(join(folder, "none"))).toThrow("There is no backup");
  expect(() => readManifest(folder)).toThrow("There is no backup");
  writeFileSync(join(folder, "elsewhere"), manifestText(manifest));
  symlinkSync(join(folder, "elsewhere"), join(folder, "manifest.json"));
  expect(() => readManifest(folder)).toThrow("cannot be read");
  mkdirSync(join(folder, "other", "manifest.json"), { recursive: true });
  expect(() => readManifest(join(folder, "other"))).toThrow("it is not a file");
});
