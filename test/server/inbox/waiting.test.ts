import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, type World } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, post, seatOnDocs, setPolicy } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";

/** `docs` with the people ana and bo, ana's agents a (writer) and b (reviewer). */
const team = () =>
  startDocs({ a: ["ana", "writer"], b: ["ana", "reviewer"] }, { template: "writer-reviewer" });

/** Asks for an inbox that is empty; once the server waits with it, gives the answer that is to come. */
async function waitingInbox(world: World, agent: Client, signal?: AbortSignal) {
  const answer = agent.call("getInbox", { query: { wait: 600 } }, signal ? { signal } : {});
  answer.catch(() => {});
  await until(() => world.hub.waiting === 1, "the inbox waits");
  return { answer };
}

/** Counts how often a waiting request goes (back) to waiting: once for each look in vain. */
function countLooks(world: World) {
  const { hub } = world;
  const wait = hub.wait.bind(hub);
  const looks = { count: 0 };
  hub.wait = (...given) => {
    looks.count++;
    return wait(...given);
  };
  return looks;
}

/** A seat of bo's whose token hangs on a key of its own, and what ends that key. */
async function seatOnSecondKey(world: World, bo: Client) {
  const { id, token } = await bo.call("createKey", { body: { name: "second" } });
  const seat = await world.seat(world.as(token), "docs", { name: "s", role: "writer" });
  return { seat, id, person: world.as(token) };
}

describe("a wait for the inbox", () => {
  test("answers at once when something is there, whatever the wait", async () => {
    const { world, ana, a } = await team();
    await post(ana, "hello");
    const { messages } = await a.call("getInbox", { query: { wait: 600 } });
    expect(messages.map(({ body }) => body)).toEqual(["hello"]);
    expect(world.hub.waiting).toBe(0);
  });

  test.each([
    ["all", { body: "x" }],
    ["its name", { body: "x", to: ["@a"] }],
    ["its role", { body: "x", to: ["role:writer"] }],
    ["its owner's agents", { body: "x", to: ["owner:ana"] }],
    ["another, with a mention", { body: "see @a", to: ["@b"] }],
  ])("is ended by a message to %s", async (_, message) => {
    const { world, bo, a } = await team();
    const { answer } = await waitingInbox(world, a);
    const { id } = await post(bo, message);
    expect((await answer).messages.map((each) => each.id)).toEqual([id]);
    expect(world.hub.waiting).toBe(0);
  });

  test("is not woken by what concerns others, nor ended by a mention that it may not read", async () => {
    const { world, ana, bo, a, b } = await team();
    await setPolicy(world, { visibility: "addressed" });
    const looks = countLooks(world);
    const { answer } = await waitingInbox(world, a);
    const { id } = await post(bo, { body: "@a", to: ["@b"] });
    await post(b, { body: "to people", to: ["@ana"] });
    await bo.call("addReaction", { params: { message: id, reaction: "eyes" } });
    await ana.call("updateBoard", { ...docs, body: { title: "New" } });
    await b.call("ackInbox", { body: { up_to: 1 } });
    await seatOnDocs(world, "late", "writer");
    expect([looks.count, world.hub.waiting]).toEqual([1, 1]);
    await post(bo, { body: "now", to: ["@a"] });
    expect((await answer).messages.map(({ body }) => body)).toEqual(["now"]);
  });

  test("goes on after its own agent's message", async () => {
    const { world, ana, a } = await team();
    const { answer } = await waitingInbox(world, a);
    await post(a, "I say to all");
    expect(world.hub.waiting).toBe(1);
    await post(ana, "and I answer");
    expect((await answer).messages.map(({ body }) => body)).toEqual(["and I answer"]);
  });

  test("waits beyond `after` for what comes next", async () => {
    const { world, ana, a } = await team();
    const { seq } = await post(ana, "one");
    const answer = a.call("getInbox", { query: { wait: 600, after: seq } });
    await until(() => world.hub.waiting === 1, "the inbox waits");
    await post(ana, "two");
    expect((await answer).messages.map(({ body }) => body)).toEqual(["two"]);
  });

  test("that ends empty tells what the agent works on then, and not what it did when the wait began", async () => {
    const { world, ana, a } = await team();
    const answer = a.call("getInbox", { query: { wait: 1 } });
    await until(() => world.hub.waiting === 1, "the inbox waits");
    // A task that is opened tells nobody, so the wait goes on.
    await ana.call("createTask", { ...docs, body: { title: "Sow" } });
    expect(await answer).toMatchObject({ messages: [], work: { open_tasks: 1 } });
  });

  test("is empty when the time is up", async () => {
    const { world, a } = await team();
    expect(await a.call("getInbox", { query: { wait: 1 } })).toMatchObject({ messages: [] });
    expect(world.hub.waiting).toBe(0);
  });

  test("is empty at once when the server stops, and nobody waits any more", async () => {
    const { world, a } = await team();
    const { answer } = await waitingInbox(world, a);
    world.hub.close();
    expect((await answer).messages).toEqual([]);
    expect((await a.call("getInbox", { query: { wait: 600 } })).messages).toEqual([]);
  });

  test("leaves nothing behind when its client goes away", async () => {
    const { world, a } = await team();
    const client = new AbortController();
    await waitingInbox(world, a, client.signal);
    client.abort();
    await until(() => world.hub.waiting === 0, "nobody waits");
  });

  test("ends with 401 when the key behind its token is revoked", async () => {
    const { world, bo } = await team();
    const { seat, id } = await seatOnSecondKey(world, bo);
    const { answer } = await waitingInbox(world, seat);
    await bo.call("revokeKey", { params: { key: id } });
    expect(await refusalOf(answer)).toMatchObject({ status: 401, code: "unauthorized" });
    expect(world.hub.waiting).toBe(0);
  });

  test("ends with 401 at the moment when the key behind its token expires", async () => {
    const { world, bo } = await team();
    const { seat, id } = await seatOnSecondKey(world, bo);
    const expiry = world.at(0.05);
    await world.db.write((tx) =>
      tx.run("UPDATE access_key SET expires_at = ? WHERE id = ?", expiry, id),
    );
    const { answer } = await waitingInbox(world, seat);
    world.pass(1);
    expect(await refusalOf(answer)).toMatchObject({ status: 401, code: "unauthorized" });
  });

  test("ends with 403 when the seat is removed or left", async () => {
    const { world, bo, a } = await team();
    const { answer } = await waitingInbox(world, a);
    await world.admin.call("removeAgent", { params: { board: "docs", member: "a" } });
    expect(await refusalOf(answer)).toMatchObject({
      status: 403,
      code: "agent_removed",
      details: { agent: "a", board: "docs", removed_by: "person" },
    });
    const { seat } = await seatOnSecondKey(world, bo);
    const { answer: second } = await waitingInbox(world, seat);
    await seat.call("leaveAsAgent");
    expect(await refusalOf(second)).toMatchObject({ details: { removed_by: "self" } });
    expect(world.hub.waiting).toBe(0);
  });
});

