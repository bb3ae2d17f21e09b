import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { folderPlace } from "../../src/backup/folder-place.ts";
import { takeBackup } from "../../src/server/backup/take-backup.ts";
import { verifyBackup } from "../../src/server/backup/verify-backup.ts";
import { put, startBackedUp } from "../support/backups/backed-up-server.ts";
import { startBucket } from "../support/backups/bucket.ts";
import { docs, makeDocs } from "../support/boards/docs-board.ts";
import { newMachine } from "../support/commands/machine.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { mountSmallDisk } from "../support/servers/small-disk.ts";
import { sized } from "../support/tries.ts";

/** At how many places between nothing and enough a disk is full. */
const places = sized(20, 200);
const mebibyte = 1024 * 1024;
const disk = mountSmallDisk(8 * mebibyte);

/** Does something on a disk with ever more room, and says how it went each time. */
async function withEverMoreRoom(enough: number, work: () => Promise<unknown>): Promise<string[]> {
  const outcomes: string[] = [];
  for (let place = 0; place <= places; place++) {
    disk.fill(Math.ceil((enough * place) / places / 4096) * 4096);
    outcomes.push(
      await work().then(
        () => "done",
        ({ code }: { code: string }) => code,
      ),
    );
    disk.makeRoom();
  }
  return outcomes;
}

/** With enough room it is done, without any it is not, and each failure says that the disk is full. */
function expectOnlyFull(outcomes: readonly string[]): void {
  const full = "disk_full";
  expect(new Set(outcomes)).toEqual(new Set([full, "done"]));
  expect([outcomes[0], outcomes.at(-1)]).toEqual([full, "done"]);
}

/** The refusal that a command printed. */
const refusal = (stderr: string) =>
  Object.assign(new Error(stderr), { code: /^Error \((\w+)\)/.exec(stderr)?.[1] });

async function serverWithFiles() {
  const server = await startBackedUp();
  for (const name of ["a", "b", "c"]) await put(server.client, name, name.repeat(100_000));
  return server;
}

test("wherever the disk of the backups is full, there is no half backup, and the older one is whole", async () => {
  const { source } = await serverWithFiles();
  const where = join(disk.path, "saved");
  const full = { ...source, reserveBytes: 0 };
  await takeBackup(full, where, "older");
  let number = 0;
  const outcomes = await withEverMoreRoom(2 * mebibyte, async () => {
    const name = `newer-${number++}`;
    try {
      await takeBackup(full, where, name);
      await verifyBackup(join(where, name));
    } finally {
      const left = readdirSync(where).filter((one) => one !== "older");
      expect(left).toEqual(existsSync(join(where, name, "manifest.json")) ? [name] : []);
      rmSync(join(where, name), { recursive: true, force: true });
    }
  });
  expectOnlyFull(outcomes);
  await verifyBackup(join(where, "older"));
  rmSync(where, { recursive: true });
}, 120_000);

test("on a full disk a backup can be deleted, which makes room", async () => {
  const { source } = await serverWithFiles();
  const where = join(disk.path, "saved");
  await takeBackup({ ...source, reserveBytes: 0 }, where, "older");
  disk.fill(0);
  await folderPlace(where).delete("older");
  expect(readdirSync(where)).toEqual([]);
  disk.makeRoom();
  rmSync(where, { recursive: true });
});

test("wherever the disk of a restore is full, nothing is there that a server would start on, and the next one succeeds", async () => {
  const { take, where } = await serverWithFiles();
  await take("one");
  const machine = newMachine();
  const home = join(disk.path, "home");
  const env = { SERVICE_HOME: home };
  const words = ["restore", where, "--keys", "keep"];
  const outcomes = await withEverMoreRoom(5 * mebibyte, async () => {
    rmSync(home, { recursive: true, force: true });
    const { code, stderr } = await machine.run(words, { env });
    disk.makeRoom();
    if (code !== 0) {
      expect(existsSync(join(home, "data/service.db"))).toBe(false);
      await machine.ok(words, { env });
    }
    expect(await machine.json(["storage", "check"], { env })).toMatchObject({ ok: true });
    if (code !== 0) throw refusal(stderr);
  });
  rmSync(home, { recursive: true });
  expectOnlyFull(outcomes);
}, 120_000);

