import { expect, test } from "bun:test";
import { attentionOf, itemOf } from "../../support/attention.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { follow } from "../../support/follow-stream.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { statementsOf } from "../../support/statements.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";

/** Docs with ana and bo, whose list is empty, and ana's agent writer. */
async function team() {
  const { world, ana, bo, writer } = await startDocs({ writer: "ana" });
  const { id } = await itemOf(bo, "added_to_board");
  await bo.call("dismissAttention", { params: { item: id } });
  return { world, ana, bo, writer };
}
const isWaiting = (world: World, requests = 1) =>
  until(() => world.hub.waiting === requests, "the list waits");

test("without `since` a wait holds while the list is empty, and answers at once when it is not", async () => {
  const { world, ana, bo } = await team();
  const answer = attentionOf(bo, { wait: 60 });
  await isWaiting(world);
  await post(ana, "Look, @bo");
  expect((await answer).items.map(({ kind }) => kind)).toEqual(["mention"]);
  expect((await attentionOf(bo, { wait: 60 })).items).toHaveLength(1);
  expect(world.hub.waiting).toBe(0);
});

test("with the version as `since` a wait holds, with any other it answers at once", async () => {
  const { world, ana, bo } = await team();
  const { version } = await attentionOf(bo);
  expect((await attentionOf(bo, { wait: 60, since: "another" })).version).toBe(version);
  expect((await attentionOf(bo, { wait: 60, since: "" })).items).toEqual([]);
  const answer = attentionOf(bo, { wait: 60, since: version });
  await isWaiting(world);
  await post(ana, "Look, @bo");
  const changed = await answer;
  expect(changed.version).not.toBe(version);
  expect((await attentionOf(bo, { wait: 60, since: version })).version).toBe(changed.version);
});

test("a wait ends empty when its time is over, and with the same version", async () => {
  const { bo } = await team();
  const { version } = await attentionOf(bo);
  const answer = await attentionOf(bo, { wait: 1, since: version });
  expect(answer).toEqual({
    version,
    items: [],
    counts: { now: 0, later: 0 },
    more: false,
    next_wake_at: null,
  });
});

test("a version never comes back, though the list does", async () => {
  const { ana, bo } = await team();
  const versions = [(await attentionOf(bo)).version];
  for (let times = 0; times < 3; times++) {
    const { seq } = await post(ana, "Look, @bo");
    versions.push((await attentionOf(bo)).version);
    await bo.call("ackBoard", { ...docs, body: { up_to: seq } });
    versions.push((await attentionOf(bo)).version);
  }
  expect(new Set(versions).size).toBe(7);
  const other = await startWorld();
  expect(versions).not.toContain((await attentionOf(other.admin)).version);
});

test("a wait is not woken by what concerns others", async () => {
  const { world, ana, bo, writer } = await team();
  const answer = attentionOf(bo, { wait: 60 });
  await isWaiting(world);
  const seen = await statementsOf(world, async () => {
    await post(ana, "Look, @writer");
    await post(writer, { body: "Ready?", to: ["@ana"], expects_reply: true });
    await writer.call("createTask", { ...docs, body: { title: "x", start: true } });
    await writer.call("setPresence", { body: { presence: "waiting" } });
  });
  expect(seen.filter(({ text }) => text.includes("attention"))).toEqual([]);
  expect(world.hub.waiting).toBe(1);
  await post(ana, "Look, @bo");
  expect((await answer).items).toHaveLength(1);
});

test("a wait ends with 401 when its key is revoked", async () => {
  const { world, bo } = await team();
  const { id, token } = await bo.call("createKey", { body: { name: "phone" } });
  const answer = attentionOf(world.as(token), { wait: 60 });
  answer.catch(() => {});
  await isWaiting(world);
  await bo.call("revokeKey", { params: { key: id } });
  expect(await refusalOf(answer)).toMatchObject({ status: 401 });
});

test("every stream of a person gets the counts when it opens, and when they change", async () => {
  const { world, ana, bo } = await team();
  await post(ana, "Look, @bo");
  const streams = [await follow(bo), await follow(bo), await follow(ana)];
  const counts = { now: 0, later: 1 };
  for (const stream of streams.slice(0, 2)) expect(await stream.nextAttention()).toEqual([counts]);
  expect(await streams[2]!.nextAttention()).toEqual([{ now: 0, later: 0 }]);
  await post(ana, "Look again, @bo");
  for (const stream of streams.slice(0, 2))
    expect(await stream.nextAttention()).toEqual([{ now: 0, later: 2 }]);
  for (const stream of streams) stream.leave();
  await until(() => world.streams.count === 0, "the streams are left");
});

test("requests of machines alone send at most one event a minute; anything else is sent at once, with them", async () => {
  const { world, ana, bo } = await team();
  const stream = await follow(bo);
  await stream.nextAttention();
  const ask = (label: string) =>
    world.as().call("startMachineRequest", { body: { handle: "bo", label } });
  await ask("one");
  expect(await stream.nextAttention()).toEqual([{ now: 0, later: 1 }]);
  for (const label of ["two", "three"]) await ask(label);
  world.pass(59.95);
  await ask("four");
  await post(ana, "Look, @bo");
  expect(await stream.nextAttention()).toEqual([{ now: 0, later: 2 }]);
  await ask("five");
  // The timer for the end of the minute is set, and finds that it is over.
  world.pass(0.05);
  expect(await stream.nextAttention()).toEqual([{ now: 0, later: 2 }]);
  stream.leave();
});

test("an error while the list is read again breaks the streams off, and the server goes on", async () => {
  const { world, bo } = await team();
  const stream = await follow(bo);
  const { read } = world.db;
  // The commit wakes the stream, whose read comes next.
  world.db.onCommit(() => {
    world.db.read = () => {
      throw new Error("disk I/O error");
    };
  });
  const body = { handle: "bo", label: "phone" };
  await world.as().call("startMachineRequest", { body });
  await until(() => stream.state.ended, "the stream ends");
  world.db.read = read;
  expect(world.faults.splice(0)).toEqual([{ message: "disk I/O error" }]);
  expect(await (await follow(bo)).nextAttention()).toEqual([{ now: 0, later: 1 }]);
});

test("a look costs what is open: a person of many boards reads as many statements and rows as one of few", async () => {
  const cost = async (boards: number) => {
    const { world, ana, bo, writer } = await team();
    for (let at = 0; at < boards; at++) {
      const name = `more-${at}`;
      await bo.call("createBoard", { body: { name } });
      const seat = await world.seat(bo, name, { name: "a" });
      await seat.call("setPresence", { body: { presence: "idle" } });
    }
    await post(ana, "Look, @bo");
    await post(writer, { body: "Ready?", to: ["@bo"], expects_reply: true });
    let kinds: string[] = [];
    const seen = await statementsOf(world, async () => {
      kinds = (await attentionOf(bo)).items.map(({ kind }) => kind);
    });
    expect(kinds).toEqual(["mention", "reply_wanted"]);
    return [seen.length, seen.reduce((sum, { rows }) => sum + rows, 0)];
  };
  expect(await cost(40)).toEqual(await cost(2));
});

test("each look-up of what is open takes an index of the person", async () => {
  const { world, bo } = await team();
  const seen = await statementsOf(world, () => attentionOf(bo));
  const scans = world.db.read((tx) =>
    seen.flatMap(({ text, values }) =>
      tx
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...(values as never[]))
        .map(({ detail }) => detail)
        .filter((detail) => detail.startsWith("SCAN") && !detail.startsWith("SCAN (subquery")),
    ),
  );
  expect(scans).toEqual([]);
});
