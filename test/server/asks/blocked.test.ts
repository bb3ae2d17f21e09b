import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import {
  answerWith,
  askOn,
  askSeenBy,
  startBoardWithAsks,
  withdraw,
} from "../../support/boards/board-with-asks.ts";
import { docs, eventsOf, post, setPolicy } from "../../support/boards/docs-board.ts";
import { statementsOf } from "../../support/statements.ts";
import { openTask, task } from "../../support/boards/board-with-tasks.ts";

/** How a task stands for a reader: whether it is blocked, by how many asks, and by which that they may read. */
async function blockOf(reader: Client, selector: string | number = 1) {
  const { blocked, blocked_count, blocked_on } = await reader.call("getTask", task(selector));
  return [blocked, blocked_count, blocked_on.map(({ ask_seq }) => ask_seq)];
}
const blockedTasks = async (reader: Client) =>
  (await reader.call("listTasks", docs)).counts.blocked;
const free = [false, 0, []];

test("an agent's ask blocks its current task until somebody answers, and says who waits for whom", async () => {
  const { ana, bo, writer } = await startBoardWithAsks();
  const { id, ref } = await openTask(writer, "A task", { start: true });
  const question = await askOn(writer, "@bo");
  expect(question.ask!.task).toEqual({ id, ref, title: "A task" });
  expect((await eventsOf(ana)).at(-1)!.data!["ask"]).toMatchObject({ task_id: id });
  const { blocked_on, state } = await bo.call("getTask", task());
  expect(state).toBe("in_progress");
  expect(blocked_on).toEqual([
    {
      ask_id: question.id,
      ask_seq: question.seq,
      to: { name: "bo", kind: "human", role: null, owner: null },
      from: { name: "writer", kind: "agent", role: "member", owner: "ana" },
      since: question.at,
    },
  ]);
  expect(await blockedTasks(bo)).toBe(1);
  await answerWith(bo, question, 1);
  for (const reader of [ana, bo, writer]) expect(await blockOf(reader)).toEqual(free);
  expect(await blockedTasks(bo)).toBe(0);
});

test("a task is blocked by every open ask, the oldest first, and by none that was withdrawn", async () => {
  const { ana, bo } = await startBoardWithAsks();
  await openTask(ana);
  await openTask(ana);
  const about = { about: ["DOC-1"], ask: {} };
  const first = await post(ana, { body: "One?", to: ["@bo"], ...about });
  const second = await post(bo, { body: "Two?", to: ["@cy"], ...about });
  expect(await blockOf(ana)).toEqual([true, 2, [first.seq, second.seq]]);
  expect(await blockedTasks(ana)).toBe(1);
  await withdraw(ana, first);
  expect(await blockOf(ana)).toEqual([true, 1, [second.seq]]);
  await withdraw(bo, second);
  expect(await blockOf(ana)).toEqual(free);
  const { tasks } = await ana.call("listTasks", docs);
  expect(tasks.map(({ blocked }) => blocked)).toEqual([false, false]);
});

test("an ask is about the first task that was given, else the current one, and never one that its text names", async () => {
  const { ana, writer } = await startBoardWithAsks();
  for (const title of ["One", "Two", "Three"]) await openTask(ana, title);
  await writer.call("startTask", task(3));
  const asked = async (more: object, by: Client = writer) =>
    (await post(by, { body: "DOC-1 or not?", to: ["@bo"], ask: {}, ...more })).ask!.task?.ref;
  expect(await asked({ about: ["DOC-2", "DOC-1"] })).toBe("DOC-2");
  expect(await asked({ about: ["doc-1"] })).toBe("DOC-1");
  expect(await asked({})).toBe("DOC-3");
  expect(await asked({ about: [] })).toBeUndefined();
  expect(await asked({}, ana)).toBeUndefined();
  expect(
    (await ana.call("listTasks", docs)).tasks.map(({ blocked_count }) => blocked_count),
  ).toEqual([1, 1, 1]);
});

test("an ask that goes with a choice is about a task and does not block it", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await openTask(writer, "A task", { start: true });
  const question = await askOn(writer, "@ana", {
    going_with: "this",
    going_at: "2026-01-01T01:00:00.000Z",
  });
  expect(question.ask).toMatchObject({ blocking: false, task: { ref: "DOC-1" } });
  expect(await blockOf(ana)).toEqual(free);
  expect(await blockedTasks(ana)).toBe(0);
});

