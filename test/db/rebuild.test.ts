import { expect, test } from "bun:test";
import fc from "fast-check";
import { openDatabase, type Db, type ReadTx } from "../../src/db/engine/database.ts";
import type { EventRow } from "../../src/db/log/chain.ts";
import core from "../../src/db/migrations/0001_core.sql" with { type: "text" };
import tasks from "../../src/db/migrations/0006_tasks.sql" with { type: "text" };
import about from "../../src/db/migrations/0009_about.sql" with { type: "text" };
import asks from "../../src/db/migrations/0012_asks.sql" with { type: "text" };
import taskCounts from "../../src/db/migrations/0016_task_counts.sql" with { type: "text" };
import quiet from "../../src/db/migrations/0019_quiet.sql" with { type: "text" };
import attention from "../../src/db/migrations/0022_attention.sql" with { type: "text" };
import files from "../../src/db/migrations/0011_files.sql" with { type: "text" };
import movedBoards from "../../src/db/migrations/0025_moved_boards.sql" with { type: "text" };
import { inboxCount, unreadAfter } from "../../src/db/unread-counts.ts";
import { placeOf } from "../../src/db/log/log-place.ts";
import { readModels, rowsOf } from "../../src/db/rebuild/read-models.ts";
import { rebuild } from "../../src/db/rebuild/rebuild.ts";
import { readPositionOf, type MemberRow } from "../../src/db/members.ts";
import { boardAt } from "../../src/db/boards.ts";
import { readerOn } from "../../src/server/access/readable-messages.ts";
import { brokenLaws } from "../support/database-laws.ts";
import { docs, eventsOf, post } from "../support/boards/docs-board.ts";
import { archiveOf, partsOf } from "../support/boards/board-archive.ts";
import { startWorld } from "../support/servers/server-in-process.ts";
import { file, put } from "../support/boards/board-with-files.ts";
import { checkHistories } from "../server/history/history.ts";
import { openTask, startBoardWithTasks, task } from "../support/boards/board-with-tasks.ts";
import { startWalk, step } from "../support/random-walk/random-walk.ts";
import { markRestored } from "../support/restores.ts";
import { tries } from "../support/tries.ts";

/** The tables of the migrations that the log alone makes: those between the lines of dashes, and those of tasks, asks and files. */
const tablesOfTheLog = [
  core.split(/\n-- (?:What follows until|-{20})/)[1]!,
  tasks,
  about,
  asks,
  files,
  taskCounts,
  quiet,
  movedBoards,
  attention.split("\nCREATE TABLE attention_cause")[0]!,
].flatMap((sql) => [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name!));

/** Everything in the read models, by ids, in an order of its own. */
const contents = (db: Db) =>
  db.read((tx) =>
    Object.fromEntries(
      readModels.map((table) => [table, [...rowsOf(tx, table)].map(({ text }) => text).sort()]),
    ),
  );

const boardRows = (tx: ReadTx) =>
  tx.all<{ row: number }>("SELECT row FROM board").map(({ row }) => row);

