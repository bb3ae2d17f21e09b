import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import {
  answerWith,
  askOn,
  startBoardWithAsks,
  withdraw,
} from "../../support/boards/board-with-asks.ts";
import { docs, guestOn, post, setPolicy } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

type Query = NonNullable<Given<"listAsks">["query"]>;

const listed = async (reader: Client, query: Query = {}) =>
  (await reader.call("listAsks", { query })).asks.map(({ body }) => body);
const inAnHour = "2026-01-01T01:00:00.000Z";

/** Docs with an ask of ana's to bo in every state, and plaza, which is bo's, with one to ana. */
async function manyAsks() {
  const team = await startBoardWithAsks();
  const { world, ana, bo } = team;
  const next = (body: string, more: Parameters<typeof askOn>[2] = {}) => {
    world.pass(1);
    return askOn(ana, "@bo", { body, ...more });
  };
  const going = { going_with: "this", going_at: inAnHour };
  await next("open");
  await next("open, going", going);
  await answerWith(bo, await next("answered"), 1);
  await answerWith(bo, await next("answered, going", going), 1);
  await withdraw(ana, await next("withdrawn"));
  await withdraw(ana, await next("withdrawn, going", going));
  await next("went", { going_with: "this" });
  await post(bo, { body: "no ask", to: ["@ana"], expects_reply: true });
  await bo.call("createBoard", { body: { name: "plaza" } });
  await bo.call("addPerson", { params: { board: "plaza" }, body: { handle: "ana" } });
  world.pass(1);
  const body = { body: "on plaza", to: ["@ana"], ask: {} };
  await bo.call("postMessage", { params: { board: "plaza" }, body });
  return team;
}

test("asks are listed by their state, the open ones unless said, newest first", async () => {
  const { world, ana, bo } = await manyAsks();
  for (const reader of [ana, bo]) {
    const inState = (state: NonNullable<Query["state"]>) =>
      listed(reader, { state, board: "docs" });
    expect(await listed(reader, { board: "docs" })).toEqual(["open, going", "open"]);
    expect(await inState("open")).toEqual(["open, going", "open"]);
    expect(await inState("answered")).toEqual(["answered, going", "answered"]);
    expect(await inState("withdrawn")).toEqual(["withdrawn, going", "withdrawn"]);
    expect(await inState("went_with")).toEqual(["went"]);
    expect(await inState("all")).toEqual([
      "went",
      "withdrawn, going",
      "withdrawn",
      "answered, going",
      "answered",
      "open, going",
      "open",
    ]);
  }
  world.pass(3600);
  expect(await listed(bo, { board: "docs" })).toEqual(["open"]);
  expect(await listed(bo, { board: "docs", state: "went_with" })).toEqual(["went", "open, going"]);
});

test("a clock that was put back leaves a board's asks in the order of its log, however long the page is", async () => {
  const { world, ana, bo } = await startBoardWithAsks();
  for (const [seconds, body] of [
    [0, "first"],
    [-3600, "second"],
    [60, "third"],
  ] as const) {
    world.pass(seconds);
    await askOn(ana, "@bo", { body });
  }
  const newestFirst = ["third", "second", "first"];
  for (const limit of [1, 2, 3])
    expect(await listed(bo, { to_me: true, limit })).toEqual(newestFirst.slice(0, limit));
});

test("a person's list is of all boards that they are on, by the time of asking; an agent's of its own", async () => {
  const { ana, cy, writer } = await manyAsks();
  const { asks } = await ana.call("listAsks");
  expect(asks.map(({ body, board }) => [body, board])).toEqual([
    ["on plaza", "plaza"],
    ["open, going", "docs"],
    ["open", "docs"],
  ]);
  expect(asks[0]).toMatchObject({ sender: "other_person", ask: { can_answer: true } });
  for (const reader of [cy, writer]) expect(await listed(reader)).toEqual(["open, going", "open"]);
});

test("asks to the caller and asks by the caller are separate filters, and both together match none", async () => {
  const { ana, bo } = await manyAsks();
  expect(await listed(ana, { to_me: true })).toEqual(["on plaza"]);
  expect(await listed(ana, { from_me: true })).toEqual(["open, going", "open"]);
  expect(await listed(bo, { from_me: true })).toEqual(["on plaza"]);
  expect(await listed(bo, { from_me: true, board: "docs" })).toEqual([]);
  expect(await listed(bo, { from_me: true, to_me: true })).toEqual([]);
  expect(await listed(bo, { to_me: true, state: "went_with" })).toEqual(["went"]);
  expect(await listed(bo, { to_me: true, state: "answered" })).toEqual([
    "answered, going",
    "answered",
  ]);
  expect(await listed(bo, { to_me: true, state: "withdrawn" })).toEqual([
    "withdrawn, going",
    "withdrawn",
  ]);
});

