import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { folderPlace } from "../../../src/backup/folder-place.ts";
import { openDatabase } from "../../../src/db/engine/database.ts";
import { takeBackup, takeInto, type BackupSource } from "../../../src/server/backup/take-backup.ts";
import {
  filePath,
  postTo,
  program,
  put,
  startBackedUp,
  startOn,
} from "../../support/backups/backed-up-server.ts";
import { untilTrue } from "../../support/wait-until.ts";
import { verifyBackup } from "../../../src/server/backup/verify-backup.ts";

test("a backup of a running server is whole, private and verified, and shares its files with the backup before", async () => {
  const { where, take, client, source } = await startBackedUp();
  const posted = await client.call("postMessage", {
    params: { board: "docs" },
    body: { to: ["all"], body: "before" },
  });
  expect(posted).toBeTruthy();
  await put(client, "a.txt", "the text");
  const { bytes } = await take("one");
  await take("two");
  const [one, two, own] = [join(where, "one"), join(where, "two"), source.dataFolder].map(
    (folder) => statSync(filePath(folder, "the text")).ino,
  );
  expect(two).toBe(one!);
  expect(own).not.toBe(one!);
  const manifest = await verifyBackup(join(where, "one"));
  expect(manifest.boards).toHaveLength(1);
  expect(bytes).toBeGreaterThan(0);
  expect(readdirSync(where).sort()).toEqual(["one", "two"]);
  expect(statSync(where).mode & 0o777).toBe(0o700);
  for (const name of ["service.db", "digest-key", "manifest.json"])
    expect(statSync(join(where, "one", name)).mode & 0o777).toBe(0o600);
  await expect(take("one")).rejects.toMatchObject({ code: "backup_exists" });
  // The file of the server is not opened a second time: another process is still refused.
  expect(() => openDatabase(join(source.dataFolder, "service.db"))).toThrow("Another server");
});

test("a backup that the log outgrows, or for which the disk has no room, fails, and the server goes on", async () => {
  const { where, client, source } = await startBackedUp();
  const posted = (body: string) =>
    client.call("postMessage", { params: { board: "docs" }, body: { body, to: ["all"] } });
  await expect(
    takeBackup({ ...source, reserveBytes: Number.MAX_SAFE_INTEGER }, where, "full"),
  ).rejects.toMatchObject({ code: "disk_full" });
  // A child that never says a word, so that the copy lasts until the server looks at the log.
  const silent = { ...source, mostLogBytes: 0, program: ["sh", "-c", "exec sleep 60"] };
  const taking = takeBackup(silent, where, "log");
  await posted("while the file is frozen");
  await expect(taking).rejects.toMatchObject({ code: "backup_failed" });
  expect(readdirSync(where)).toEqual([]);
  await posted("afterwards");
  await takeBackup(source, where, "good");
  expect(readdirSync(where)).toEqual(["good"]);
});

test("a backup whose folder is taken away meanwhile fails, and the server goes on", async () => {
  const { where, client, source } = await startBackedUp();
  const silent = { ...source, program: ["sh", "-c", "exec sleep 60"] };
  const taking = takeBackup(silent, where, "gone");
  await untilTrue(async () => existsSync(join(where, "gone.partial")), "a part is there");
  rmSync(where, { recursive: true });
  await expect(taking).rejects.toMatchObject({
    code: "backup_failed",
    message: expect.stringContaining("gone.partial"),
  });
  await postTo(client, "afterwards");
  await takeBackup(source, where, "good");
  expect(readdirSync(where)).toEqual(["good"]);
});

for (const step of ["start", "copied", "progress", "done"])
  test(`a backup whose process is killed at the step ${step} leaves nothing, and older ones stay`, async () => {
    const { where, client, source, take } = await startBackedUp();
    await put(client, "a.txt", "the text");
    await take("older");
    const dying = [
      process.execPath,
      join(import.meta.dir, "../../support/backups/dying-child.ts"),
      step,
    ];
    const failing = takeBackup({ ...source, program: dying }, where, "newer");
    if (step === "done") await failing;
    else await expect(failing).rejects.toMatchObject({ code: "backup_failed" });
    expect(readdirSync(where).sort()).toEqual(step === "done" ? ["newer", "older"] : ["older"]);
    for (const name of readdirSync(where)) await verifyBackup(join(where, name));
    await take("next");
  });

