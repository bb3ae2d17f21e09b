import { describe, expect, test } from "bun:test";
import { existsSync, rmSync, statSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { secretPrefixes } from "../../../src/contract/credentials.ts";
import { createSecretScan } from "../../../src/server/files/secret-scan.ts";
import type { World } from "../../support/servers/server-in-process.ts";
import {
  file,
  listed,
  put,
  refused,
  startBoardWithTasks,
  textOf,
  version,
} from "../../support/boards/board-with-files.ts";
import { docs } from "../../support/boards/docs-board.ts";
import { ask, verdictOf } from "../../support/raw-requests.ts";

const text = "0123456789";
const sha256 = (of: string) => Bun.CryptoHasher.hash("sha256", of, "hex");
/** A text that the scan must not find in this file's own source. */
const joined = (...parts: string[]) => parts.join("");

const get = (world: World, name: string, headers: Record<string, string> = {}) =>
  ask(world, `GET /v1/boards/docs/files/${encodeURIComponent(name)}/versions/latest`, {
    token: world.admin.token,
    headers,
  });

describe("a download", () => {
  test("has the exact bytes, and headers under which a browser runs nothing of them", async () => {
    const { world, ana } = await startBoardWithTasks();
    await put(ana, "deep/er/page.html", { text });
    const { status, text: got, headers } = await get(world, "deep/er/page.html");
    expect([status, got]).toEqual([200, text]);
    expect(headers).toEqual({
      "content-type": "text/html",
      etag: `"sha256:${sha256(text)}"`,
      "content-disposition": `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache, no-transform",
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    const bytes = new Uint8Array(70_000).map((_, index) => (index * 7919) % 256);
    await ana.upload({ ...docs, query: { name: "any.bin" } }, new Blob([bytes]));
    const download = await ana.download(version("any.bin"));
    expect(download).toMatchObject({
      digest: `sha256:${Bun.CryptoHasher.hash("sha256", bytes, "hex")}`,
      mediaType: "application/octet-stream",
    });
    expect(await new Response(download.body).bytes()).toEqual(bytes);
  });

  test("of one range has that part, and any other form of Range is answered whole", async () => {
    const { world, ana } = await startBoardWithTasks();
    await put(ana, "a", { text });
    await put(ana, "empty", { text: "" });
    for (const [range, part, at] of [
      ["bytes=0-3", "0123", "0-3"],
      ["bytes=4-", "456789", "4-9"],
      ["bytes=-3", "789", "7-9"],
      ["bytes=-30", text, "0-9"],
      ["bytes=8-400", "89", "8-9"],
      ["Bytes=9-9 ", "9", "9-9"],
    ] as const) {
      const { status, text: got, headers } = await get(world, "a", { range });
      expect([range, status, got]).toEqual([range, 206, part]);
      expect(headers["content-range"]).toBe(`bytes ${at}/10`);
    }
    for (const range of [
      "bytes=0-1,4-5",
      "bytes=",
      "bytes=-",
      "bytes=5-2",
      "lines=1-2",
      "bytes=a-b",
      "bytes=1",
    ]) {
      const { status, text: got, headers } = await get(world, "a", { range });
      expect([range, status, got]).toEqual([range, 200, text]);
      expect(headers["content-range"]).toBeUndefined();
    }
    for (const [name, range] of [
      ["a", "bytes=10-"],
      ["a", "bytes=99-100"],
      ["a", "bytes=-0"],
      ["empty", "bytes=0-"],
    ] as const) {
      const { verdict, headers } = await get(world, name, { range });
      expect([range, verdict]).toEqual([range, "416 invalid_request"]);
      expect(headers["content-range"]).toBe(`bytes */${name === "a" ? 10 : 0}`);
    }
    expect((await get(world, "empty")).text).toBe("");
    expect((await get(world, "empty", { range: "bytes=-5" })).verdict).toBe("200");
  });

  test("is 304 for whoever has the bytes, and a range is given only of the bytes that it is meant for", async () => {
    const { world, ana } = await startBoardWithTasks();
    await put(ana, "a", { text });
    const etag = `"sha256:${sha256(text)}"`;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await get(world, "a", { "if-none-match": known, range: "bytes=0-1" });
      expect([known, answer.status, answer.text]).toEqual([known, 304, ""]);
      expect(answer.headers["etag"]).toBe(etag);
    }
    expect((await get(world, "a", { "if-none-match": '"other"' })).status).toBe(200);
    const range = "bytes=0-1";
    expect((await get(world, "a", { range, "if-range": etag })).text).toBe("01");
    expect((await get(world, "a", { range, "if-range": '"other"' })).text).toBe(text);
  });

  test("of a version or a file that is not there is 404, and one whose bytes are gone says so", async () => {
    const { world, ana } = await startBoardWithTasks();
    const { latest } = await put(ana, "a", { text });
    const tried = (name: string, number: string) =>
      verdictOf(ana.download({ params: { board: "docs", file: name, version: number } }));
    expect(await tried("b", "1")).toBe("404 file_not_found");
    for (const number of ["2", "99999999999999999999"])
      expect(await tried("a", number)).toBe("404 version_not_found");
    for (const number of ["0", "01", "-1", "x", "1.0", "LATEST", ""])
      expect(await tried("a", number)).not.toBe("404 version_not_found");
    const path = (await world.bytes.find(sha256(text), 10))!;
    truncateSync(path, 4);
    expect(await tried("a", "1")).toBe("500 record_damaged");
    rmSync(path);
    expect(await tried("a", "1")).toBe("500 record_damaged");
    expect(world.faults.splice(0).map(({ seq }) => seq)).toEqual([latest.seq, latest.seq]);
    // Written again they are there again, for every version that has them.
    await put(ana, "b", { text });
    expect(await textOf(ana, "a")).toBe(text);
  });

  test("is for members of the board, as all of its files are", async () => {
    const { world, ana } = await startBoardWithTasks();
    await put(ana, "a");
    const stranger = await world.person("cy");
    expect(await verdictOf(stranger.download(version("a")))).toBe("403 not_on_board");
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    expect(await verdictOf(stranger.download(version("a")))).toBe("404 board_not_found");
  });
});

describe("the store", () => {
  test("has the same bytes once, for their owner alone", async () => {
    const { world, ana } = await startBoardWithTasks();
    await put(ana, "a", { text });
    const path = (await world.bytes.find(sha256(text), 10))!;
    const { ino, mode } = statSync(path);
    expect([mode & 0o777, statSync(join(path, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
    await put(ana, "b", { text });
    await put(ana, "a", { base: 1, text });
    expect(statSync(path).ino).toBe(ino);
  });

  test("lets bytes go a day later that nothing cites, and keeps all others", async () => {
    const { world, ana } = await startBoardWithTasks();
    const where = (of: string) => world.bytes.find(sha256(of), of.length);
    const age = async (of: string, hours: number) => {
      const at = new Date(world.clock.now.getTime() - hours * 3_600_000);
      utimesSync((await where(of))!, at, at);
    };
    await put(ana, "a", { text: "cited" });
    await put(ana, "b", { text: "removed" });
    await ana.call("removeFile", file("b"));
    await ana.call("createBoard", { body: { name: "gone" } });
    const gone = { params: { board: "gone" } };
    await ana.upload({ ...gone, query: { name: "a" } }, new Blob(["deleted"]));
    await ana.call("archiveBoard", gone);
    await ana.call("deleteBoard", gone);
    // With a key the bytes are taken in before it is refused.
    for (const spare of ["spare", "young"])
      expect(
        await verdictOf(
          ana.upload({ ...docs, query: { name: "a" } }, new Blob([spare]), {
            idempotencyKey: spare,
          }),
        ),
      ).toBe("409 file_exists");
    for (const of of ["cited", "removed", "deleted", "spare"]) await age(of, 25);
    await age("young", 23);
    expect(await world.sweepBytes()).toBe(1);
    expect(await where("spare")).toBeNull();
    for (const of of ["cited", "removed", "deleted", "young"])
      expect([of, await where(of)]).not.toEqual([of, null]);
  });

  test("never lets bytes go that an upload is about to cite", async () => {
    const { world, ana } = await startBoardWithTasks();
    async function* bytes() {
      yield new TextEncoder().encode("late");
    }
    const old = new Date(world.clock.now.getTime() - 25 * 3_600_000);
    const taken = await world.bytes.take(bytes());
    const work = Promise.withResolvers<void>();
    const storing = world.bytes.storing(taken, () => work.promise);
    let path: string | null = null;
    while (path === null) path = await world.bytes.find(sha256("late"), 4);
    utimesSync(path, old, old);
    expect(await world.sweepBytes()).toBe(0);
    work.resolve();
    await storing;
    expect(existsSync(path)).toBe(true);
    expect(await world.sweepBytes()).toBe(1);
    expect(existsSync(path)).toBe(false);
    await put(ana, "a", { text: "late" });
    expect(await textOf(ana, "a")).toBe("late");
  });

  test("has nothing of what broke off while it was taken in", async () => {
    const { world } = await startBoardWithTasks();
    async function* broken() {
      yield new TextEncoder().encode("half");
      throw new Error("the source broke");
    }
    await expect(world.bytes.take(broken())).rejects.toThrow("the source broke");
    const taken = await world.bytes.take(
      (async function* () {
        yield new TextEncoder().encode("whole");
      })(),
    );
    expect(existsSync(taken.path)).toBe(true);
    const failing = world.bytes.storing(taken, () => Promise.reject(new Error("refused")));
    await expect(failing).rejects.toThrow("refused");
    expect(existsSync(taken.path)).toBe(false);
    expect(world.bytes.isHeld(taken.digest)).toBe(false);
  });
});

const secrets = [
  ...Object.values(secretPrefixes).map((prefix) => joined(prefix, "_", "x".repeat(22), "-_")),
  joined("sk", "-", "a1_-".repeat(5)),
  ...[..."oprsu"].map((kind) => joined(`gh${kind}`, "_", "A1b2".repeat(5))),
  ...["", "RSA ", "EC ", "OPENSSH "].map((kind) => joined("-----BEGIN ", kind, "PRIVATE KEY-----")),
];
const harmless = [
  joined("abh", "_", "x".repeat(23)),
  joined("abx", "_", "x".repeat(40)),
  joined("sk", "-", "a".repeat(19)),
  joined("ghp", "_", "a".repeat(19)),
  joined("ghx", "_", "a".repeat(40)),
  "task-management-for-the-whole-team",
  "see /risk-assessment-and-mitigation-plan",
  "-----BEGIN PUBLIC KEY-----",
  "-----BEGIN CERTIFICATE-----",
];

describe("a credential in a file", () => {
  test("is refused anywhere in any file, and nothing is stored", async () => {
    const { world, ana } = await startBoardWithTasks();
    for (const secret of secrets) {
      const around = `\0\xff{"key":"${secret}"}\n`;
      expect([secret, await refused(ana, "a.png", { text: around })]).toEqual([
        secret,
        "422 file_has_secret",
      ]);
      const size = new Blob([around]).size;
      expect(await world.bytes.find(sha256(around), size)).toBeNull();
    }
    expect(await listed(ana)).toEqual([]);
    await put(ana, "a.txt", { text: harmless.join("\n") });
  });

  test("is found across pieces of any length, behind an escaped line break too", () => {
    const found = (of: string, length: number, prefix: string) => {
      const scan = createSecretScan();
      const bytes = Buffer.from(`${prefix}${of} tail`, "latin1");
      for (let at = 0; at < bytes.length; at += length) scan.add(bytes.subarray(at, at + length));
      return scan.found() !== null;
    };
    const before = [" ", "\\n", "\xff".repeat(100), `${"word ".repeat(30)}=`];
    for (const prefix of ["", ...before])
      for (const length of [1, 2, 3, 7, 20, 63, 64, 65, 1000]) {
        for (const secret of secrets)
          expect([prefix, length, secret, found(secret, length, prefix)]).toEqual([
            prefix,
            length,
            secret,
            true,
          ]);
        for (const each of harmless)
          expect([prefix, length, each, found(each, length, prefix)]).toEqual([
            prefix,
            length,
            each,
            false,
          ]);
      }
    for (let length = 1; length < 40; length++)
      expect([length, found("task-management-for-the-whole-team", length, "x".repeat(90))]).toEqual(
        [length, false],
      );
  });
});
