import { expect, test } from "bun:test";
import { refusalOf, type World } from "../../support/servers/server-in-process.ts";
import { followInbox } from "../../support/follow-inbox.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { headOf, post } from "../../support/boards/docs-board.ts";
import fc from "fast-check";
import type { Client, EventFrom } from "../../../src/client/client.ts";
import { docs, seatOnDocs, setPolicy } from "../../support/boards/docs-board.ts";
import { openTask, task } from "../../support/boards/board-with-tasks.ts";
import { statementsOf } from "../../support/statements.ts";
import { tries } from "../../support/tries.ts";

/** `docs` with ana and bo, ana's agents a and b, and bo's agent c. */
const team = () => startDocs({ a: "ana", b: "ana", c: "bo" });

/** An open stream whose reader takes one event at each call. */
function slowly(agent: Client, query: { after?: number } = {}) {
  const events = agent.follow("streamInbox", { query });
  return async () => (await events.next()).value;
}

test("a stream opens with where the agent stands, then sends what waits, then each message as it comes", async () => {
  const { id, ana, bo, a } = await team();
  const first = await post(bo, "first");
  await post(bo, { body: "for another", to: ["@b"] });
  const stream = await followInbox(a);
  const { cursor, work, ...inbox } = await a.call("getInbox");
  expect(stream.ready).toEqual({
    board: "docs",
    board_id: id,
    lifecycle: "active",
    member_id: a.id,
    generation: (await a.call("getInfo")).generation,
    head_seq: await headOf(ana),
    cursor,
    unread: 1,
    delivery_mode: "focused",
    delivery_revision: 0,
    midturn_policy: "my-agents",
    work,
  });
  expect(await stream.next()).toEqual({
    event: "messages",
    id: String(first.seq),
    data: {
      board: "docs",
      board_id: id,
      agent: "a",
      member_id: a.id,
      cursor,
      more: false,
      messages: inbox.messages,
    },
  });
  const second = await post(ana, { body: "second", to: ["@a"] });
  expect(await stream.next()).toMatchObject({
    event: "messages",
    id: String(second.seq),
    data: { messages: [{ id: second.id, body: "second", sender: "owner" }] },
  });
});

test("an event has at most 50 messages, oldest first, and says that more wait", async () => {
  const { ana, a } = await team();
  const sent: number[] = [];
  for (let n = 0; n < 120; n++) sent.push((await post(ana, `n${n}`)).seq);
  const stream = await followInbox(a);
  const events = [];
  for (let n = 0; n < 3; n++) events.push(await stream.expectNext("messages"));
  const pages = [sent.slice(0, 50), sent.slice(50, 100), sent.slice(100)];
  expect(events.map(({ data }) => data.messages.map(({ seq }) => seq))).toEqual(pages);
  expect(events.map(({ data }) => data.more)).toEqual([true, true, false]);
  expect(events.map(({ id }) => id)).toEqual(pages.map((page) => String(page.at(-1))));
  expect(stream.events).toEqual([]);
});

test("an event has at most 256 KB", async () => {
  const { world, ana, a } = await team();
  // Characters of three bytes: 96 KB a message.
  const body = "茶".repeat(32_768);
  for (let n = 0; n < 5; n++) await post(ana, body);
  const answer = await world.handle(
    new Request(`${world.url}/v1/me/inbox/stream`, {
      headers: { authorization: `Bearer ${a.token}` },
    }),
  );
  const reader = answer.body!.getReader();
  const sizes: number[] = [];
  await reader.read();
  for (let n = 0; n < 3; n++) sizes.push((await reader.read()).value!.length);
  await reader.cancel();
  for (const size of sizes) expect(size).toBeLessThanOrEqual(256 * 1024);
  // Two fit into an event, and three do not.
  expect(sizes.map((size) => Math.floor(size / (96 * 1024)))).toEqual([2, 2, 1]);
});

test("the next event is made when the reader wants it: nothing is read for a reader who stands still", async () => {
  const { ana, bo, a } = await team();
  const next = slowly(a);
  expect(await next()).toMatchObject({ event: "ready" });
  const first = await post(ana, "one");
  expect(await next()).toMatchObject({ data: { messages: [{ body: "one" }] } });
  const two = await post(ana, "two");
  await post(ana, { body: "three", to: ["@a"] });
  await a.call("ackInbox", { body: { up_to: first.seq } });
  await a.call("ackInbox", { body: { up_to: two.seq } });
  await post(bo, "four");
  // One `read` for two acknowledgements, and what was acknowledged is not sent.
  expect(await next()).toMatchObject({ event: "read", data: { position: two.seq } });
  expect(await next()).toMatchObject({
    data: { cursor: two.seq, messages: [{ body: "three" }, { body: "four" }] },
  });
});

