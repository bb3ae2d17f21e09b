import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import {
  docs,
  eventsOf,
  headOf,
  personOnDocs,
  post,
  seatOnDocs,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { tries } from "../../support/tries.ts";

/** `docs` with the people ana and bo, ana's agents a (writer) and b (reviewer), and bo's agent c (writer). */
const team = () =>
  startDocs(
    { a: ["ana", "writer"], b: ["ana", "reviewer"], c: ["bo", "writer"] },
    { template: "writer-reviewer" },
  );

const bodies = async (agent: Client, query: { after?: number; limit?: number } = {}) =>
  (await agent.call("getInbox", { query })).messages.map(({ body }) => body);

test("an inbox holds what others sent to all, by name, role or owner, or that mentions the agent, oldest first", async () => {
  const { ana, bo, a, b } = await team();
  await post(ana, "to all");
  await post(bo, { body: "by name", to: ["@a"] });
  await post(b, { body: "by role", to: ["role:writer"] });
  await post(bo, { body: "by owner", to: ["owner:ana"] });
  await post(bo, { body: "@role:writer by mention", to: ["@b"] });
  await post(bo, { body: "for another", to: ["@b"] });
  await post(a, "own");
  await post(a, { body: "own to own role @a", to: ["role:writer", "@a"] });
  expect(await bodies(a)).toEqual([
    "to all",
    "by name",
    "by role",
    "by owner",
    "@role:writer by mention",
  ]);
  const { messages } = await a.call("getInbox");
  expect(messages.map(({ sender }) => sender)).toEqual([
    "owner",
    "other_person",
    "owner_agent",
    "other_person",
    "other_person",
  ]);
  expect(await a.call("getBoard", docs)).toMatchObject({ unread: 5 });
});

test("a message is there once, however many ways it reaches the agent", async () => {
  const { ana, a } = await team();
  await post(ana, { body: "@a @role:writer", to: ["@a", "role:writer", "owner:ana"] });
  await post(ana, "@a and all");
  expect(await bodies(a)).toEqual(["@a @role:writer", "@a and all"]);
});

test("a new seat's inbox begins at the board's head, and names the seat", async () => {
  const { world, ana } = await team();
  await post(ana, "before");
  const late = await seatOnDocs(world, "late");
  const { id } = await ana.call("getBoard", docs);
  expect(await late.call("getInbox")).toEqual({
    board: "docs",
    board_id: id,
    agent: "late",
    member_id: late.id,
    messages: [],
    cursor: await headOf(ana),
    more: false,
    delivery_mode: "focused",
    delivery_revision: 0,
    work: {
      current_task: null,
      open_tasks: 0,
      oldest_open: null,
      posts_without_task: 0,
      asks_waiting: 0,
      asks_to_it: 0,
      line: null,
      brief: null,
      nudges: true,
    },
    midturn_policy: "my-agents",
  });
  await ana.call("setDeliveryMode", {
    params: { board: "docs", member: "late" },
    body: { mode: "off" },
  });
  expect(await late.call("getInbox")).toMatchObject({
    delivery_mode: "off",
    delivery_revision: await headOf(ana),
  });
});

test("`after` skips, `limit` cuts and says so, and reading moves nothing", async () => {
  const { ana, a } = await team();
  const { cursor } = await a.call("getInbox");
  const seqs: number[] = [];
  for (const body of ["one", "two", "three"]) seqs.push((await post(ana, body)).seq);
  const cut = await a.call("getInbox", { query: { limit: 2 } });
  expect([cut.messages.length, cut.more, cut.cursor]).toEqual([2, true, cursor]);
  const whole = await a.call("getInbox", { query: { limit: 3 } });
  expect([whole.messages.length, whole.more]).toEqual([3, false]);
  expect(await bodies(a, { after: seqs[0]! })).toEqual(["two", "three"]);
  expect(await bodies(a, { after: seqs[1]!, limit: 1 })).toEqual(["three"]);
  await a.call("ackInbox", { body: { up_to: seqs[1]! } });
  expect(await bodies(a, { after: seqs[0]! })).toEqual(["three"]);
});

test("a position moves forward by either acknowledgement, never back, and never past the head", async () => {
  const { ana, a } = await team();
  const first = await post(ana, "one");
  const second = await post(ana, "two");
  const ack = (up_to: number) => a.call("ackInbox", { body: { up_to } });
  expect(await ack(first.seq)).toEqual({ cursor: first.seq, member_id: a.id });
  const board = await a.call("ackBoard", { ...docs, body: { up_to: second.seq } });
  expect(board).toEqual({ board: "docs", read_up_to: second.seq, unread: 0 });
  expect(await ack(first.seq)).toMatchObject({ cursor: second.seq });
  expect(await ack(0)).toMatchObject({ cursor: second.seq });
  for (const operation of ["ackBoard", "ackInbox"] as const)
    expect(
      await refusalOf(a.call(operation, { ...docs, body: { up_to: second.seq + 1 } } as never)),
    ).toMatchObject({ status: 422, code: "ack_out_of_range" });
  expect((await a.call("getInbox")).cursor).toBe(second.seq);
  expect(await headOf(ana)).toBe(second.seq);
});

test("a person's position starts at the head when they join, and moves as they acknowledge", async () => {
  const { world, ana } = await team();
  await post(ana, "before");
  const cy = await personOnDocs(world, "cy");
  const joined = await headOf(ana);
  expect(await cy.call("getBoard", docs)).toMatchObject({ read_up_to: joined, unread: 0 });
  const { seq } = await post(ana, { body: "not even for cy", to: ["@bo"] });
  await post(cy, "own");
  expect(await cy.call("getBoard", docs)).toMatchObject({ read_up_to: joined, unread: 1 });
  const answer = await cy.call("ackBoard", { ...docs, body: { up_to: seq } });
  expect(answer).toEqual({ board: "docs", read_up_to: seq, unread: 0 });
});

test("the inbox is for agents alone", async () => {
  const { ana } = await team();
  for (const attempt of [ana.call("getInbox"), ana.call("ackInbox", { body: { up_to: 1 } })])
    expect(await refusalOf(attempt)).toMatchObject({ status: 403, code: "agent_token_required" });
});

test("a mention leaves the inbox when the policy no longer lets its agent read the message, and comes back with it", async () => {
  const { world, ana, a } = await team();
  await post(ana, { body: "@a look", to: ["@b"] });
  const { seq } = await post(ana, { body: "@a and you", to: ["@a"] });
  expect(await bodies(a)).toEqual(["@a look", "@a and you"]);
  await setPolicy(world, { visibility: "addressed" });
  expect(await bodies(a)).toEqual(["@a and you"]);
  expect(await a.call("getInbox", { query: { limit: 1 } })).toMatchObject({
    messages: [{ seq }],
    more: false,
  });
  expect(await a.call("getBoard", docs)).toMatchObject({ unread: 1 });
  await setPolicy(world, { visibility: "open" });
  expect(await a.call("getBoard", docs)).toMatchObject({ unread: 2 });
});

const names = ["ana", "bo", "a", "b", "c"] as const;
const roleOf: Record<string, string> = { a: "writer", b: "reviewer", c: "writer" };

test("unread counts equal a scan of the whole log, whatever is posted and acknowledged, and positions only grow", async () => {
  const step = fc.oneof(
    fc.record({
      by: fc.constantFrom(...names),
      to: fc.constantFrom("all", "@a", "@bo", "role:writer", "owner:ana", "role:member"),
      body: fc.constantFrom("x", "@a", "@role:writer", "@b @bo"),
    }),
    fc.record({
      by: fc.constantFrom(...names),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    fc.record({ open: fc.boolean() }),
  );
  const check = fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
    const { world, ...members } = await team();
    const { members: known } = await members.ana.call("listMembers", docs);
    const idOf = new Map(known.map(({ name, id }) => [name, id]));
    const positions = new Map<string, number>();
    let open = true;
    for (const given of steps) {
      if ("open" in given) {
        open = given.open;
        await setPolicy(world, { visibility: open ? "open" : "addressed" });
      } else if ("share" in given) {
        const up_to = Math.floor(given.share * (await headOf(members.ana)));
        const before = positions.get(given.by) ?? 0;
        const { read_up_to } = await members[given.by].call("ackBoard", {
          ...docs,
          body: { up_to },
        });
        expect(read_up_to).toBeGreaterThanOrEqual(Math.max(before, up_to));
        positions.set(given.by, read_up_to);
      } else await post(members[given.by], { body: given.body, to: [given.to] });
    }
    const log = await eventsOf(members.ana);
    for (const name of names) {
      const { read_up_to = 0, unread } = await members[name].call("getBoard", docs);
      expect(read_up_to).toBe(positions.get(name) ?? read_up_to);
      const waiting = log.filter(({ type, seq, actor, data }) => {
        if (type !== "message.posted" || seq <= read_up_to || actor.name === name) return false;
        if (roleOf[name] === undefined) return true;
        const {
          to,
          recipients = [],
          mentions,
        } = data as {
          to: string[];
          recipients?: string[];
          mentions: { id: string; wakes: boolean }[];
        };
        const id = idOf.get(name)!;
        const reached = to[0] === "all" || recipients.includes(id);
        return reached || (open && mentions.some((mention) => mention.id === id && mention.wakes));
      });
      expect([name, unread]).toEqual([name, waiting.length]);
      if (roleOf[name] === undefined) continue;
      const { messages } = await members[name].call("getInbox", { query: { limit: 200 } });
      expect(messages.map(({ seq }) => seq)).toEqual(waiting.map(({ seq }) => seq));
    }
    world.stop();
  });
  await fc.assert(check, tries(15));
}, 300_000);