test("a file whose bytes are cut or missing makes the backup fail, and names the file", async () => {
  const { where, client, data, take } = await startBackedUp();
  await put(client, "a.txt", "the text");
  const path = filePath(data, "the text");
  truncateSync(path, 3);
  await expect(take("cut")).rejects.toThrow("it has 3 bytes and not 8");
  rmSync(path);
  await expect(take("missing")).rejects.toThrow("it is missing");
  expect(existsSync(where) ? readdirSync(where) : []).toEqual([]);
});

test("a damaged backup does not verify, whichever part is damaged", async () => {
  const { where, client, take } = await startBackedUp();
  await put(client, "a.txt", "the text");
  const damages: [string, (folder: string) => void][] = [
    ["digest-key", (folder) => writeFileSync(join(folder, "digest-key"), "0".repeat(65))],
    ["service.db", (folder) => truncateSync(join(folder, "service.db"), 4096)],
    ["manifest.json", (folder) => truncateSync(join(folder, "manifest.json"), 100)],
    ["files/", (folder) => writeFileSync(filePath(folder, "the text"), "another!")],
    ["service.db-wal", (folder) => writeFileSync(join(folder, "service.db-wal"), "x")],
  ];
  for (const [index, [part, damage]] of damages.entries()) {
    await take(`b${index}`);
    damage(join(where, `b${index}`));
    await expect(verifyBackup(join(where, `b${index}`))).rejects.toThrow(part);
  }
});

test("what a killed backup or deletion left goes with the first backup a day later, and nothing else does", async () => {
  const { where, take } = await startBackedUp();
  await take("one");
  const left = (name: string, hoursAgo: number, content = "service.db") => {
    const folder = join(where, name);
    mkdirSync(folder);
    writeFileSync(join(folder, content), "bytes");
    const at = new Date(Date.now() - hoursAgo * 3_600_000);
    for (const path of [join(folder, content), folder]) utimesSync(path, at, at);
  };
  left("killed.partial", 25);
  left("at-work.partial", 23);
  left("photos.partial", 100, "cat.jpg");
  left("photos", 100, "cat.jpg");
  symlinkSync(join(where, "nowhere"), join(where, "linked.partial"));
  await take("two");
  expect(readdirSync(where).sort()).toEqual([
    "at-work.partial",
    "linked.partial",
    "one",
    "photos",
    "photos.partial",
    "two",
  ]);
});

test("what the killed backup of a stopped server left is no backup, and goes with the next one", async () => {
  const { where, data, home, client, server } = await startBackedUp();
  await put(client, "a.txt", "the text");
  await server.stop();
  const script = join(import.meta.dir, "../../support/backups/dying-backup.ts");
  for (const name of ["one", "two"]) {
    const backingUp = Bun.spawn([process.execPath, script, data, where, name]);
    await backingUp.exited;
    expect(backingUp.signalCode).toBe("SIGKILL");
  }
  const place = folderPlace(where);
  expect(existsSync(join(where, "two.partial"))).toBe(true);
  expect(await place.taken()).toEqual([]);
  expect(await place.list()).toEqual([]);
  // And of one for a bucket.
  mkdirSync(join(data, "outgoing/three"), { recursive: true });
  const { db } = await startOn(data, home);
  const source: BackupSource = { db, dataFolder: data, program, version: "0.0.0-test" };
  await takeInto(place, source, "one", {});
  expect(readdirSync(where)).toEqual(["one"]);
  expect(existsSync(join(data, "outgoing"))).toBe(false);
  await verifyBackup(join(where, "one"));
});

test("a name at which another process is at work is refused, and that one's backup is whole", async () => {
  const { where, take } = await startBackedUp();
  const { source } = await startBackedUp();
  const first = take("one");
  await expect(takeBackup(source, where, "one")).rejects.toMatchObject({ code: "backup_running" });
  await first;
  expect(readdirSync(where)).toEqual(["one"]);
  await verifyBackup(join(where, "one"));
  await expect(takeBackup(source, where, "one")).rejects.toMatchObject({ code: "backup_exists" });
});

test("a deletion that is killed leaves no backup, and its name free", async () => {
  const { where, client, take } = await startBackedUp();
  for (let each = 0; each < 20; each++) await put(client, `${each}.txt`, `text ${each}`);
  await take("one");
  const script = join(import.meta.dir, "../../support/backups/dying-deletion.ts");
  const deleting = Bun.spawn([process.execPath, script, where, "one"]);
  await deleting.exited;
  expect(deleting.signalCode).toBe("SIGKILL");
  expect(readdirSync(where).sort()).toEqual(["one.partial", "one.partial.lock"]);
  expect(await folderPlace(where).taken()).toEqual([]);
  await take("one");
  expect(readdirSync(where)).toEqual(["one"]);
  await verifyBackup(join(where, "one"));
});