test("a message that the agent may no longer read is not sent to a reader who comes to it later", async () => {
  const { world, ana, bo, a } = await team();
  const next = slowly(a);
  await next();
  await post(ana, "taken");
  expect(await next()).toMatchObject({ data: { messages: [{ body: "taken" }] } });
  await post(bo, { body: "@a see this", to: ["@b"] });
  await post(bo, { body: "to a", to: ["@a"] });
  await setPolicy(world, { visibility: "addressed" });
  expect(await next()).toMatchObject({ data: { messages: [{ body: "to a" }] } });
  await post(bo, { body: "@a hidden from the start", to: ["@b"] });
  await post(bo, { body: "to a again", to: ["@a"] });
  expect(await next()).toMatchObject({ data: { messages: [{ body: "to a again" }] } });
});

test("a role's message goes to who held the role, and an agent's own never to itself", async () => {
  const { world, a, b } = await startDocs(
    { a: ["ana", "writer"], b: ["ana", "reviewer"] },
    { template: "writer-reviewer" },
  );
  const [ofA, ofB] = [await followInbox(a), await followInbox(b)];
  await post(world.admin, { body: "writers", to: ["role:writer"] });
  await post(b, "mine");
  await post(world.admin, { body: "reviewers", to: ["role:reviewer"] });
  expect([await ofA.bodies(), await ofA.bodies()]).toEqual([["writers"], ["mine"]]);
  expect(await ofB.bodies()).toEqual(["reviewers"]);
  expect([...ofA.events, ...ofB.events]).toEqual([]);
});

test("an acknowledgement from anywhere is a `read` on each stream of the seat, and on no other", async () => {
  const { ana, a, b } = await team();
  const { seq } = await post(ana, "hello");
  const streams = [await followInbox(a), await followInbox(a)];
  const other = await followInbox(b);
  for (const each of [...streams, other]) await each.bodies();
  await a.call("ackBoard", { ...docs, body: { up_to: seq } });
  await a.call("ackInbox", { body: { up_to: seq - 1 } });
  for (const each of streams)
    expect(await each.next()).toEqual({ event: "read", data: { position: seq } });
  await post(ana, "bye");
  for (const each of [...streams, other]) expect(await each.bodies()).toEqual(["bye"]);
});

test("`mode` comes when the delivery mode or either mid-turn policy changes, and not when one stays", async () => {
  const { ana, bo, a, c } = await team();
  const stream = await followInbox(a);
  const other = await followInbox(c);
  const set = (mode: "all" | "off") =>
    ana.call("setDeliveryMode", { params: { board: "docs", member: "a" }, body: { mode } });
  const { revision } = await set("all");
  const mode = { delivery_mode: "all", delivery_revision: revision, midturn_policy: "my-agents" };
  expect(await stream.next()).toEqual({ event: "mode", data: mode as never });
  await set("all");
  const policy = (value: "owner-only" | "my-agents" | null, member_id?: string) =>
    ana.call("setMidturnPolicy", { body: { policy: value, ...(member_id && { member_id }) } });
  await policy("owner-only");
  expect(await stream.next()).toMatchObject({ data: { midturn_policy: "owner-only" } });
  await policy("my-agents", a.id);
  expect(await stream.next()).toMatchObject({ data: { midturn_policy: "my-agents" } });
  await policy("my-agents");
  await policy(null, a.id);
  await post(bo, { body: "after all", to: ["@a", "@c"] });
  expect(await stream.bodies()).toEqual(["after all"]);
  expect(await other.bodies()).toEqual(["after all"]);
});

test("`board` comes when the board is archived, restored and retitled, and the stream goes on", async () => {
  const { world, ana, a } = await team();
  const stream = await followInbox(a);
  const facts = { lifecycle: "active", name: "docs", title: null };
  await ana.call("updateBoard", { ...docs, body: { title: "Plans" } });
  expect(await stream.next()).toEqual({
    event: "board",
    data: { ...facts, title: "Plans" } as never,
  });
  await setPolicy(world, { nudges: "off" });
  await ana.call("archiveBoard", docs);
  expect(await stream.expectNext("board")).toMatchObject({ data: { lifecycle: "archived" } });
  await a.call("ackInbox", { body: { up_to: await headOf(ana) } });
  expect(await stream.next()).toMatchObject({ event: "read" });
  await ana.call("restoreBoard", docs);
  expect(await stream.expectNext("board")).toMatchObject({ data: { lifecycle: "active" } });
  await post(ana, "back");
  expect(await stream.bodies()).toEqual(["back"]);
  const archived = await followInbox(a);
  expect(archived.ready).toMatchObject({ lifecycle: "active" });
});

