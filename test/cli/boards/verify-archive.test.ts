import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tarHeader } from "../../../src/board-archive/tar-blocks.ts";
import { verifyArchive } from "../../../src/cli/boards/moving/verify-archive.ts";
import { Refusal } from "../../../src/contract/refusal.ts";
import {
  archiveOf,
  madeParts,
  rehashed,
  tar,
  type Parts,
} from "../../support/boards/board-archive.ts";

const folder = mkdtempSync(join(tmpdir(), "service-archives-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "one.board.tar");

const parts = madeParts({ messages: 3, files: 2 });
const [digest, bytes] = [...parts.files][0]!;
const whole = Buffer.from(await archiveOf(parts).arrayBuffer());

/** What is wrong with these bytes; null if nothing is. */
async function problemOf(archive: Uint8Array | Blob, announced?: number): Promise<string | null> {
  await Bun.write(path, archive);
  try {
    await verifyArchive(path, announced === undefined ? {} : { announced });
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    const { code, details } = error as Refusal;
    expect(code).toBe("board_archive_invalid");
    return String(details?.["problem"]);
  }
}

/** The archive with its parts changed before they are bytes. */
function changed(change: (copy: Parts) => Parts | void): Blob {
  const copy = structuredClone(parts);
  return archiveOf(change(copy) ?? copy);
}
/** The archive with one more part at its end. */
const withPart = (name: string, content: string | Uint8Array): Uint8Array =>
  Buffer.concat([
    whole.subarray(0, -1024),
    Buffer.from(entry(name, content)),
    whole.subarray(-1024),
  ]);
const entry = (name: string, content: string | Uint8Array) => {
  const body = Buffer.from(content);
  return Buffer.concat([tarHeader(name, body.length), body, Buffer.alloc(-body.length & 511)]);
};
/** A change of raw bytes, with the sum of the header at `at` made right again. */
function patched(at: number, change: (header: Buffer) => void): Buffer {
  const copy = Buffer.from(whole);
  const header = copy.subarray(at, at + 512);
  change(header);
  header.fill(" ", 148, 156);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return copy;
}
const filesAt = whole.indexOf(`files/${digest}`);
const text = (manifest: object) => JSON.stringify({ ...parts.manifest, ...manifest });
const lines = parts.events.map((event) => `${JSON.stringify(event)}\n`).join("");

const archives: Record<string, [() => Uint8Array | Blob, string]> = {
  "has no file that its log cites": [
    () => changed(({ files }) => void files.delete(digest)),
    `files/${digest} is missing`,
  ],
  "has a file that its log does not cite": [
    () => withPart(`files/${"0".repeat(64)}`, "stranger"),
    "nothing in its log needs",
  ],
  "has a file twice": [() => withPart(`files/${digest}`, bytes), "nothing in its log needs"],
  "has its log twice": [() => withPart("events.jsonl", lines), "nothing in its log needs"],
  "has its manifest twice": [
    () =>
      tar([
        ["manifest.json", text({})],
        ["manifest.json", text({})],
      ]),
    "no people.json where it must be",
  ],
  "has a part of another kind": [() => withPart("notes.txt", "hello"), "nothing in its log needs"],
  "has a path that leads out": [
    () => withPart("files/../../evil", "x"),
    "nothing in its log needs",
  ],
  "has an absolute path": [() => withPart("/etc/evil", "x"), "a name in it is none"],
  "has a path that begins above": [() => withPart("../evil", "x"), "a name in it is none"],
  "has a link": [() => patched(filesAt, (header) => header.write("2", 156)), "no plain file"],
  "has a header that was changed": [
    () => Buffer.from(whole).fill("X", filesAt + 10, filesAt + 11),
    "a header of the tar is damaged",
  ],
  "says a smaller size of a file": [
    () => patched(filesAt, (header) => header.write("00000001000", 124)),
    "another size than its log says",
  ],
  "says a size beyond its end": [
    () => patched(filesAt, (header) => header.write("77777777777", 124)),
    "breaks off inside files/",
  ],
  "says a size that is no number": [
    () => patched(filesAt, (header) => header.write("-0000000001", 124)),
    "a size in it is no number",
  ],
  "has other bytes in a file": [
    () => changed(({ files }) => void files.set(digest, Buffer.alloc(bytes.length, "x"))),
    "have another digest",
  ],
  "gives a digest two sizes": [
    () =>
      changed((copy) => {
        const [one, two] = copy.events.filter(({ type }) => type === "file.version_added");
        Object.assign(two!.data!, { digest: (one!.data as any).digest, size: 7 });
        return rehashed(copy);
      }),
    "another size",
  ],
  "has a gap in its log": [() => changed(({ events }) => void events.splice(3, 1)), "seq_gap"],
  "has events that changed places": [
    () => changed(({ events }) => void events.splice(3, 2, events[4]!, events[3]!)),
    "seq_gap",
  ],
  "lost the last event of its log": [
    () => changed(({ events }) => void events.pop()),
    "not at the head",
  ],
  "has a log of a forger under the old head": [
    () =>
      changed((copy) => ({
        ...rehashed({ ...copy, events: copy.events.slice(0, -1) }),
        manifest: copy.manifest,
      })),
    "not at the head",
  ],
  "leaves out what an event says": [
    () => changed(({ events }) => void delete (events[4] as any).data),
    "event #5 has no data",
  ],
  "has an event that says something else": [
    () => changed(({ events }) => void Object.assign(events.at(-1)!.data!, { body: "forged" })),
    "data_hash_mismatch",
  ],
  "has events of another board": [
    () => changed(({ manifest }) => void (manifest["board"].id = `brd_${"0".repeat(26)}`)),
    "is of another board",
  ],
  "has an event that is no object": [
    () =>
      tar([
        ["manifest.json", text({})],
        ["people.json", "[]"],
        ["events.jsonl", "null\n"],
      ]),
    "has not the form of an event",
  ],
  "has a line that is no JSON": [
    () =>
      tar([
        ["manifest.json", text({})],
        ["people.json", "[]"],
        ["events.jsonl", "{\n"],
      ]),
    "is no JSON",
  ],
  "has a last line without its end": [
    () =>
      tar([
        ["manifest.json", text({})],
        ["people.json", "[]"],
        ["events.jsonl", "{}"],
      ]),
    "has no end",
  ],
  "has an empty log": [
    () =>
      tar([
        ["manifest.json", text({})],
        ["people.json", "[]"],
        ["events.jsonl", ""],
      ]),
    "it has no log",
  ],
  "has a manifest that is too large": [
    () => tar([["manifest.json", text({ more: "x".repeat(70_000) })]]),
    "manifest.json is too large",
  ],
  "has a manifest without a head": [
    () => tar([["manifest.json", text({ head: undefined })]]),
    "has not the form of a manifest",
  ],
  "has a manifest that is null": [() => tar([["manifest.json", "null"]]), "the form of a manifest"],
  "has a person twice": [
    () => changed(({ people }) => void people.push(people[0]!)),
    "has somebody twice",
  ],
  "has people of another form": [
    () => changed((copy) => ({ ...copy, people: {} as never })),
    "the form of a list of people",
  ],
  "has its people before its manifest": [
    () =>
      tar([
        ["people.json", "[]"],
        ["manifest.json", text({})],
      ]),
    "no manifest.json where it must be",
  ],
  "is empty": [() => new Uint8Array(), "the end of the tar is missing"],
  "is a bomb of zeros": [() => new Uint8Array(1024 * 1024), "the end of the tar"],
  "has zeros without end behind it": [
    () => Buffer.concat([whole, Buffer.alloc(64 * 1024)]),
    "the end of the tar",
  ],
  "has something behind its end": [
    () => Buffer.concat([whole, entry("evil", "x")]),
    "something follows the end",
  ],
  "lost its end": [() => whole.subarray(0, -1024), "the end of the tar is missing"],
  "breaks off inside a block": [() => whole.subarray(0, -700), "no whole number of tar blocks"],
};

describe("an archive is refused that", () => {
  for (const [name, [archive, wrong]] of Object.entries(archives))
    test(name, async () => expect(await problemOf(archive())).toContain(wrong));

  test("has other bytes than the server announced", async () => {
    expect(await problemOf(whole, whole.length + 512)).toContain("the server announced");
    expect(await problemOf(whole, whole.length - 512)).toContain("the server announced");
  });
});

test("a whole archive is told with its board, its head and what it holds", async () => {
  expect(await problemOf(whole, whole.length)).toBeNull();
  const { board, head } = parts.manifest as { board: object; head: { seq: number } };
  expect(await verifyArchive(path)).toEqual({
    board,
    head,
    events: head.seq,
    files: 2,
    since: { seq: 0, hash: `sha256:${"0".repeat(64)}` },
  } as never);
});
