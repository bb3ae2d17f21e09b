import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { manifestText, readManifest } from "../../../src/backup/manifest.ts";
import { createClient } from "../../../src/client/client.ts";
import { migrations } from "../../../src/db/migrations/index.ts";
import { restoreBackup, type RestoreOptions } from "../../../src/server/offline/restore.ts";
import { copyAsOfSchema } from "../../support/older-schema.ts";
import {
  filePath,
  postTo,
  put,
  startBackedUp,
  startOn,
} from "../../support/backups/backed-up-server.ts";

/** A server with a message, a file, an invitation and a backup of it, and how to restore that. */
async function backedUp() {
  const team = await startBackedUp();
  const { client, home, where, take } = team;
  await postTo(client, "before");
  await put(client, "a.txt", "the text");
  await take("nightly");
  const target = join(home, "restored");
  const from = join(where, "nightly");
  const restore = (given: Partial<RestoreOptions> = {}) =>
    restoreBackup({
      mode: "local",
      from,
      manifest: readManifest(given.from ?? from),
      name: "nightly",
      dataFolder: target,
      keys: "keep",
      keyFile: join(home, "new-key"),
      ...given,
    });
  return { ...team, target, from, restore };
}

const bodies = async (client: ReturnType<typeof createClient>) =>
  (await client.call("listMessages", { params: { board: "docs" } })).messages.map(
    ({ body }) => body,
  );

test("a restored server has what the backup has, under a new generation that its boards' logs name", async () => {
  const { client, home, target, restore } = await backedUp();
  await postTo(client, "after the backup");
  const before = await client.call("getInfo");
  const receipt = await restore();
  expect(receipt).toMatchObject({
    backup: "nightly",
    keys: "keep",
    boards: 1,
    people: 1,
    files: 1,
  });
  expect(readdirSync(target).sort()).toEqual(["digest-key", "files", "service.db"]);
  const restored = await startOn(target, home);
  const old = createClient({
    baseUrl: restored.url,
    token: readFileSync(join(home, "key"), "utf8").trim(),
  });
  const own = createClient({
    baseUrl: restored.url,
    token: readFileSync(join(home, "new-key"), "utf8").trim(),
  });
  for (const each of [old, own]) expect(await bodies(each)).toEqual(["before"]);
  const info = await own.call("getInfo");
  expect(info.server_id).toBe(before.server_id);
  expect(info.generation).not.toBe(before.generation);
  expect(info.generation).toBe(receipt.generation);
  const { events } = await own.call("listEvents", { params: { board: "docs" } });
  expect(events.at(-1)).toMatchObject({
    type: "board.rolled_back",
    actor: { kind: "system" },
    // The time of the backup: the event has that of the restore itself.
    data: { generation: info.generation, backup: "nightly", at: receipt.taken_at },
  });
  expect(readFileSync(filePath(target, "the text"), "utf8")).toBe("the text");
});

for (const keys of ["keep", "revoke"] as const)
  test(`after a restore with ${keys} codes and invitations have ended, and the old keys ${keys === "keep" ? "work" : "have ended too"}`, async () => {
    const { client, home, take, where, restore, target } = await backedUp();
    const { code } = await client.call("createJoinCode", {
      params: { board: "docs" },
      body: { role: "member" },
    });
    await take("with-codes");
    await restore({ from: join(where, "with-codes"), name: "with-codes", keys });
    const restored = await startOn(target, home);
    const as = (file: string) =>
      createClient({ baseUrl: restored.url, token: readFileSync(join(home, file), "utf8").trim() });
    expect((await as("key").send("getMe")).status).toBe(keys === "keep" ? 200 : 401);
    expect(await bodies(as("new-key"))).toEqual(["before"]);
    const { events } = await as("new-key").call("listEvents", { params: { board: "docs" } });
    expect(events.slice(-2).map(({ type }) => type)).toEqual([
      "board.rolled_back",
      "joincode.revoked",
    ]);
    const joining = await as("new-key").send("join", { body: { code, name: "late" } } as never);
    expect(joining.status).toBeGreaterThanOrEqual(400);
  });

test("a restore writes over nothing, and a damaged backup leaves nothing half there", async () => {
  const { target, from, restore, data } = await backedUp();
  await expect(restore({ dataFolder: data })).rejects.toMatchObject({ code: "folder_not_empty" });
  mkdirSync(target);
  writeFileSync(join(target, "mine.txt"), "mine");
  await expect(restore()).rejects.toMatchObject({ code: "folder_not_empty" });
  expect(readdirSync(target)).toEqual(["mine.txt"]);
  const other = join(target, "..", "other");
  truncateSync(filePath(from, "the text"), 1);
  await expect(restore({ dataFolder: other })).rejects.toMatchObject({ code: "backup_damaged" });
  expect(readdirSync(other)).toEqual([]);
});

test("what came into the folder while a restore ran stays as it is", async () => {
  const { target, restore } = await backedUp();
  const file = join(target, "service.db");
  // As a server that looked for a restore just before this one began.
  const onBytes = () => writeFileSync(file, "of a server");
  const refused = { code: "folder_not_empty" };
  await expect(restore({ onBytes })).rejects.toMatchObject(refused);
  await expect(restore()).rejects.toMatchObject(refused);
  expect(readdirSync(target)).toEqual(["service.db"]);
  expect(readFileSync(file, "utf8")).toBe("of a server");
});

test("a folder with an unfinished restore starts no server, and the same restore begins anew", async () => {
  const { home, target, restore } = await backedUp();
  for (const interrupted of ["copying", "moving", "moved"]) {
    const inside = join(target, ".restore");
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, "service.db"), "half");
    if (interrupted !== "copying") writeFileSync(join(inside, "moving"), "");
    await expect(startOn(target, home)).rejects.toMatchObject({ code: "restore_unfinished" });
    // What had been moved is what the last round left there.
    expect((await restore()).boards).toBe(1);
    expect(existsSync(inside)).toBe(false);
    expect(existsSync(join(target, "service.db"))).toBe(true);
  }
});

test("the backup of an older version is brought up to date, and stays what it was", async () => {
  const { home, from, target, restore } = await backedUp();
  const path = join(from, "service.db");
  const schema = migrations.length - 1;
  renameSync(path, join(home, "made.db"));
  copyAsOfSchema(schema, join(home, "made.db"), path);
  const sha256 = Bun.CryptoHasher.hash("sha256", readFileSync(path), "hex");
  const database = { sha256, size: statSync(path).size };
  writeFileSync(
    join(from, "manifest.json"),
    manifestText({ ...readManifest(from), schema, database }),
  );
  await restore();
  expect(readdirSync(target).sort()).toEqual(["digest-key", "files", "service.db"]);
  const { url } = await startOn(target, home);
  const client = createClient({
    baseUrl: url,
    token: readFileSync(join(home, "key"), "utf8").trim(),
  });
  expect(await bodies(client)).toEqual(["before"]);
  expect(Bun.CryptoHasher.hash("sha256", readFileSync(path), "hex")).toBe(sha256);
});

test("the backup of a newer program, or of the other kind of server, is refused", async () => {
  const { restore, from, target } = await backedUp();
  const manifest = readManifest(from);
  await expect(restore({ manifest: { ...manifest, schema: 999 } })).rejects.toMatchObject({
    code: "data_newer",
  });
  await expect(restore({ mode: "team" })).rejects.toMatchObject({ code: "database_mode" });
  expect(existsSync(target)).toBe(false);
});