test("a task is shown in an ask by the title that it has now", async () => {
  const { ana } = await startBoardWithAsks();
  await openTask(ana, "Old");
  const question = await post(ana, { body: "?", to: ["@bo"], about: ["1"], ask: {} });
  await ana.call("updateTask", { ...task(), body: { title: "New" } });
  expect((await askSeenBy(ana, question)).task).toMatchObject({ title: "New" });
});

test("an agent that may not read what blocks a task is told how many asks do, and nothing of them", async () => {
  const { world, ana, bo, scout, second } = await startBoardWithAsks();
  await setPolicy(world, { visibility: "addressed" });
  await openTask(ana);
  const about = { about: ["1"], ask: {} };
  await post(ana, { body: "One?", to: ["@bo"], ...about });
  const toScout = await post(ana, { body: "Two?", to: ["@scout"], ...about });
  expect(await blockOf(second)).toEqual([true, 2, []]);
  expect(await blockOf(scout)).toEqual([true, 2, [toScout.seq]]);
  for (const reader of [second, scout]) expect(await blockedTasks(reader)).toBe(1);
  const listed = async (reader: Client) =>
    (await reader.call("listAsks", { query: { task: "DOC-1" } })).asks.length;
  expect(await listed(second)).toBe(0);
  expect(await listed(scout)).toBe(1);
  expect(await listed(bo)).toBe(2);
});

test("asks about a task are listed by it, on whatever of the caller's boards it is", async () => {
  const { ana, bo } = await startBoardWithAsks();
  for (const title of ["One", "Two"]) await openTask(ana, title);
  await bo.call("createBoard", { body: { name: "plaza" } });
  for (const about of [["1"], ["2"], []])
    await post(ana, { body: `about ${about.join()}`, to: ["@bo"], about, ask: {} });
  const listed = async (query: object) =>
    (await bo.call("listAsks", { query })).asks.map(({ body }) => body);
  expect(await listed({ task: "DOC-1" })).toEqual(["about 1"]);
  expect(await listed({ task: "2", board: "docs", to_me: true })).toEqual(["about 2"]);
  expect(await listed({ task: "DOC-1", from_me: true })).toEqual([]);
  expect(await listed({ task: "DOC-1", state: "answered" })).toEqual([]);
});

test("an agent's work counts its own open asks and those to it", async () => {
  const { world, ana, writer, scout } = await startBoardWithAsks();
  const workOf = async (agent: Client) => {
    const { asks_waiting, asks_to_it } = (await agent.call("getInbox")).work;
    return [asks_waiting, asks_to_it];
  };
  const first = await askOn(writer, "@scout");
  await askOn(writer, "@scout", { going_with: "this", going_at: "2026-01-01T00:01:00.000Z" });
  expect(await workOf(writer)).toEqual([2, 0]);
  expect(await workOf(scout)).toEqual([0, 2]);
  await answerWith(ana, first, 1);
  expect(await workOf(writer)).toEqual([1, 0]);
  world.pass(60);
  expect([await workOf(writer), await workOf(scout)]).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test("open asks are found by an index of those without an answer, whatever they are asked for by", async () => {
  const { world, ana, bo, scout } = await startBoardWithAsks();
  await openTask(ana);
  for (const to of ["@bo", "@scout"])
    await post(ana, { body: "?", to: [to], about: ["1"], ask: {} });
  const statements = await statementsOf(world, async () => {
    for (const reader of [ana, bo, scout]) {
      for (const query of [{}, { to_me: true }, { from_me: true }, { task: "DOC-1" }])
        await reader.call("listAsks", { query });
      await reader.call("getBoard", docs);
      await reader.call("getTask", task());
      await reader.call("listTasks", docs);
    }
    await scout.call("getInbox");
  });
  const overAsks = statements.filter(({ text }) => /(FROM|JOIN) ask /.test(text));
  expect(overAsks.length).toBeGreaterThan(15);
  const plans = overAsks.flatMap(({ text, values }) =>
    world.db.read((tx) =>
      tx
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values)
        .map(({ detail }) => detail)
        .filter((detail) => /^(SCAN|SEARCH) (ask|a)\b/.test(detail)),
    ),
  );
  const known = /^SEARCH (ask|a) USING (INTEGER PRIMARY KEY|(COVERING )?INDEX unanswered_\w+) /;
  expect(plans.filter((plan) => !known.test(plan))).toEqual([]);
});
