import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { brokenAt } from "../../support/log-chain.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, post, seatOnDocs, setPolicy } from "../../support/boards/docs-board.ts";
import { openTask } from "../../support/boards/board-with-tasks.ts";
import { tries } from "../../support/tries.ts";

type Query = NonNullable<Given<"listMessages">["query"]>;

/** `docs` with the people ana and bo, ana's agents a and b, and bo's agent c. */
const team = () =>
  startDocs(
    { a: ["ana", "writer"], b: ["ana", "reviewer"], c: ["bo", "writer"] },
    { template: "writer-reviewer" },
  );

const names = ["ana", "bo", "a", "b", "c"] as const;
const roles: Record<string, string> = { a: "writer", b: "reviewer", c: "writer", late: "writer" };
const targets = ["all", "@ana", "@bo", "@a", "@b", "@c", "role:writer", "role:member", "owner:bo"];

/** Which seqs a member should be shown, worked out from the whole log. */
async function shouldSee(ana: Client, reader: string, readerId: string, open: boolean, by: Query) {
  const seqs: number[] = [];
  for (const { type, seq, actor, data } of await eventsOf(ana)) {
    if (type !== "message.posted") continue;
    const { to, recipients, about } = data as {
      to: string[];
      recipients?: string[];
      about?: { ref: string }[];
    };
    const own = actor.name === reader;
    const reached =
      to.includes("all") ||
      to.includes(`role:${roles[reader]}`) ||
      recipients?.includes(readerId) === true;
    const readable = open || roles[reader] === undefined || own || reached;
    const fits =
      (by.from === undefined || by.from === actor.name) &&
      (by.role === undefined || by.role === roles[actor.name!]) &&
      (!by.to_me || (reached && !own)) &&
      (by.task === undefined || about?.some(({ ref }) => ref === `DOC-${by.task}`) === true);
    if (readable && fits) seqs.push(seq);
  }
  return seqs;
}

test("pages joined in either direction are the whole filtered list, for every reader and filter", async () => {
  const message = fc.record({
    sender: fc.constantFrom(...names),
    to: fc.uniqueArray(fc.constantFrom(...targets), { minLength: 1, maxLength: 3 }),
    body: fc.constantFrom("x", "@a and @b", "@role:writer"),
    reacts: fc.boolean(),
    about: fc.subarray(["1", "2"]),
  });
  const question = fc.record({
    // The late one holds its role only since after the last message.
    reader: fc.constantFrom(...names, "late" as const),
    from: fc.option(fc.constantFrom(...names), { nil: undefined }),
    role: fc.option(fc.constantFrom("writer", "reviewer", "member"), { nil: undefined }),
    toMe: fc.boolean(),
    task: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 6 }),
    windows: fc.array(fc.tuple(fc.nat({ max: 50 }), fc.integer({ min: 1, max: 60 })), {
      minLength: 4,
      maxLength: 4,
    }),
  });
  const board = fc.record({
    open: fc.boolean(),
    messages: fc.array(message, { minLength: 1, maxLength: 40, size: "max" }),
    questions: fc.array(question, { minLength: 8, maxLength: 8 }),
  });
  const check = fc.asyncProperty(board, async (given) => {
    const { world, ...members } = await team();
    for (const title of ["one", "two"]) await openTask(members.ana, title);
    for (const { sender, to: named, body, reacts, about } of given.messages) {
      const to = named.includes("all") ? ["all"] : named;
      const { id } = await post(members[sender], { body, to, about });
      if (reacts)
        await members.bo.call("addReaction", { params: { message: id, reaction: "eyes" } });
    }
    const late = await seatOnDocs(world, "late", "writer");
    await members.c.call("leaveAsAgent");
    await setPolicy(world, { visibility: given.open ? "open" : "addressed" });
    const { members: known } = await members.ana.call("listMembers", docs);
    const idOf = (reader: string) => known.find(({ name }) => name === reader)!.id;

    for (const { reader: name, from, role, toMe, task, limit, windows } of given.questions) {
      if (name === "c") continue;
      const reader = { ...members, late }[name];
      const by: Query = {
        ...(from !== undefined && { from }),
        ...(role !== undefined && { role }),
        ...(toMe && { to_me: true }),
        ...(task !== undefined && { task }),
      };
      const expected = await shouldSee(members.ana, name, idOf(name), given.open, by);
      const read = (query: Query) =>
        reader.call("listMessages", { ...docs, query: { ...by, limit, ...query } });

      const forward: number[] = [];
      for (let after: number | null = 0; after !== null;) {
        const page: Awaited<ReturnType<typeof read>> = await read({ after });
        forward.push(...page.messages.map(({ seq }) => seq));
        after = page.next_after;
      }
      expect(forward).toEqual(expected);

      const backward: number[] = [];
      for (let before: number | null = 4_000_000_000; before !== null;) {
        const page: Awaited<ReturnType<typeof read>> = await read({ before, newest: true });
        backward.unshift(...page.messages.map(({ seq }) => seq));
        before = page.prev_before;
      }
      expect(backward).toEqual(expected);

      for (const [[after, before], newest] of windows.flatMap((window) => [
        [window, false] as const,
        [window, true] as const,
      ])) {
        const inside = expected.filter((seq) => seq > after && seq < before);
        const page = await read({ after, before, newest });
        const seqs = page.messages.map(({ seq }) => seq);
        expect(seqs).toEqual(newest ? inside.slice(-limit) : inside.slice(0, limit));
        if (seqs.length === 0) continue;
        expect(page.next_after).toBe(
          expected.some((seq) => seq > seqs.at(-1)!) ? seqs.at(-1)! : null,
        );
        expect(page.prev_before).toBe(expected.some((seq) => seq < seqs[0]!) ? seqs[0]! : null);
      }
    }
    world.stop();
  });
  await fc.assert(check, tries(15));
}, 300_000);