test("wherever the disk is full, a board's archive is whole, or as it was before", async () => {
  const server = await clockedServer();
  const { world } = server;
  await makeDocs(world);
  const machine = newMachine();
  await machine.ok(["login", server.url], { stdin: world.admin.token });
  const archive = join(disk.path, "docs.board.tar");
  const words = ["board", "export", "docs", "-o", archive, "--server", server.url, "--force"];
  await machine.ok(words);
  const older = readFileSync(archive);
  for (const name of ["a", "b", "c"])
    await world.admin.upload({ ...docs, query: { name } }, new Blob([name.repeat(100_000)]));
  const outcomes = await withEverMoreRoom(mebibyte, async () => {
    const { code, stderr } = await machine.run(words);
    expect(readdirSync(disk.path).filter((name) => name.includes("docs"))).toEqual([
      "docs.board.tar",
    ]);
    if (code === 0) return;
    expect(readFileSync(archive).equals(older)).toBe(true);
    throw refusal(stderr);
  });
  expectOnlyFull(outcomes);
}, 120_000);

test("wherever the disk is full, a check of what is stored says so, and leaves the folder as it was", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "rex"]);
  await machine.ok(["down"]);
  const data = join(disk.path, "data");
  cpSync(join(machine.home, "data"), data, { recursive: true });
  const before = readdirSync(data).toSorted();
  const bytes = readFileSync(join(data, "service.db"));
  const outcomes = await withEverMoreRoom(2 * mebibyte, async () => {
    const { code, stderr } = await machine.run(["storage", "check", "--data", data]);
    expect([readdirSync(data).toSorted(), code]).toEqual([before, code === 0 ? 0 : 1]);
    if (code !== 0) {
      expect(stderr).toContain(`as much room in ${data} as the database has`);
      throw refusal(stderr);
    }
  });
  expectOnlyFull(outcomes);
  expect(readFileSync(join(data, "service.db")).equals(bytes)).toBe(true);
  rmSync(data, { recursive: true });
});

test("where the disk is full, what helps to find the fault is written to another one", async () => {
  const machine = newMachine();
  const folder = join(disk.path, "bundle");
  mkdirSync(folder);
  disk.fill(0);
  const { code, stderr } = await machine.run(["debug-bundle", "-o", folder]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("debug-bundle -o FOLDER`")]);
  expect(stderr).toStartWith("Error (disk_full): ");
  expect(readdirSync(folder)).toEqual([]);
  await machine.ok(["debug-bundle", "-o", machine.home]);
  disk.makeRoom();
});

test("what is fetched from a bucket has no room among the temporary files, and the refusal names TMPDIR", async () => {
  const { env: bucket, where } = await startBucket();
  const machine = newMachine();
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["down"]);
  await machine.ok(["backup", "--name", "one", "--to", where], { env: bucket });
  disk.fill(256 * 1024);
  const env = { ...bucket, TMPDIR: disk.path };
  const words = ["backup", "verify", "one", "--to", where, "--json"];
  const { error } = (await machine.asProcess.run(words, { env })).json();
  expect(error).toMatchObject({
    code: "disk_full",
    message: expect.stringContaining(disk.path),
    hint: expect.stringContaining("TMPDIR"),
  });
  const fetched = () => readdirSync(disk.path).filter((name) => name.startsWith("service-"));
  expect(fetched()).toEqual([]);
  disk.makeRoom();
  expect((await machine.asProcess.run(words, { env })).json().ok).toBe(true);
  expect(fetched()).toEqual([]);
}, 60_000);
