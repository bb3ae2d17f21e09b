import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folderPlace } from "../../../src/backup/folder-place.ts";
import { createClient } from "../../../src/client/client.ts";
import { startDueBackup } from "../../../src/server/backup/due-backups.ts";
import { serverBackups } from "../../../src/server/backup/server-backups.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { program, startOn } from "../../support/backups/backed-up-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { untilTrue } from "../../support/wait-until.ts";

const hour = 3600_000;

/** A server that makes a backup each hour and keeps two, with a clock that the test moves. */
async function scheduled(where: string) {
  const home = temporaryFolder(() => server.stop());
  const dataFolder = join(home, "data");
  // How far the clock is ahead, and how much of the disk a backup must leave free.
  const given = { ahead: 0, reserveBytes: 0 };
  const clock = () => new Date(Date.now() + given.ahead);
  const settings = { to: folderPlace(where), keep: 2, everySeconds: hour / 1000 };
  const server = await startOn(dataFolder, home, { database: { clock }, backups: settings });
  const token = readFileSync(join(home, "key"), "utf8").trim();
  const client = createClient({ baseUrl: server.url, token });
  const { server_id: serverId } = await client.call("getInfo");
  const source = {
    db: server.db,
    dataFolder,
    program,
    version: "0.0.0-test",
    get reserveBytes() {
      return given.reserveBytes;
    },
  };
  const backups = await serverBackups(source, settings, {
    serverId,
    clock,
    log: Object.assign(() => {}, { takes: () => false }),
  });
  /** Looks whether a backup is due, waits for it, and gives the states of all, newest first. */
  async function look(): Promise<string[]> {
    await startDueBackup(server.db, backups, settings);
    await Bun.sleep(0);
    const ended = async () => backups.list().every(({ state }) => state !== "running");
    await untilTrue(ended, "the backup has ended", 20_000);
    return backups.list().map(({ state }) => state);
  }
  return { client, backups, given, look, serverId, place: settings.to };
}

test("a backup is made whenever the newest is old enough, after a failure an hour later, and so many stay", async () => {
  const { look, given, backups } = await scheduled(temporaryFolder());
  expect(await look()).toEqual(["done"]);
  expect(await look()).toEqual(["done"]);
  const first = backups.list()[0]!.name;
  given.ahead += hour + 1000;
  expect(await look()).toEqual(["done", "done"]);
  given.ahead += hour + 1000;
  expect(await look()).toEqual(["done", "done"]);
  expect(backups.list().map(({ name }) => name)).not.toContain(first);

  given.ahead += hour + 1000;
  given.reserveBytes = Number.MAX_SAFE_INTEGER;
  expect(await look()).toEqual(["failed", "done", "done"]);
  expect(backups.list()[0]).toMatchObject({ error: { code: "disk_full" } });
  given.reserveBytes = 0;
  given.ahead += hour / 2;
  expect(await look()).toEqual(["failed", "done", "done"]);
  given.ahead += hour / 2 + 1000;
  expect((await look())[0]).toBe("done");
});

test("a backup of a clock that was ahead keeps no later one away, and is no reason to remove it", async () => {
  const { look, given, backups } = await scheduled(temporaryFolder());
  given.ahead = 1000 * hour;
  await look();
  given.ahead += hour + 1000;
  await look();
  given.ahead = 0;
  expect(await look()).toEqual(["done", "done", "done"]);
  const { name } = backups.list()[2]!;
  expect(Date.parse(backups.get(name).taken_at!)).toBeLessThanOrEqual(Date.now());
  await look();
  expect(backups.list()).toHaveLength(3);
});

test("servers that share a place see, count and remove their own backups alone", async () => {
  const where = temporaryFolder();
  const [one, other] = [await scheduled(where), await scheduled(where)];
  expect(await one.look()).toEqual(["done"]);
  const { name } = one.backups.list()[0]!;
  // That of the other server is no reason to make none.
  other.given.ahead += 1000;
  expect(await other.look()).toEqual(["done"]);
  for (let round = 0; round < 3; round++) {
    other.given.ahead += hour + 1000;
    await other.look();
  }
  expect(other.backups.list()).toHaveLength(2);
  expect(one.backups.list().map((run) => run.name)).toEqual([name]);
  const there = await one.place.list();
  expect(there.map(({ manifest }) => manifest.server_id).toSorted()).toEqual(
    [one.serverId, other.serverId, other.serverId].toSorted(),
  );

  // A server that starts with them there treats them the same.
  const third = await scheduled(where);
  expect((await third.client.call("listBackups")).backups).toEqual([]);
  const params = { backup: name };
  expect(await refusalOf(third.client.call("deleteBackup", { params }))).toMatchObject({
    code: "backup_not_found",
  });
  expect(await refusalOf(third.client.call("createBackup", { body: { name } }))).toMatchObject({
    code: "backup_exists",
  });
});