test("of the open asks to the caller those that block come first, on whatever board", async () => {
  const { world, ana, bo } = await manyAsks();
  expect(await listed(bo, { to_me: true })).toEqual(["open", "open, going"]);
  expect(await listed(bo, { to_me: true, state: "open" })).toEqual(["open", "open, going"]);
  world.pass(1);
  await bo.call("postMessage", {
    params: { board: "plaza" },
    body: {
      body: "going on plaza",
      to: ["@ana"],
      ask: { going_with: "this", going_at: inAnHour },
    },
  });
  world.pass(1);
  await askOn(bo, "@ana", { body: "blocking on docs" });
  expect(await listed(ana, { to_me: true })).toEqual([
    "blocking on docs",
    "on plaza",
    "going on plaza",
  ]);
  expect(await listed(ana, { to_me: true, state: "all" })).toEqual([
    "blocking on docs",
    "going on plaza",
    "on plaza",
  ]);
  expect(await listed(ana)).toEqual([
    "blocking on docs",
    "going on plaza",
    "on plaza",
    "open, going",
    "open",
  ]);
});

test("a list is cut at its limit, over all boards, and says whether there are more", async () => {
  const { ana } = await manyAsks();
  const page = async (limit: number) => {
    const { asks, more } = await ana.call("listAsks", { query: { limit } });
    return [asks.map(({ body }) => body), more];
  };
  expect(await page(1)).toEqual([["on plaza"], true]);
  expect(await page(2)).toEqual([["on plaza", "open, going"], true]);
  expect(await page(3)).toEqual([["on plaza", "open, going", "open"], false]);
});

test("an agent that reads only what is addressed to it is listed what it may read", async () => {
  const { world, ana, bo, writer, scout } = await startBoardWithAsks();
  await setPolicy(world, { visibility: "addressed" });
  await askOn(ana, "@bo", { body: "to bo" });
  await askOn(ana, "@scout", { body: "to scout" });
  await askOn(writer, "@bo", { body: "of writer" });
  expect(await listed(scout)).toEqual(["to scout"]);
  expect(await listed(writer)).toEqual(["of writer"]);
  for (const reader of [ana, bo])
    expect(await listed(reader)).toEqual(["of writer", "to scout", "to bo"]);
});

test("an archived board's asks are listed and cannot be answered; a deleted board has none", async () => {
  const { ana, bo } = await manyAsks();
  await ana.call("archiveBoard", docs);
  const { asks } = await bo.call("listAsks", { query: { to_me: true } });
  expect(asks.map(({ ask }) => ask!.can_answer)).toEqual([false, false]);
  await ana.call("deleteBoard", docs);
  expect(await listed(bo, { to_me: true, state: "all" })).toEqual([]);
  expect(await verdictOf(bo.call("listAsks", { query: { board: "docs" } }))).toBe(
    "404 board_not_found",
  );
});

describe("a board that is named", () => {
  test("and hidden is missing, and one that is open has to be joined", async () => {
    const { world, ana, bo, writer } = await manyAsks();
    const dee = await world.person("dee");
    const gus = await guestOn(world, "gus");
    await bo.call("createBoard", { body: { name: "secret", visibility: "private" } });
    const at = (reader: Client, board: string) =>
      verdictOf(reader.call("listAsks", { query: { board } }));
    expect(await at(dee, "docs")).toBe("403 not_on_board");
    for (const reader of [ana, dee, writer, gus]) {
      expect(await at(reader, "secret")).toBe("404 board_not_found");
      expect(await at(reader, "nowhere")).toBe("404 board_not_found");
    }
    for (const reader of [writer, gus, gus.agent])
      expect(await at(reader, "plaza")).toBe("404 board_not_found");
    expect(await listed(dee)).toEqual([]);
    expect(await listed(gus)).toEqual(["open, going", "open"]);
    expect(await listed(gus.agent, { board: "docs" })).toEqual(["open, going", "open"]);
  });
});

describe("a task", () => {
  test("names its board by reference or id; a number alone needs the board where there are several", async () => {
    const { ana, bo, writer } = await manyAsks();
    const task = await ana.call("createTask", { ...docs, body: { title: "A task" } });
    for (const selector of [task.ref, task.ref.toLowerCase(), task.id])
      expect(await listed(bo, { task: selector })).toEqual([]);
    expect(await listed(bo, { task: "1", board: "docs" })).toEqual([]);
    // Those who are on one board need not name it.
    expect(await listed(writer, { task: "1" })).toEqual([]);
    expect(await refusalOf(bo.call("listAsks", { query: { task: "1" } }))).toMatchObject({
      status: 422,
      code: "invalid_request",
      message: expect.stringContaining("board"),
    });
  });

  test("that is not there, or on a board that the caller is not on, is not found", async () => {
    const { ana, bo, cy, writer } = await manyAsks();
    const task = await ana.call("createTask", { ...docs, body: { title: "A task" } });
    const plaza = { params: { board: "plaza" } };
    const { ref, id } = await bo.call("createTask", { ...plaza, body: { title: "There" } });
    const asked = (reader: Client, query: Query) => verdictOf(reader.call("listAsks", { query }));
    for (const missing of [`tsk_${"0".repeat(26)}`, "NOPE-1", "DOC-2", "DOC-99999999999"])
      expect(await asked(bo, { task: missing })).toBe("404 task_not_found");
    for (const reader of [cy, writer])
      for (const hidden of [ref, id])
        expect(await asked(reader, { task: hidden })).toBe("404 task_not_found");
    expect(await asked(bo, { task: task.ref, board: "plaza" })).toBe("404 task_not_found");
    expect(await asked(bo, { task: "2", board: "plaza" })).toBe("404 task_not_found");
  });
});
