import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import { migrate } from "../../src/db/engine/migrate.ts";
import { migrations } from "../../src/db/migrations/index.ts";
import { notedDisk } from "../support/noted-disk.ts";
import { startWorld } from "../support/servers/server-in-process.ts";
import { file as fileNamed, put } from "../support/boards/board-with-files.ts";
import { brokenLaws } from "../support/database-laws.ts";
import { copyAsOfSchema, tablesOf } from "../support/older-schema.ts";
import { openTask, task } from "../support/boards/board-with-tasks.ts";
import { docs, eventsOf, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A file as the program left it whose last migration had this number, with docs, its people, an agent and messages. `more` adds to that. */
async function fileOfSchema(
  schema: number,
  more: (by: Client) => Promise<unknown> = async () => {},
) {
  const folder = temporaryFolder();
  const [made, file] = [join(folder, "made.db"), join(folder, "service.db")];
  const world = await startWorld({ file: made });
  await makeDocs(world, { title: "Docs" });
  const bo = await personOnDocs(world, "bo");
  const agent = await world.seat(bo, "docs", { name: "scout" });
  await post(agent, "hello");
  await post(bo, { body: "and you?", to: ["@scout"] });
  await more(bo);
  const { code } = await agent.call("createJoinCode", { ...docs, body: { role: "member" } });
  const events = await eventsOf(bo);
  world.stop();

  copyAsOfSchema(schema, made, file);
  for (const left of readdirSync(folder))
    if (left.startsWith("made.db")) rmSync(join(folder, left));
  return { file, token: agent.token, key: bo.token, code, events };
}
/** The number of the schema that a migration changes. */
const schemaBefore = (migration: string) => migrations.findIndex(({ name }) => name === migration);

/** Everything in a file, and its schema's number. */
function contentsOf(file: string) {
  const sql = new Database(file, { readonly: true });
  const version = sql.query("PRAGMA user_version").get() as { user_version: number };
  const tables = tablesOf(sql).map((table) => [table, sql.query(`SELECT * FROM ${table}`).all()]);
  sql.close();
  return { ...version, ...Object.fromEntries(tables) };
}
const backups = (file: string) => join(dirname(file), "backups");
const copies = (file: string) => readdirSync(backups(file)).sort();

test("a database of schema 1 is brought to this one with everything in it, and copied beside as it was", async () => {
  const { file, token, key, code, events } = await fileOfSchema(1);
  const before = contentsOf(file);
  const world = await startWorld({ file });
  const [agent, bo] = [world.as(token), world.as(key)];
  expect(await eventsOf(agent)).toEqual(events);
  expect((await bo.call("listMessages", docs)).messages.map(({ body }) => body)).toEqual([
    "hello",
    "and you?",
  ]);
  const { hits, complete } = await bo.call("searchBoard", { ...docs, query: { q: "you" } });
  expect([hits.map((hit) => hit.kind === "message" && hit.from.name), complete]).toEqual([
    ["bo"],
    true,
  ]);
  const board = await bo.call("getBoard", docs);
  expect([board.lifecycle, board.title, board.can_archive]).toEqual(["active", "Docs", false]);
  expect((await bo.call("join", { body: { code } })).agent.role).toBe("member");
  await post(agent, "go on");
  world.stop();
  const [copy = ""] = copies(file);
  expect(copy).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-schema-1\.db$/);
  expect(contentsOf(join(backups(file), copy))).toEqual(before);
  expect(before.user_version).toBe(1);
  expect(contentsOf(file).user_version).toBe(migrations.length);

  (await startWorld({ file })).stop();
  expect(copies(file)).toHaveLength(1);
});