test("`work` comes with the messages when it has changed since it was sent, and only then", async () => {
  const { ana, a } = await team();
  const stream = await followInbox(a);
  await post(ana, "one");
  expect((await stream.expectNext("messages")).data).not.toHaveProperty("work");
  await openTask(ana, "Write it");
  await a.call("startTask", task(1));
  await post(ana, "two");
  expect((await stream.expectNext("messages")).data.work).toMatchObject({
    current_task: { title: "Write it" },
    line: { text: "Write it" },
  });
  await post(ana, "three");
  expect((await stream.expectNext("messages")).data).not.toHaveProperty("work");
});

test("a stream begins after `after`, never before the read position, and `Last-Event-ID` replaces it", async () => {
  const { ana, a } = await team();
  const seqs: number[] = [];
  for (const body of ["one", "two", "three"]) seqs.push((await post(ana, body)).seq);
  const [one = 0, two = 0, three = 0] = seqs;
  const bodies = async (options: Parameters<typeof followInbox>[1]) => {
    const stream = await followInbox(a, options);
    const seen = await stream.bodies();
    stream.leave();
    return seen;
  };
  expect(await bodies({})).toEqual(["one", "two", "three"]);
  expect(await bodies({ after: 0 })).toEqual(["one", "two", "three"]);
  expect(await bodies({ after: one })).toEqual(["two", "three"]);
  expect(await bodies({ after: one, lastEventId: String(two) })).toEqual(["three"]);
  for (const beyond of ["4294967295", "99999999999999999999", "-1", "x", "1.5"])
    expect(await bodies({ after: two, lastEventId: beyond })).toEqual(["one", "two", "three"]);
  expect(await bodies({ after: three + 1 })).toEqual(["one", "two", "three"]);
  await a.call("ackInbox", { body: { up_to: two } });
  expect(await bodies({ lastEventId: String(one) })).toEqual(["three"]);
  const atHead = await followInbox(a, { lastEventId: String(three) });
  await post(ana, "four");
  expect(await atHead.bodies()).toEqual(["four"]);
});

test("a commit wakes the seats that it concerns, and no other", async () => {
  const { world, ana, bo, a, b } = await team();
  const { id } = await post(ana, { body: "for people", to: ["@bo"] });
  /** How often a request makes the server read, until all that is due has run. */
  const readsOf = async (request: () => Promise<unknown>) => {
    const before = world.db.counters.reads;
    await request();
    // The commit, and the turn in which the seats are told.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    return world.db.counters.reads - before;
  };
  /** The same for a request of each kind. */
  const readsOfAll = async (reaction: "eyes" | "heart", up_to: number) => [
    await readsOf(() => post(ana, { body: "for people", to: ["@bo"] })),
    await readsOf(() => bo.call("addReaction", { params: { message: id, reaction } })),
    await readsOf(() => bo.call("ackBoard", { ...docs, body: { up_to } })),
    await readsOf(() => post(ana, { body: "for a", to: ["@a"] })),
    await readsOf(() => post(ana, "for both")),
  ];
  const head = await headOf(ana);
  const alone = await readsOfAll("eyes", head - 1);
  const streams = [await followInbox(a), await followInbox(b)];
  for (const each of streams) await each.bodies();
  const followed = await readsOfAll("heart", head);
  expect(followed.map((reads, n) => reads - alone[n]!)).toEqual([0, 0, 0, 1, 1]);
  expect([await streams[0]!.bodies(), await streams[0]!.bodies()]).toEqual([
    ["for a"],
    ["for both"],
  ]);
  expect(await streams[1]!.bodies()).toEqual(["for both"]);
});

test("what all of a board's agents get is read and rendered once, and an agent's own message is left out of its own", async () => {
  const { world, ana, a, b, c } = await team();
  const agents = [a, b, c, ...(await seats(world, 9))];
  const streams: Awaited<ReturnType<typeof followInbox>>[] = [];
  for (const each of agents) streams.push(await followInbox(each));
  const told = () => Promise.all(streams.map(({ bodies }) => bodies()));
  for (const to of [["all"], ["role:member"]]) {
    const read = await statementsOf(world, async () => {
      await post(ana, { body: `to ${to}`, to });
      expect(await told()).toEqual(agents.map(() => [`to ${to}`]));
    });
    const count = (part: string) => read.filter(({ text }) => text.includes(part)).length;
    expect([count("FROM message m LEFT JOIN thread"), count("FROM reaction")]).toEqual([1, 1]);
    expect([count("FROM recipient"), count("message_to_all")]).toEqual([0, 0]);
  }
  await post(a, "from a");
  await post(ana, { body: "for b", to: ["@b"] });
  await post(ana, "again");
  const seen = agents.map(({ name }, n) => {
    const mine = [name === "a" ? "" : "from a", name === "b" ? "for b" : "", "again"];
    return { stream: streams[n]!, bodies: mine.filter(Boolean) };
  });
  for (const { stream, bodies } of seen)
    for (const body of bodies) expect(await stream.bodies()).toEqual([body]);
});