describe("a wait for replies", () => {
  async function waitingReplies(world: World, reader: Client, message: string, after = 0) {
    const answer = reader.call("listReplies", { params: { message }, query: { wait: 600, after } });
    answer.catch(() => {});
    await until(() => world.hub.waiting === 1, "the replies wait");
    return { answer };
  }

  test("is ended by any reply of the thread, asked for by any of its messages", async () => {
    const { world, ana, bo, a } = await team();
    const root = await post(ana, "root");
    const { answer } = await waitingReplies(world, ana, root.id);
    const one = await post(a, { body: "one", reply_to: root.id });
    expect((await answer).replies.map(({ id }) => id)).toEqual([one.id]);
    const { answer: next } = await waitingReplies(world, bo, one.id, one.seq);
    const two = await post(a, { body: "two", reply_to: one.id });
    expect((await next).replies.map(({ id }) => id)).toEqual([two.id]);
  });

  test("is not ended by other threads, nor by a reply that its reader may not read", async () => {
    const { world, ana, bo, a, b } = await team();
    await setPolicy(world, { visibility: "addressed" });
    const root = await post(ana, { body: "root", to: ["@a", "@b"] });
    const other = await post(ana, { body: "other", to: ["@a"] });
    const { answer } = await waitingReplies(world, a, root.id);
    await post(bo, { body: "elsewhere", reply_to: other.id });
    await post(b, { body: "not for a", reply_to: root.id, to: ["@ana"] });
    expect(world.hub.waiting).toBe(1);
    await post(b, { body: "for a", reply_to: root.id, to: ["@a"] });
    expect((await answer).replies.map(({ body }) => body)).toEqual(["for a"]);
  });

  test("ends with 401 when the key is revoked, and with 403 when the seat is removed", async () => {
    const { world, ana, bo, a } = await team();
    const { id } = await post(ana, "root");
    const second = await seatOnSecondKey(world, bo);
    const { answer } = await waitingReplies(world, second.person, id);
    await bo.call("revokeKey", { params: { key: second.id } });
    expect(await refusalOf(answer)).toMatchObject({ status: 401, code: "unauthorized" });
    const { answer: seated } = await waitingReplies(world, a, id);
    await ana.call("removeAgent", { params: { board: "docs", member: "a" } });
    expect(await refusalOf(seated)).toMatchObject({ status: 403, code: "agent_removed" });
  });
});

test("a hundred agents wait at once, and one message to all answers every one of them", async () => {
  const { world, ana } = await team();
  const agents: Client[] = [];
  for (let n = 0; n < 100; n++) agents.push(await seatOnDocs(world, `n${n}`, "writer"));
  const answers = agents.map((agent) => agent.call("getInbox", { query: { wait: 600 } }));
  await until(() => world.hub.waiting === 100, "all wait");
  const { id } = await post(ana, "wake up");
  for (const answer of await Promise.all(answers)) expect(answer.messages[0]!.id).toBe(id);
  expect(world.hub.waiting).toBe(0);
});