test("tasks and files are found that were there before they could be, as they are and where they last changed", async () => {
  const { file, key, events } = await fileOfSchema(
    schemaBefore("0015_search_things"),
    async (by) => {
      for (const title of ["First", "Second"]) await openTask(by, title);
      await by.call("updateTask", { ...task(1), body: { stands: "Half done." } });
      await by.call("startTask", task(1));
      await by.call("finishTask", { ...task(2), body: { note: "All done." } });
      for (const name of ["plan.md", "old/plan.md", "draft.md"]) await put(by, name);
      await put(by, "plan.md", { base: 1 });
      await by.call("updateFile", { ...fileNamed("draft.md"), body: { name: "plan-b.md" } });
      await by.call("removeFile", fileNamed("old/plan.md"));
    },
  );
  const world = await startWorld({ file });
  const bo = world.as(key);
  const { hits } = await bo.call("searchBoard", { ...docs, query: { q: "done", kind: "task" } });
  const written = events.filter(({ type }) => /^task\.(updated|done)$/.test(type));
  expect(hits.map((hit) => [hit.kind === "task" && hit.title, hit.seq])).toEqual([
    ["Second", written[1]!.seq],
    ["First", written[0]!.seq],
  ]);
  await bo.call("updateTask", { ...task(1), body: { stands: "It begins." } });
  const filesFound = async (q: string) =>
    (await bo.call("searchBoard", { ...docs, query: { q, kind: "file", from: "bo" } })).hits.map(
      (hit) => [hit.kind === "file" && hit.name, hit.seq],
    );
  const moved = events.filter(({ type }) => /^file\.(version_added|renamed)$/.test(type));
  expect(await filesFound("plan")).toEqual([
    ["plan.md", moved[3]!.seq],
    ["plan-b.md", moved[4]!.seq],
  ]);
  await bo.call("removeFile", fileNamed("plan.md"));
  expect(await filesFound("plan")).toHaveLength(1);
  expect(await filesFound("draft")).toEqual([]);
  const found = async (q: string) =>
    (await bo.call("searchBoard", { ...docs, query: { q, kind: "task" } })).hits.length;
  expect([await found("half"), await found("begins")]).toEqual([0, 1]);
});

test("the copy of before an upgrade is on disk with its name, and the upgrade does not begin where that fails", async () => {
  const { file } = await fileOfSchema(1);
  const { disk, notes } = notedDisk(dirname(file));
  const sql = new Database(file);
  const schema = () => sql.query("PRAGMA user_version").get();
  const failing = () => {
    throw new Error("no sync");
  };
  expect(() => migrate(sql, file, { ...disk, fsyncSync: failing })).toThrow("no sync");
  expect(schema()).toEqual({ user_version: 1 });
  rmSync(backups(file), { recursive: true, force: true });
  notes.splice(0);
  migrate(sql, file, disk);
  expect(schema()).toEqual({ user_version: migrations.length });
  sql.close();
  const copy = `backups/${copies(file)[0]}`;
  expect(notes).toEqual([
    "sync ..",
    "mkdir backups",
    "sync .",
    `sync ${copy}.part`,
    `rename ${copy}.part ${copy}`,
    "sync backups",
  ]);
});

test("the three newest copies are kept, and what an attempt cut short or somebody put there stays", async () => {
  const { file, key } = await fileOfSchema(1);
  const before = contentsOf(file);
  const older = [1, 2, 3, 4].map((day) => `2026-01-0${day}T00-00-00-000Z-schema-1.db`);
  const others = ["2026-01-05T00-00-00-000Z-schema-1.db.part", "mine.db"];
  for (const name of [...older, ...others]) await Bun.write(join(backups(file), name), name);
  const world = await startWorld({ file });
  expect((await world.as(key).call("getBoard", docs)).lifecycle).toBe("active");
  world.stop();
  const found = copies(file).filter((name) => !others.includes(name));
  expect(found.slice(0, 2)).toEqual(older.slice(2));
  expect(found).toHaveLength(3);
  expect(contentsOf(join(backups(file), found[2]!))).toEqual(before);
  for (const name of others) expect(copies(file)).toContain(name);
});

test("tasks of an earlier schema know where their texts were written last, so that messages are counted from there", async () => {
  const { file, key } = await fileOfSchema(7, async (bo) => {
    await openTask(bo, "One", { about: "Why." });
    await openTask(bo, "Two");
    for (const stands of ["Begun.", "Half."])
      await bo.call("updateTask", { ...task(1), body: { stands } });
    await bo.call("updateTask", { ...task(1), body: { title: "The one" } });
  });
  const world = await startWorld({ file });
  const bo = world.as(key);
  expect(world.db.read(brokenLaws)).toEqual([]);
  for (const body of ["DOC-1", "DOC-1 and DOC-2"]) await post(bo, body);
  const { tasks } = await bo.call("listTasks", docs);
  expect(
    tasks.map(({ message_count, about, stands }) => [
      message_count,
      about?.messages_since,
      stands?.messages_since,
    ]),
  ).toEqual([
    [2, 2, 2],
    [1, undefined, undefined],
  ]);
});

test("codes of an earlier schema know how many agents joined with them", async () => {
  const { file, key } = await fileOfSchema(schemaBefore("0018_join_code_uses"), async (bo) => {
    const { code } = await bo.call("createJoinCode", { ...docs, body: { role: "member" } });
    for (const name of ["one", "two"]) await bo.call("join", { body: { code, name } });
  });
  const world = await startWorld({ file });
  const { join_codes } = await world.as(key).call("listJoinCodes", docs);
  expect(join_codes.map(({ uses }) => uses)).toEqual([2, 0]);
  expect(world.db.read(brokenLaws)).toEqual([]);
});