test.each([
  ["all of them", (n: number) => (n % 2 ? "all" : "role:member")],
  ["the last one of each ten", (n: number) => (n % 10 === 9 ? "@a" : "@b")],
  ["none", () => "@b"],
])("an agent that is far behind gets what is for it, in order: %s", async (_, targetOf) => {
  const { ana, a } = await team();
  const targets = Array.from({ length: 120 }, (_, n) => targetOf(n));
  for (const [n, to] of targets.entries()) await post(ana, { body: `${n}`, to: [to] });
  const own = targets.flatMap((to, n) => (to === "@b" ? [] : [`${n}`]));
  const stream = await followInbox(a);
  const got: string[] = [];
  while (got.length < own.length) got.push(...(await stream.bodies()));
  expect(got).toEqual(own);
  await post(ana, "the end");
  expect(await stream.bodies()).toEqual(["the end"]);
});

async function seats(world: World, count: number) {
  const made = [];
  for (let n = 0; n < count; n++) made.push(await seatOnDocs(world, `n${n}`));
  return made;
}

test("quiet and damped messages come at once, with the field that says so", async () => {
  const { ana, a, b } = await team();
  const stream = await followInbox(b);
  await post(ana, { body: "for your information", quiet: true });
  expect(await stream.expectNext("messages")).toMatchObject({
    data: { messages: [{ body: "for your information", quiet: true }] },
  });
  // The two wake each other twenty times, and no more.
  for (let n = 0; n < 10; n++) {
    await post(a, { body: `to b ${n}`, to: ["@b"] });
    expect(await stream.bodies()).toEqual([`to b ${n}`]);
    await post(b, { body: `to a ${n}`, to: ["@a"] });
  }
  await post(a, { body: "once more", to: ["@b"] });
  expect(await stream.expectNext("messages")).toMatchObject({
    data: { messages: [{ body: "once more", damped: [b.id] }] },
  });
});

test("a stream is for agents, and a refusal comes as an answer", async () => {
  const { world, ana, a } = await team();
  const opened = ana.follow("streamInbox").next();
  expect(await refusalOf(opened)).toMatchObject({ status: 403, code: "agent_token_required" });
  await a.call("leaveAsAgent");
  const again = a.follow("streamInbox").next();
  expect(await refusalOf(again)).toMatchObject({ status: 403, code: "agent_removed" });
  expect(world.inboxStreams.count).toBe(0);
});

test("whatever is posted, acknowledged and broken off, each message is sent once, in order, and none is missing", async () => {
  const step = fc.oneof(
    fc.record({
      by: fc.constantFrom("ana" as const, "bo" as const, "a" as const, "b" as const),
      to: fc.constantFrom("all", "@a", "@b", "role:member"),
      body: fc.constantFrom("x", "see @a"),
    }),
    fc.record({ ack: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ take: fc.integer({ min: 1, max: 3 }) }),
    fc.constant({ again: true as const }),
  );
  const check = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
    const { world, ...members } = await team();
    const { ana, a } = members;
    const taken: number[] = [];
    let last: string | undefined;
    let events = a.follow("streamInbox");
    /** Takes one event, if there is one: a post to a alone ends the wait for it. */
    const take = async () => {
      const { value }: IteratorResult<EventFrom<"streamInbox">, undefined> = await events.next();
      if (value?.event !== "messages") return;
      last = value.id;
      taken.push(...value.data.messages.map(({ seq }) => seq));
    };
    await take();
    for (const given of steps) {
      if ("ack" in given) {
        const up_to = Math.floor(given.ack * (await headOf(ana)));
        await a.call("ackInbox", { body: { up_to } });
      } else if ("again" in given) {
        await events.return(undefined);
        events = a.follow("streamInbox", {}, last === undefined ? {} : { lastEventId: last });
        await take();
      } else if ("take" in given) {
        for (let n = 0; n < given.take; n++) {
          await post(ana, { body: "now", to: ["@a"] });
          await take();
        }
      } else await post(members[given.by], { body: given.body, to: [given.to] });
    }
    const final = await post(ana, { body: "last", to: ["@a"] });
    while (taken.at(-1) !== final.seq) await take();
    expect(taken).toEqual([...new Set(taken)].sort((one, other) => one - other));
    const { messages } = await a.call("getInbox", { query: { limit: 200 } });
    expect(taken).toEqual(expect.arrayContaining(messages.map(({ seq }) => seq)));
  });
  await fc.assert(check, tries(15));
}, 300_000);