/** Throws if an index that the log brings along is not what it was made of. */
const checkIndexes = (db: Db) =>
  db.write((tx) => {
    for (const index of ["search_task", "search_file"])
      tx.run(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`);
  });

/** Replays every log into an empty database, under other row numbers than before. */
async function rebuilt(original: Db): Promise<Db> {
  const db = openDatabase(":memory:");
  await checkIndexes(original);
  expect(await rebuild(original, db, original.read(boardRows))).toEqual([]);
  await checkIndexes(db);
  return db;
}

function checkLaws(db: Db, positions: Map<number, number>): void {
  db.read((tx) => {
    expect(brokenLaws(tx)).toEqual([]);
    for (const member of tx.all<MemberRow>("SELECT * FROM member")) {
      const seq = readPositionOf(tx, member.row);
      expect(seq).toBeGreaterThanOrEqual(positions.get(member.row) ?? 0);
      positions.set(member.row, seq);
      const place = placeOf(member.board_row, seq);
      const board = boardAt(tx, member.board_row);
      // Nobody reads a deleted board: nothing on it is counted any more.
      if (!board) continue;
      const reader = readerOn(board, member);
      const waiting = tx
        .all<{ to_all: number; reached: number | null }>(
          "SELECT to_all, (SELECT addressed FROM recipient r WHERE r.place = m.place AND r.member_row = ?1) AS reached FROM message m WHERE place > ?2 AND place / 4294967296 = ?3 AND sender_row <> ?1",
          member.row,
          place,
          member.board_row,
        )
        .filter(({ to_all, reached }) =>
          member.kind === "human"
            ? true
            : to_all || reached === 1 || (reached === 0 && reader.readsAll),
        ).length;
      const counted =
        member.kind === "human"
          ? unreadAfter(tx, member.board_row, member.row, seq)
          : inboxCount(tx, member.board_row, reader, place);
      expect([member.name, counted]).toEqual([member.name, waiting]);
    }
  });
}

test("the log alone rebuilds every read model, and every count stays what a full scan gives", async () => {
  const check = fc.asyncProperty(
    fc.array(step, { minLength: 100, maxLength: 150, size: "max" }),
    async (steps) => {
      const walk = await startWalk();
      const positions = new Map<number, number>();
      for (const each of steps) {
        await walk.make(each);
        checkLaws(walk.world.db, positions);
      }
      walk.world.check();
      const copy = await rebuilt(walk.world.db);
      expect(contents(copy)).toEqual(contents(walk.world.db));
      copy.close();
      walk.world.stop();
    },
  );
  await fc.assert(check, tries(10));
}, 300_000);

test("the read models are the tables that a rebuild compares", () => {
  expect(readModels).toEqual([...tablesOfTheLog, "attention_cause"]);
});

test("a walk brings a guest onto a board, off it and back, and the log rebuilds that too", async () => {
  const walk = await startWalk();
  const asGus = { who: 0, what: 0, how: 0 };
  for (const act of ["invite a guest", "visit"] as const) await walk.make({ ...asGus, act });
  await walk.make({ ...asGus, act: "take off", what: 3 });
  for (const act of ["invite a guest", "visit"] as const) await walk.make({ ...asGus, act });
  walk.world.db.read((tx) => {
    const came = tx
      .all<EventRow>("SELECT * FROM event ORDER BY place")
      .filter(({ data }) => data.includes('"guest":true') || data.includes('"rejoined":true'));
    expect(came.map(({ type }) => type)).toEqual(["member.joined", "person.added"]);
    expect(tx.all("SELECT * FROM join_code WHERE used_at IS NOT NULL")).toHaveLength(2);
  });
  const copy = await rebuilt(walk.world.db);
  expect(contents(copy)).toEqual(contents(walk.world.db));
  copy.close();
});

test("every way in which a task changes is rebuilt", async () => {
  const { world, ana, bo, writer, second, scout } = await startBoardWithTasks();
  await openTask(writer, "1", { about: "Why.", start: true });
  await openTask(writer, "2", { start: true });
  await post(writer, "on the second");
  await writer.call("startTask", task(1));
  for (const helper of [second, scout, bo]) await helper.call("joinTask", task(1));
  await scout.call("joinTask", task(2));
  await scout.call("joinTask", task(1));
  world.pass(5);
  await second.call("updateTask", { ...task(1), body: { stands: "Begun." } });
  await ana.call("updateTask", { ...task(1), body: { title: "One", about: "", stands: "Half." } });
  await bo.call("dropTask", {
    ...task(1),
    body: { member: "second", reason: "Needed elsewhere." },
  });
  const { id } = await post(bo, { body: "see doc-2", about: ["1"] });
  await post(scout, { body: "both", reply_to: id });
  await post(scout, { body: "neither", about: [] });
  await writer.call("dropTask", task(2));
  await ana.call("updateBoard", { ...docs, body: { task_prefix: "NEW" } });
  await openTask(second, "3", { start: true });
  await second.call("finishTask", { ...task(3), body: { note: "It works." } });
  await openTask(ana, "4");
  await ana.call("finishTask", { ...task(4), body: { note: "No.", cancelled: true } });
  await bo.call("leaveBoard", docs);
  const events = (await eventsOf(ana)).filter(({ type }) => type.startsWith("task."));
  expect(events.filter(({ data }) => data!["reselected"]).map(({ type }) => type)).toEqual([
    "task.started",
    "task.joined",
  ]);
  expect(events.flatMap(({ data }) => data!["by"] ?? [])).toEqual([
    "person",
    "self",
    "seat_ended",
    "seat_ended",
    "seat_ended",
  ]);
  const copy = await rebuilt(world.db);
  expect(contents(copy)).toEqual(contents(world.db));
  expect(world.db.read(brokenLaws)).toEqual([]);
  copy.close();
});

test("every way in which a loop of agents begins and ends is rebuilt", async () => {
  const { world, ana, bo, writer, second, scout } = await startBoardWithTasks();
  const loop = async (one: typeof writer, other: typeof writer) => {
    for (let n = 0; n < 11; n++) {
      await post(one, { body: "thanks", to: [`@${other.name}`] });
      await post(other, { body: "thanks", to: [`@${one.name}`] });
    }
  };
  const loops = () => world.db.read((tx) => tx.all("SELECT * FROM agent_loop").length);
  const check = async (expected: number) => {
    expect(loops()).toBe(expected);
    const copy = await rebuilt(world.db);
    expect(contents(copy)).toEqual(contents(world.db));
    copy.close();
  };
  await openTask(ana);
  await loop(writer, second);
  await loop(writer, scout);
  await check(4);
  await scout.call("joinTask", task(1));
  await check(2);
  await loop(second, scout);
  await check(4);
  await put(scout, "a.md");
  await check(2);
  await post(bo, { body: "stop", quiet: true });
  await check(0);
  await loop(writer, second);
  const { id } = await post(writer, { body: "which?", ask: {} });
  await check(0);
  await loop(writer, second);
  await post(ana, { body: "this", reply_to: id });
  await check(0);
  world.check();
  world.stop();
});

test("every way in which a file changes is rebuilt", async () => {
  const { world, ana, bo, writer } = await startBoardWithTasks();
  await openTask(ana);
  await openTask(ana);
  const { id } = await put(ana, "a.md", { about: ["2", "1"] });
  await put(bo, "b.md", { maintained: true });
  world.pass(5);
  await put(writer, "a.md", { base: 1, maintained: true });
  for (const [by, number] of [
    [ana, 1],
    [bo, 1],
    [ana, 2],
  ] as const)
    await by.call("approveFile", { ...file("a.md"), body: { version: number } });
  await bo.call("removeFileApproval", file("a.md"));
  await bo.call("updateFile", { ...file("a.md"), body: { name: "c.md", about: ["1"] } });
  await post(writer, { body: "both", files: [{ file: id, version: 1 }, { file: id }] });
  await ana.call("removeFile", file("c.md"));
  await put(ana, "a.md");
  const { id: old } = await put(ana, "brief.md", { brief: true });
  const switches = { brief: true, replace_format: true, base: 1, file_id: old };
  await put(ana, "brief.html", switches);
  const types = (await eventsOf(ana)).filter(({ type }) => type.startsWith("file."));
  expect(new Set(types.map(({ type }) => type)).size).toBe(6);
  const copy = await rebuilt(world.db);
  expect(contents(copy)).toEqual(contents(world.db));
  expect(world.db.read(brokenLaws)).toEqual([]);
  copy.close();
});

test("a walk asks for approvals and gives them, and the log rebuilds that too", async () => {
  const walk = await startWalk();
  await put(walk.world.admin, "a.md");
  for (const [n, each] of fc.sample(step, { numRuns: 200, seed: 1 }).entries()) {
    const act = (["ask", "answer", "answer", "move a file"] as const)[n % 4]!;
    await walk.make({ ...each, act, how: act === "ask" ? each.how * 3 : each.how });
  }
  const given = walk.world.db.read((tx) =>
    tx.all(
      "SELECT 1 FROM answer n JOIN event e ON e.place = n.place JOIN event p ON p.place = n.place + 1 JOIN event q ON q.place = n.ask" +
        " WHERE p.type = 'file.approved' AND p.actor = e.actor AND p.at = e.at AND q.data ->> '$.ask.approval'",
    ),
  );
  expect(given.length).toBeGreaterThan(0);
  expect(walk.world.db.read(brokenLaws)).toEqual([]);
  const copy = await rebuilt(walk.world.db);
  expect(contents(copy)).toEqual(contents(walk.world.db));
  copy.close();
});
test("a walk moves files, briefs and what messages attach", async () => {
  const walk = await startWalk();
  for (const [n, each] of fc.sample(step, { numRuns: 300, seed: 1 }).entries())
    await walk.make({ ...each, act: n % 4 ? "move a file" : "post" });
  const rows = walk.world.db.read((tx) =>
    ["file", "file_version", "file_approval", "file_posted"].map(
      (table) => tx.all(`SELECT 1 FROM ${table}`).length,
    ),
  );
  expect(Math.min(...rows)).toBeGreaterThan(0);
  expect(walk.world.db.read(brokenLaws)).toEqual([]);
});

test("whatever several members do, everybody sees what the logs allow them to see, and the log rebuilds it", async () => {
  await checkHistories(async (db) => {
    const copy = await rebuilt(db);
    expect(contents(copy)).toEqual(contents(db));
    copy.close();
  });
}, 300_000);

test("a restore in the log changes no read model, and is rebuilt with it", async () => {
  const { world, writer, bo } = await startBoardWithTasks();
  await openTask(writer, "1", { start: true });
  const before = contents(world.db);
  await markRestored(world.db);
  expect(contents(world.db)).toEqual(before);
  await post(bo, "after");
  const copy = await rebuilt(world.db);
  expect(contents(copy)).toEqual(contents(world.db));
  copy.close();
  world.stop();
});

test("a board that came from another server is rebuilt with its people, beside one of the same name", async () => {
  const { world, ana, bo, writer, second } = await startBoardWithTasks();
  await openTask(writer, "1", { start: true });
  await second.call("joinTask", task(1));
  await post(bo, { body: "what now, @writer?", to: ["@writer"], expects_reply: true });
  const { id } = await post(writer, { body: "which?", ask: { options: ["a"] }, to: ["@bo"] });
  await post(writer, { body: "and this?", ask: {}, to: ["@ana"] });
  await post(bo, { body: "a", reply_to: id, answer: { option: 1 } });
  await put(bo, "a.md");
  await ana.call("createJoinCode", { ...docs, body: { role: "member", guest: "gus" } });
  await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
  const target = await startWorld();
  await target.admin.call("createBoard", { body: { name: "docs" } });
  const query = { name: "came" };
  await target.admin.importBoard({ query }, archiveOf(await partsOf(world, ana)));
  const came = { params: { board: "came" } };
  const seat = await target.seat(target.admin, "came", { name: "writer" });
  await seat.call("startTask", { params: { board: "came", task: "1" } });
  await target.admin.call("postMessage", { ...came, body: { body: "on we go", to: ["@writer"] } });
  const copy = await rebuilt(target.db);
  expect(contents(copy)).toEqual(contents(target.db));
  expect(target.db.read(brokenLaws)).toEqual([]);
  copy.close();
});

test("a copy that has no room for a log is no fault of the log", async () => {
  const { admin, db } = await startWorld();
  await admin.call("createBoard", { body: { name: docs.params.board } });
  for (let i = 0; i < 100; i++) await post(admin, "A word.");
  const pagesOf = (one: Db) =>
    one.read((tx) => tx.get<{ page_count: number }>("PRAGMA page_count")!.page_count);
  const small = openDatabase(":memory:", { maxPages: pagesOf(openDatabase(":memory:")) });
  await expect(rebuild(db, small, db.read(boardRows))).rejects.toMatchObject({
    code: "SQLITE_FULL",
  });
});
