import { afterAll, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { attentionOf, followList, inTime, itemOf, kindsFor } from "../../support/attention.ts";
import { answerWith, askOn } from "../../support/boards/board-with-asks.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { until } from "../../support/wait-until.ts";

/** Docs with ana's agent a, bo's agents b and c, and cy. Nothing needs bo. */
async function team() {
  const { world, ana, bo, a, b, c } = await startDocs({ a: "ana", b: "bo", c: "bo" });
  const { id } = await itemOf(bo, "added_to_board");
  await bo.call("dismissAttention", { params: { item: id } });
  return { world, ana, bo, a, b, c };
}
type Agent = Awaited<ReturnType<typeof team>>["a"];

const thank = (from: Client, to: Agent) => post(from, { body: "thanks", to: [`@${to.name}`] });
const leaving = new AbortController();
afterAll(() => leaving.abort());
/** An agent begins to wait for messages, until the tests are over. */
const beginToWait = (agent: Client) =>
  void agent.call("getInbox", { query: { wait: 600 } }, { signal: leaving.signal }).catch(() => {});

/** Two agents thank each other, until the last message wakes nobody. */
async function thankInTurn(one: Agent, other: Agent, messages = 21) {
  for (let n = 0; n < messages; n++) await (n % 2 ? thank(other, one) : thank(one, other));
}

test("agents in a loop are one item of both their people, until anybody gives a sign of work", async () => {
  const { world, ana, bo, a, b } = await team();
  const cy = await world.person("cy");
  await cy.call("addPerson", { ...docs, body: { handle: "cy" } });
  await thankInTurn(a, b, 20);
  const list = await followList(world, bo);
  expect(await list.after(() => thank(a, b))).toEqual(["agents_in_loop"]);
  await thank(b, a);
  const item = await itemOf(bo, "agents_in_loop");
  expect(item).toMatchObject({
    urgency: "now",
    board: "docs",
    from: null,
    text: "thanks",
    ref: { agents: [{ name: "a" }, { name: "b" }] },
  });
  expect((await itemOf(ana, "agents_in_loop")).id).toBe(item.id);
  expect(await kindsFor(cy)).toEqual([]);
  expect(await list.after(() => post(cy, "What is this?"))).toEqual([]);
});

test.each([
  [
    "an event of a task",
    ({ a }: Awaited<ReturnType<typeof team>>) =>
      a.call("createTask", { ...docs, body: { title: "x" } }),
  ],
  ["an ask", ({ b }: Awaited<ReturnType<typeof team>>) => askOn(b, "@ana")],
  ["the end of a seat", ({ b }: Awaited<ReturnType<typeof team>>) => b.call("leaveAsAgent")],
])("a loop ends with %s", async (_, act) => {
  const all = await team();
  await thankInTurn(all.a, all.b);
  const list = await followList(all.world, all.bo);
  expect(await kindsFor(all.bo)).toEqual(["agents_in_loop"]);
  expect(await list.after(() => act(all))).toEqual([]);
});

test("a loop ends when the two have written nothing to each other for half an hour", async () => {
  const { world, bo, a, b } = await team();
  await thankInTurn(a, b);
  world.pass(60);
  await thank(b, a);
  const { before, last } = inTime(world, 1800);
  before();
  const list = await followList(world, bo);
  expect(await kindsFor(bo)).toEqual(["agents_in_loop"]);
  expect(await list.after(last)).toEqual([]);
});

test("a dismissed loop stays away while it goes on, and another one is shown", async () => {
  const { bo, ana, a, b } = await team();
  await thankInTurn(a, b);
  const { id } = await itemOf(bo, "agents_in_loop");
  await bo.call("dismissAttention", { params: { item: id } });
  await thankInTurn(b, a, 6);
  expect(await kindsFor(bo)).toEqual([]);
  await post(ana, "Go on.");
  await thankInTurn(a, b);
  expect((await itemOf(bo, "agents_in_loop")).id).not.toBe(id);
});

test("a ring of many agents can be put aside, and stays away when more agents are drawn into it", async () => {
  const { world, bo, a, b, c } = await team();
  const more = [];
  for (const name of ["d", "e", "f", "g", "h"])
    more.push(await world.seat(world.admin, "docs", { name }));
  const ring = [a, b, c];
  for (let n = 0; n < 181; n++) await thank(ring[n % 3]!, ring[(n + 1) % 3]!);
  const { id } = await itemOf(bo, "agents_in_loop");
  await bo.call("dismissAttention", { params: { item: id } });
  await post(b, { body: "thanks", to: more.map(({ name }) => `@${name}`) });
  expect(await kindsFor(bo)).toEqual([]);
  await bo.call("endSnooze", { params: { item: id } });
});

test("an agent that waits for its messages is not silent, nor for half an hour after", async () => {
  const { world, bo, b } = await team();
  await b.call("createTask", { ...docs, body: { title: "Write it", start: true } });
  const gone = new AbortController();
  const waiting = b.call("getInbox", { query: { wait: 600 } }, { signal: gone.signal });
  waiting.catch(() => {});
  await until(() => world.hub.waiting === 1, "the agent waits");
  world.pass(3600);
  expect(await kindsFor(bo)).toEqual([]);
  gone.abort();
  await until(() => world.hub.waiting === 0, "the agent is gone");
  await world.sweep();
  world.pass(1799);
  await world.sweep();
  expect(await kindsFor(bo)).toEqual([]);
  world.pass(1);
  expect(await kindsFor(bo)).toEqual(["agent_silent"]);
  const list = await followList(world, bo);
  expect(await list.after(() => beginToWait(b))).toEqual([]);
});

test("an agent that waits for messages does not wait for its person", async () => {
  const { world, bo, b } = await team();
  await b.call("setPresence", { body: { presence: "waiting" } });
  world.pass(1);
  const list = await followList(world, bo);
  expect(await kindsFor(bo)).toEqual(["agent_waiting"]);
  expect(await list.after(() => beginToWait(b))).toEqual([]);
});

test("an answer to an agent's ask ends its loop", async () => {
  const { ana, bo, b, c } = await team();
  const ask = await askOn(b, "@ana");
  await thankInTurn(b, c);
  expect((await attentionOf(bo)).counts).toEqual({ now: 1, later: 0 });
  await answerWith(ana, ask, 1);
  expect((await attentionOf(bo)).counts).toEqual({ now: 0, later: 0 });
});

test("a further answer to an agent's ask does not end its loop", async () => {
  const { bo, b, c } = await team();
  const ask = await askOn(b, "@c");
  await answerWith(c, ask, 1);
  await thankInTurn(b, c);
  await post(c, { body: "thanks", reply_to: ask.id });
  expect((await attentionOf(bo)).counts).toEqual({ now: 1, later: 0 });
  await answerWith(c, ask, 2);
  expect((await attentionOf(bo)).counts).toEqual({ now: 0, later: 0 });
});
