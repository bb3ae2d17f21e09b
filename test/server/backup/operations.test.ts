import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderPlace } from "../../../src/backup/folder-place.ts";
import { createClient } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { startBackedUp, startOn } from "../../support/backups/backed-up-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { untilTrue } from "../../support/wait-until.ts";

test("a backup is begun, one at a time, is listed when it is done, and is deleted", async () => {
  const { client, data } = await startBackedUp();
  const begin = (name: string) => client.call("createBackup", { body: { name } });
  const params = { backup: "nightly" };
  expect(await begin("nightly")).toMatchObject({ name: "nightly", state: "running" });
  expect(await refusalOf(begin("other"))).toMatchObject({ status: 409, code: "backup_running" });
  while ((await client.call("getBackup", { params })).state === "running") await Bun.sleep(5);
  const { backups } = await client.call("listBackups");
  expect(backups).toMatchObject([{ name: "nightly", state: "done", error: null }]);
  expect(existsSync(join(data, "saved/nightly/manifest.json"))).toBe(true);
  expect(await refusalOf(begin("nightly"))).toMatchObject({ status: 409, code: "backup_exists" });
  await client.call("deleteBackup", { params });
  expect(await refusalOf(client.call("getBackup", { params }))).toMatchObject({
    status: 404,
    code: "backup_not_found",
  });
});

test("a backup takes the name of one whose deletion was just answered", async () => {
  const { client, data } = await startBackedUp();
  const params = { backup: "nightly" };
  const body = { name: "nightly" };
  const ended = async () => {
    for (;;) {
      const run = await client.call("getBackup", { params });
      if (run.state !== "running") return run;
      await Bun.sleep(5);
    }
  };
  await client.call("createBackup", { body });
  const first = await ended();
  await Promise.all([
    client.call("deleteBackup", { params }),
    client.call("createBackup", { body }),
  ]);
  const second = await ended();
  expect(second).toMatchObject({ state: "done", error: null });
  expect(second.taken_at! > first.taken_at!).toBe(true);
  expect(existsSync(join(data, "saved/nightly/manifest.json"))).toBe(true);
});

test("a backup that somebody removed by hand is none, and its name is free; one that is there keeps its name", async () => {
  const home = temporaryFolder();
  const lines: string[] = [];
  const server = await startOn(join(home, "data"), home, { log: (line) => void lines.push(line) });
  const token = readFileSync(join(home, "key"), "utf8").trim();
  const client = createClient({ baseUrl: server.url, token });
  const begin = (name: string) => client.call("createBackup", { body: { name } });
  const ended = async (backup: string) => {
    while ((await client.call("getBackup", { params: { backup } })).state === "running")
      await Bun.sleep(5);
  };
  const saved = join(home, "data/saved");
  await begin("one");
  await ended("one");
  await folderPlace(saved).delete("one");
  expect((await client.call("listBackups")).backups).toEqual([]);
  for (const name of ["getBackup", "deleteBackup"] as const)
    expect(await refusalOf(client.call(name, { params: { backup: "one" } }))).toMatchObject({
      status: 404,
      code: "backup_not_found",
    });
  await begin("one");
  await ended("one");
  expect((await client.call("listBackups")).backups).toMatchObject([{ state: "done" }]);
  // What nobody can read has its name all the same.
  mkdirSync(join(saved, "two"));
  expect(await refusalOf(begin("two"))).toMatchObject({ status: 409, code: "backup_exists" });
  await server.stop();
  expect(lines.filter((line) => line.includes('"error"'))).toEqual([]);
});

test("a backup whose server is killed is one that failed, and leaves nothing in its place", async () => {
  const [home, where] = [temporaryFolder(), temporaryFolder()];
  const script = join(import.meta.dir, "../../support/backups/stuck-server.ts");
  const stuck = Bun.spawn([process.execPath, script, home, where], { stdout: "pipe" });
  const { value } = await stuck.stdout.getReader().read();
  const clientAt = (baseUrl: string) =>
    createClient({ baseUrl, token: readFileSync(join(home, "key"), "utf8").trim() });
  const body = { name: "cut-short" };
  await clientAt(new TextDecoder().decode(value).trim()).call("createBackup", { body });
  await untilTrue(async () => readdirSync(where).includes("cut-short.partial"), "a part is there");
  stuck.kill("SIGKILL");
  await stuck.exited;

  const backups = { to: folderPlace(where) };
  const { url, stop } = await startOn(join(home, "data"), home, { backups });
  const client = clientAt(url);
  expect(await client.call("getBackup", { params: { backup: "cut-short" } })).toMatchObject({
    state: "failed",
    where,
    ended_at: expect.any(String),
    error: { code: "server_stopped" },
  });
  expect(readdirSync(where)).toEqual([]);
  expect(await client.call("createBackup", { body })).toMatchObject({ state: "running" });
  await stop();
});
