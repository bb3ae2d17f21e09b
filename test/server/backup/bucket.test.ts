import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Place } from "../../../src/backup/place.ts";
import { keepNewest } from "../../../src/backup/keep-newest.ts";
import { placeAt } from "../../../src/backup/places.ts";
import { largestObject, type BucketClient } from "../../../src/backup/s3-client.ts";
import { s3Place } from "../../../src/backup/s3-place.ts";
import { takeInto } from "../../../src/server/backup/take-backup.ts";
import { verifyBackup } from "../../../src/server/backup/verify-backup.ts";
import { filePath, postTo, put, startBackedUp } from "../../support/backups/backed-up-server.ts";
import { startBucket, type Fault } from "../../support/backups/bucket.ts";

const key = Buffer.alloc(32, 1).toString("base64");
const names = async (place: Place) => (await place.list()).map(({ name }) => name);

/** Fetches a backup and verifies every byte of it. */
async function verified(place: Place, name: string) {
  const { folder, done } = await place.fetch(name);
  try {
    return await verifyBackup(folder);
  } finally {
    done();
  }
}

describe("a bucket", () => {
  test("gets whole backups, which come back as they were, and each file's bytes once", async () => {
    const { client, source } = await startBackedUp();
    const { place: placeWith, bucket } = await startBucket();
    const place = placeWith();
    await put(client, "a.txt", "the text");
    await takeInto(place, source, "one", {});
    await postTo(client, "after the first");
    await put(client, "b.txt", "another text");
    await takeInto(place, source, "two", {});
    expect(await names(place)).toEqual(["two", "one"]);
    const [one, two] = [await verified(place, "one"), await verified(place, "two")];
    expect([one.files.length, two.files.length]).toEqual([1, 2]);
    expect(two.boards[0]!.seq).toBeGreaterThan(one.boards[0]!.seq);
    expect((await bucket.list("files/")).length).toBe(2);
    const { folder, done } = await place.fetch("one");
    expect(readFileSync(filePath(folder, "the text"), "utf8")).toBe("the text");
    done();
    await expect(takeInto(place, source, "one", {})).rejects.toMatchObject({
      code: "backup_exists",
    });
    expect(await keepNewest(place, 1, { serverId: one.server_id, made: "two" })).toEqual(["one"]);
    expect(await names(place)).toEqual(["two"]);
    await verified(place, "two");
    expect((await bucket.list("backups/one/")).length).toBe(0);
    await expect(place.manifestOf("one")).rejects.toMatchObject({ code: "backup_not_found" });
    await expect(place.delete("one")).rejects.toMatchObject({ code: "backup_not_found" });
  });

  test("shows nothing of what is encrypted, and gives it to nobody without its key", async () => {
    const { client, source } = await startBackedUp();
    const { place, bytes, bucket } = await startBucket();
    const text = "A sentence that stands nowhere else. ".repeat(20);
    await put(client, "a.txt", text);
    await takeInto(place(key), source, "sealed", {});
    for (const told of ["A sentence that", "SQLite format", "brd_"])
      expect([told, bytes().includes(told)]).toEqual([told, false]);
    expect((await verified(place(key), "sealed")).files).toHaveLength(1);
    await expect(place().manifestOf("sealed")).rejects.toMatchObject({
      code: "backup_key_invalid",
    });
    const other = Buffer.alloc(32, 2).toString("base64");
    await expect(place(other).manifestOf("sealed")).rejects.toMatchObject({
      code: "backup_damaged",
    });
    // What was stored under one name is not taken under another.
    const [file] = await bucket.list("files/");
    await bucket.put("backups/sealed/digest-key.1", (await bucket.get(file!.name))!);
    await expect(verified(place(key), "sealed")).rejects.toMatchObject({ code: "backup_damaged" });
  });

  test("whose objects were cut, exchanged or removed holds no backup any more, and says which part", async () => {
    const { client, source } = await startBackedUp();
    const { place: placeWith, bucket } = await startBucket();
    const place = placeWith();
    await put(client, "a.txt", "the text");
    await takeInto(place, source, "whole", {});
    const objects = [...(await bucket.list("backups/whole/")), ...(await bucket.list("files/"))];
    expect(objects).toHaveLength(4);
    for (const { name } of objects) {
      const bytes = (await bucket.get(name))!;
      const bomb = Buffer.concat([bytes.subarray(0, 8), Bun.zstdCompressSync(new Uint8Array(1e8))]);
      for (const damaged of [bytes.slice(0, -1), bytes.slice(0, 4), bomb, Buffer.from("{}")]) {
        await bucket.put(name, new Uint8Array(damaged));
        await expect(verified(place, "whole")).rejects.toMatchObject({
          code: "backup_damaged",
          message: expect.stringContaining(name.replace(/^backups\/whole\//, "")),
        });
      }
      await bucket.delete(name);
      await expect(verified(place, "whole")).rejects.toMatchObject({
        code: name.endsWith("manifest.json") ? "backup_not_found" : "backup_damaged",
      });
      await bucket.put(name, bytes);
    }
    await verified(place, "whole");
  });

  test("with another key stores files anew, and each backup opens with its own", async () => {
    const { client, source } = await startBackedUp();
    const { place } = await startBucket();
    const other = Buffer.alloc(32, 2).toString("base64");
    await put(client, "a.txt", "the text");
    await takeInto(place(key), source, "one", {});
    await takeInto(place(other), source, "two", {});
    await verified(place(key), "one");
    await verified(place(other), "two");
  });

  test("whose file of an earlier backup was damaged gets it anew", async () => {
    const { client, source } = await startBackedUp();
    const { place: placeWith, bucket } = await startBucket();
    await put(client, "a.txt", "the text");
    await takeInto(placeWith(), source, "one", {});
    const [file] = await bucket.list("files/");
    await bucket.put(file!.name, new Uint8Array(10));
    await takeInto(placeWith(), source, "two", {});
    await verified(placeWith(), "two");
    await verified(placeWith(), "one");
  });

  test("from which a shared file is removed meanwhile has no such backup", async () => {
    const { client, source } = await startBackedUp();
    const { place: placeWith, bucket, state } = await startBucket();
    const place = placeWith();
    await put(client, "a.txt", "the text");
    await takeInto(place, source, "one", {});
    const [file] = await bucket.list("files/");
    state.fault = ({ method, url }) => {
      if (method !== "PUT" || !url.endsWith("/two/manifest.json")) return undefined;
      state.fault = () => undefined;
      return bucket.delete(file!.name).then(() => new Response("busy", { status: 503 }));
    };
    await expect(takeInto(place, source, "two", {})).rejects.toMatchObject({
      code: "backup_place_failed",
      message: expect.stringContaining("was removed while"),
    });
    expect(await names(place)).toEqual(["one"]);
  });

  test("in which a run broke off has what that one stored for a day, and then no more", async () => {
    const { source } = await startBackedUp();
    const { place: placeWith, bucket, state, where } = await startBucket();
    const place = placeWith();
    for (const name of ["old", "older"]) await takeInto(place, source, name, {});
    await bucket.put("backups/readme/notes.txt", new Uint8Array(3));
    state.fault = ({ method, url }) =>
      method === "PUT" && url.endsWith("manifest.json")
        ? new Response("busy", { status: 503 })
        : undefined;
    await expect(takeInto(place, source, "broken", {})).rejects.toMatchObject({
      code: "backup_place_failed",
    });
    state.fault = () => undefined;
    const stored = async () => [
      ...new Set((await bucket.list("backups/")).map(({ name }) => name.split("/")[1])),
    ];
    await place.delete("older");
    expect(await stored()).toEqual(["broken", "old", "readme"]);
    const aDayLater: BucketClient = {
      ...bucket,
      list: async (start) => (await bucket.list(start)).map((one) => ({ ...one, storedAt: 0 })),
    };
    await takeInto(place, source, "new", {});
    await s3Place({ where, bucket: aDayLater, key: null }).delete("old");
    expect(await stored()).toEqual(["new", "readme"]);
    await verified(place, "new");
  });

  const error = (status: number, code: string) => () =>
    new Response(`<Error><Code>${code}</Code><Message>no</Message></Error>`, { status });
  const faults: Record<string, (request: Request, drop: () => void) => ReturnType<Fault>> = {
    "answers 500": error(500, "InternalError"),
    "answers 403": error(403, "AccessDenied"),
    "answers something else": () => new Response("hello"),
    "does not answer": () => new Promise(() => {}),
    "drops the line": (_, drop) => {
      drop();
      return new Promise(() => {});
    },
  };

  test.each(Object.keys(faults))(
    "that %s, from whichever request on, has no half backup, and its older one is whole",
    async (what) => {
      const { client, source, server } = await startBackedUp();
      const { place: placeWith, state, drop } = await startBucket();
      const place = placeWith();
      await put(client, "a.txt", "the text");
      await takeInto(place, source, "older", {});
      await put(client, "b.txt", "another text");
      let failures = 0;
      for (let from = 1; ; from += what === "does not answer" ? 3 : 1) {
        let request = 0;
        state.fault = (given) => (++request >= from ? faults[what]!(given, drop) : undefined);
        const failure = await takeInto(place, source, "next", {}).catch((error: unknown) => error);
        state.fault = () => undefined;
        if (!(failure instanceof Error)) break;
        failures++;
        expect(failure).toMatchObject({
          code: "backup_place_failed",
          hint: expect.stringMatching(/AWS_/),
        });
        // The manifest is the last thing that is stored. Only if the answer to that is lost the backup may be there: whole.
        if (!(await names(place)).includes("next")) continue;
        await verified(place, "next");
        await place.delete("next");
      }
      expect(failures).toBeGreaterThan(what === "does not answer" ? 2 : 7);
      expect(await names(place)).toEqual(["next", "older"]);
      await verified(place, "next");
      await verified(place, "older");
      await postTo(client, "The server goes on.");
      expect(server.url).toStartWith("http://");
    },
    60_000,
  );

  test("that fails once is asked again", async () => {
    const { source } = await startBackedUp();
    const { place: placeWith, state } = await startBucket();
    const place = placeWith();
    const seen = new Set<string>();
    state.fault = ({ method, url }) => {
      const what = `${method} ${new URL(url).pathname}`;
      if (seen.has(what)) return undefined;
      seen.add(what);
      return new Response("busy", { status: 503 });
    };
    await takeInto(place, source, "one", {});
    await verified(place, "one");
  });

  test("that is slow is waited for while bytes come, and as long as what is sent takes", async () => {
    const { bucket, bucketWith, state } = await startBucket();
    const bytes = new Uint8Array(3000).fill(7);
    await bucket.put("slow", bytes);
    // In pieces, which together take longer than one answer may.
    state.fault = ({ method }) =>
      method === "GET"
        ? new Response(
            new ReadableStream({
              async start(controller) {
                for (let at = 0; at < bytes.length; at += 500) {
                  controller.enqueue(bytes.slice(at, at + 500));
                  await Bun.sleep(100);
                }
                controller.close();
              },
            }),
          )
        : undefined;
    const slow = { answerMs: 250, bytesPerMs: 1 };
    expect(await bucketWith(slow).get("slow")).toEqual(Buffer.from(bytes));
    await expect(bucketWith({ answerMs: 250 }).get("slow")).rejects.toMatchObject({
      code: "backup_place_failed",
    });
    state.fault = ({ method }) =>
      method === "PUT" ? Bun.sleep(400).then(() => undefined) : undefined;
    await bucketWith(slow).put("slow", bytes);
    await expect(bucketWith({ answerMs: 250 }).put("slow", bytes)).rejects.toMatchObject({
      message: expect.stringContaining("no answer in"),
    });
  });

  test("that answers without an end is not read to the end", async () => {
    const { source } = await startBackedUp();
    const { place: placeWith, state } = await startBucket();
    // So much is read in its own time on a busy machine.
    const place = placeWith(undefined, { answerMs: 20_000 });
    await takeInto(place, source, "one", {});
    const piece = new Uint8Array(1024 * 1024);
    let sent = 0;
    state.fault = ({ method, url }) => {
      if (method !== "GET" || !url.endsWith("manifest.json")) return undefined;
      return new Response(
        new ReadableStream({
          pull(controller) {
            sent += piece.length;
            controller.enqueue(piece);
          },
        }),
      );
    };
    await expect(place.manifestOf("one")).rejects.toMatchObject({
      code: "backup_place_failed",
      message: expect.stringContaining(`more than ${largestObject} bytes`),
    });
    state.fault = () => undefined;
    expect(sent).toBeGreaterThan(largestObject);
    expect((await place.manifestOf("one")).boards).toHaveLength(1);
  });

  test("that lists objects without an end is not read without an end", async () => {
    const { bucket, state } = await startBucket();
    let pages = 0;
    state.fault = ({ method }) => {
      if (method !== "GET") return undefined;
      pages++;
      const key = `team/files/${`${pages}`.padStart(64, "0")}`;
      return new Response(
        `<?xml version="1.0"?><ListBucketResult><Name>backups</Name><IsTruncated>true</IsTruncated><KeyCount>1</KeyCount><Contents><Key>${key}</Key><Size>1</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents></ListBucketResult>`,
        { headers: { "content-type": "application/xml" } },
      );
    };
    await expect(bucket.list("files/")).rejects.toMatchObject({
      code: "backup_place_failed",
      message: expect.stringContaining("lists more than the 20 objects that were read under team/"),
    });
    expect(pages).toBe(20);
  });

  test("that stores other bytes than it was sent is noticed", async () => {
    const { source } = await startBackedUp();
    const { place: placeWith, state } = await startBucket();
    const place = placeWith();
    state.fault = ({ method, url }) =>
      method === "GET" && /service\.db/.test(url) ? new Response("other bytes") : undefined;
    await expect(takeInto(place, source, "one", {})).rejects.toMatchObject({
      code: "backup_place_failed",
      message: expect.stringContaining("not what was sent"),
    });
    state.fault = () => undefined;
    expect(await names(place)).toEqual([]);
  });
});

test("a place in a bucket is an address without keys, and an endpoint that keeps them", () => {
  const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  expect(placeAt("s3://bucket/some/where/", env)).toMatchObject({ isElsewhere: true });
  for (const [where, more] of [
    ["s3://user:secret-word@bucket", {}],
    ["s3://", {}],
    ["s3://bucket?key=secret-word", {}],
    ["s3://bucket", { AWS_SECRET_ACCESS_KEY: "" }],
    ["s3://bucket", { AWS_ENDPOINT_URL: "http://s3.example" }],
    ["s3://bucket", { AWS_ENDPOINT_URL: "https://user:secret-word@s3.example" }],
    ["s3://bucket", { AWS_ENDPOINT_URL: "ftp://127.0.0.1" }],
    ["s3://bucket/100%", {}],
    ["gs://bucket", {}],
  ] as const) {
    let refused: { code?: string; message?: string } = {};
    try {
      placeAt(where, { ...env, ...more });
    } catch (error) {
      refused = error as Error;
    }
    expect([where, refused.code]).toEqual([where, "storage_unsupported"]);
    expect(refused.message).not.toContain("secret-word");
  }
  for (const SERVICE_BACKUP_KEY of ["short", `${key}x`, Buffer.alloc(16).toString("base64")])
    expect(() => placeAt("s3://bucket", { ...env, SERVICE_BACKUP_KEY })).toThrow(
      "SERVICE_BACKUP_KEY",
    );
});
