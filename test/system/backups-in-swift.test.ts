import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { placeAt } from "../../src/backup/places.ts";
import { takeInto } from "../../src/server/backup/take-backup.ts";
import { verifyBackup } from "../../src/server/backup/verify-backup.ts";
import { filePath, put, startBackedUp } from "../support/backups/backed-up-server.ts";
import { startSwift } from "../support/backups/swift.ts";

const where = "s3://backups/a team/of ours";
const env = await startSwift();

test("a server that checks signatures takes backups, lists, gives and removes them", async () => {
  const { client, source } = await startBackedUp();
  for (const key of [undefined, Buffer.alloc(32, 3).toString("base64")]) {
    const name = key ? "sealed" : "open";
    const place = placeAt(where, { ...env, SERVICE_BACKUP_KEY: key });
    await put(client, `${name}.txt`, `the text, ${name}`);
    await takeInto(place, source, name, {});
    const { folder, done } = await place.fetch(name);
    expect((await verifyBackup(folder)).files).toHaveLength(key ? 2 : 1);
    expect(readFileSync(filePath(folder, `the text, ${name}`), "utf8")).toBe(`the text, ${name}`);
    done();
  }
  const open = placeAt(where, env);
  expect((await open.list()).map(({ name }) => name)).toEqual(["open"]);
  expect((await open.taken()).toSorted()).toEqual(["open", "sealed"]);
  await open.delete("open");
  expect(await open.taken()).toEqual(["sealed"]);
}, 60_000);

test("it refuses another key, and another bucket, with what to check", async () => {
  const { source } = await startBackedUp();
  for (const [to, more, code] of [
    [where, { AWS_SECRET_ACCESS_KEY: "another" }, "SignatureDoesNotMatch"],
    [where, { AWS_ACCESS_KEY_ID: "test:nobody" }, "SignatureDoesNotMatch"],
    ["s3://none", {}, "NoSuchBucket"],
  ] as const)
    await expect(
      takeInto(placeAt(to, { ...env, ...more }), source, "one", {}),
    ).rejects.toMatchObject({
      code: "backup_place_failed",
      message: expect.stringContaining(code),
      hint: expect.stringContaining("AWS_SECRET_ACCESS_KEY"),
    });
}, 60_000);