test("filters by what the board does not have are refused; a member who has gone can be asked for", async () => {
  const { ana, c } = await team();
  await post(c, "last words");
  await c.call("leaveAsAgent");
  const read = (query: Query) => ana.call("listMessages", { ...docs, query });
  expect((await read({ from: "c" })).messages).toHaveLength(1);
  expect(await refusalOf(read({ from: "nobody" }))).toMatchObject({ code: "member_not_found" });
  expect(await refusalOf(read({ role: "ghost" }))).toMatchObject({
    status: 404,
    code: "role_not_found",
  });
  expect(await refusalOf(read({ task: "DOC-1" }))).toMatchObject({
    status: 404,
    code: "task_not_found",
  });
  for (const query of [{ limit: 0 }, { limit: 201 }, { before: 0 }, { after: -1 }, { x: 1 }])
    expect(await refusalOf(read(query as Query))).toMatchObject({ code: "invalid_request" });
});

test("under `addressed` a message is not there for an agent it does not reach; people read all", async () => {
  const { world, ana, bo, a, b } = await team();
  await setPolicy(world, { visibility: "addressed" });
  const root = await post(ana, { body: "for a", to: ["@a"] });
  const reply = await post(a, { body: "yes", reply_to: root.id });
  await bo.call("addReaction", { params: { message: root.id, reaction: "check" } });

  const seen = async (reader: Client) => ({
    messages: (await reader.call("listMessages", docs)).messages.map(({ id }) => id),
    threads: (await reader.call("listThreads", docs)).threads.map((thread) => thread.root.id),
    withheld: (await eventsOf(reader)).filter((e) => e.data_withheld).map((e) => e.type),
  });
  expect(await seen(b)).toEqual({
    messages: [],
    threads: [],
    withheld: ["message.posted", "message.posted", "reaction.added"],
  });
  expect(await seen(bo)).toEqual({
    messages: [root.id, reply.id],
    threads: [root.id],
    withheld: [],
  });
  expect(await seen(a)).toEqual(await seen(bo));
  expect(brokenAt(await eventsOf(b))).toBeNull();
  for (const operation of ["getMessage", "listReplies"] as const)
    expect(await refusalOf(b.call(operation, { params: { message: root.id } }))).toMatchObject({
      status: 404,
      code: "message_not_found",
    });
  expect(
    await refusalOf(b.call("addReaction", { params: { message: root.id, reaction: "eyes" } })),
  ).toMatchObject({ code: "message_not_found" });
  expect(await b.call("getBoard", docs)).toMatchObject({ message_count: null });
  await setPolicy(world, { visibility: "open" });
  expect((await seen(b)).messages).toEqual([root.id, reply.id]);
});

test("a message to a role can be read by whoever holds the role later, though they are no recipient", async () => {
  const { world, ana, b } = await team();
  await setPolicy(world, { visibility: "addressed" });
  const { id, seq } = await post(ana, { body: "writers", to: ["role:writer"] });
  const late = await seatOnDocs(world, "late", "writer");
  const { messages } = await late.call("listMessages", { ...docs, query: { to_me: true } });
  expect(messages.map((message) => message.id)).toEqual([id]);
  const { recipients } = await ana.call("getReceipts", { params: { board: "docs", seq } });
  expect(recipients.map(({ member }) => member.name)).toEqual(["a", "c"]);
  expect((await b.call("listMessages", docs)).messages).toEqual([]);
});
