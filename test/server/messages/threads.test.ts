import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Client } from "../../../src/client/client.ts";
import type { ReactionName } from "../../../src/contract/message.ts";
import { reactions } from "../../../src/contract/words.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, headOf, post, setPolicy } from "../../support/boards/docs-board.ts";
import { tries } from "../../support/tries.ts";

/** `docs` with the people ana and bo and ana's agents a and b. */
const team = (template?: "writer-reviewer") =>
  startDocs({ a: "ana", b: "ana" }, template && { template });

const repliesTo = (reader: Client, id: string, query: { after?: number; limit?: number } = {}) =>
  reader.call("listReplies", { params: { message: id }, query });

describe("threads", () => {
  test("are the messages with replies, newest reply first, with who takes part in order of appearance", async () => {
    const { ana, bo, a, b } = await team();
    const one = await post(ana, "one");
    const two = await post(b, "two");
    await post(bo, "no thread");
    const reply = await post(a, { body: "re one", reply_to: one.id });
    await post(bo, { body: "re two", reply_to: two.id });
    await post(b, { body: "re reply", reply_to: reply.id });
    await post(a, { body: "re one again", reply_to: one.id });
    const { threads, more } = await ana.call("listThreads", docs);
    expect(threads.map(({ root, participants }) => [root.body, participants])).toEqual([
      ["one", ["ana", "a", "b"]],
      ["two", ["b", "bo"]],
    ]);
    expect(more).toBe(false);
    const first = await ana.call("listThreads", { ...docs, query: { limit: 1 } });
    expect([first.threads.length, first.more]).toEqual([1, true]);
  });

  test("count and show only what their reader may read, down to a thread whose first message is hidden", async () => {
    const { world, ana, bo, a, b } = await team();
    await setPolicy(world, { preset: "recommended", broadcast: "everyone" });
    const root = await post(ana, { body: "root", to: ["@a", "@bo"] });
    const hidden = await post(bo, { body: "to a", to: ["@a"], reply_to: root.id });
    world.pass(60);
    const shared = await post(a, { body: "to b", to: ["@b"], reply_to: hidden.id });

    const counts = async (reader: Client) => {
      const { message } = await reader.call("getMessage", { params: { message: root.id } });
      return [message.reply_count, message.last_reply_at];
    };
    expect(await counts(ana)).toEqual([2, "2026-01-01T00:01:00.000Z"]);
    expect(await counts(a)).toEqual([2, "2026-01-01T00:01:00.000Z"]);
    expect(await repliesTo(b, shared.id)).toMatchObject({
      message_id: shared.id,
      root: null,
      replies: [{ id: shared.id, reply_to: hidden.id, reply_count: 0 }],
      next_after: null,
    });
    expect((await b.call("listThreads", docs)).threads).toEqual([]);

    const late = await post(bo, { body: "b too", to: ["@b"], reply_to: root.id });
    expect((await repliesTo(b, late.id)).replies.map(({ id }) => id)).toEqual([shared.id, late.id]);
    const invited = await post(ana, { body: "for b", to: ["@b"] });
    await post(bo, { body: "not for b", to: ["@a"], reply_to: invited.id });
    expect((await b.call("listThreads", docs)).threads).toEqual([]);
    const own = await post(b, { body: "mine", reply_to: invited.id });
    const { threads } = await b.call("listThreads", docs);
    expect(threads).toMatchObject([
      {
        root: { id: invited.id, reply_count: 1, last_reply_at: own.at },
        participants: ["ana", "b"],
      },
    ]);
  });

  test("what an agent may not read does not bring a thread to the front of its list", async () => {
    const { world, ana, a } = await team();
    await setPolicy(world, { visibility: "addressed" });
    const roots = [];
    for (const body of ["one", "two", "three"]) roots.push(await post(ana, body));
    for (const to of ["@a", "@b"])
      for (const root of to === "@a" ? roots : roots.slice(0, 2))
        await post(ana, { body: "more", to: [to], reply_to: root.id });
    const bodies = async (reader: Client) =>
      (await reader.call("listThreads", { ...docs, query: { limit: 1 } })).threads.map(
        ({ root }) => root.body,
      );
    expect(await bodies(ana)).toEqual(["two"]);
    expect(await bodies(a)).toEqual(["three"]);
  });

  test("an agent that does not read all is listed those whose first message and some reply it may read", async () => {
    const names = ["ana", "bo", "a", "b"] as const;
    // Much is hidden, so that threads end in what their reader may not read.
    const targets = ["all", "@a", "@b", "role:member", "@bo", "@bo", "@bo", "role:writer"];
    const message = fc.record({
      sender: fc.constantFrom(...names, "ana", "bo"),
      to: fc.constantFrom(...targets),
      // Before how many messages stands what it replies to.
      replyTo: fc.option(fc.integer({ min: 1, max: 25 }), { freq: 3 }),
    });
    const board = fc.array(message, { maxLength: 60, size: "max" });
    const check = fc.asyncProperty(board, async (messages) => {
      const { world, ...members } = await team("writer-reviewer");
      const made: { id: string; root: number; from: string; to: string }[] = [];
      for (const { sender, to, replyTo } of messages) {
        const answered = replyTo === null ? undefined : made[made.length - replyTo];
        const { id } = await post(members[sender], {
          body: "x",
          to: [to],
          ...(answered && { reply_to: answered.id }),
        });
        made.push({ id, root: answered?.root ?? made.length, from: sender, to });
      }
      await setPolicy(world, { visibility: "addressed" });
      const mayRead = (reader: string, { from, to }: { from: string; to: string }) =>
        from === reader || ["all", `@${reader}`, "role:member"].includes(to);
      for (const reader of ["a", "b"] as const) {
        const lastReplies = new Map<number, number>();
        for (const [place, each] of made.entries())
          if (each.root !== place && mayRead(reader, each) && mayRead(reader, made[each.root]!))
            lastReplies.set(each.root, place);
        const expected = [...lastReplies]
          .toSorted(([, one], [, other]) => other - one)
          .map(([root]) => made[root]!.id);
        for (const limit of [1, 2, 5, 200]) {
          const query = { limit };
          const { threads, more } = await members[reader].call("listThreads", { ...docs, query });
          expect(threads.map(({ root }) => root.id)).toEqual(expected.slice(0, limit));
          expect(more).toBe(expected.length > limit);
        }
      }
      world.stop();
    });
    await fc.assert(check, tries(15));
  }, 300_000);

  test("replies are paged oldest first, asked for by any message of the thread", async () => {
    const { ana, bo, a } = await team();
    const root = await post(ana, "root");
    const ids: string[] = [];
    for (let n = 0; n < 5; n++)
      ids.push((await post(n % 2 ? a : bo, { body: "re", reply_to: ids.at(-1) ?? root.id })).id);
    await post(ana, "another");
    const walked: string[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: Awaited<ReturnType<typeof repliesTo>> = await repliesTo(bo, ids[3]!, {
        after,
        limit: 2,
      });
      expect(page).toMatchObject({ message_id: ids[3]!, root: { id: root.id } });
      walked.push(...page.replies.map(({ id }) => id));
      after = page.next_after;
    }
    expect(walked).toEqual(ids);
  });

  test("reading pages, threads, replies, receipts and the log moves no position", async () => {
    const { ana, a } = await team();
    const { id, seq } = await post(ana, "hello");
    await a.call("getInbox");
    await a.call("listMessages", docs);
    await a.call("listThreads", docs);
    await repliesTo(a, id);
    await a.call("getMessage", { params: { message: id } });
    await a.call("getReceipts", { params: { board: "docs", seq } });
    await a.call("listEvents", docs);
    expect(await a.call("getBoard", docs)).toMatchObject({ unread: 1 });
    expect((await a.call("getInbox")).messages).toHaveLength(1);
  });
});

describe("reactions", () => {
  const react = (client: Client, id: string, reaction: ReactionName) =>
    client.call("addReaction", { params: { message: id, reaction } });
  const takeBack = (client: Client, id: string, reaction: ReactionName) =>
    client.call("removeReaction", { params: { message: id, reaction } });

  test("stand in the fixed order, who was first comes first, and each reader sees their own marked", async () => {
    const { ana, bo, a } = await team();
    const { id } = await post(ana, "good?");
    for (const name of Object.keys(reactions).reverse() as ReactionName[])
      await react(bo, id, name);
    await react(a, id, "tada");
    await react(ana, id, "tada");
    const { reactions: shown } = await takeBack(bo, id, "heart");
    expect(shown.map(({ name, emoji }) => `${name} ${emoji}`)).toEqual([
      "thumbsup 👍",
      "check ✅",
      "eyes 👀",
      "tada 🎉",
      "question ❓",
    ]);
    expect(shown[3]).toEqual({
      name: "tada",
      emoji: "🎉",
      count: 3,
      by: ["bo", "a", "ana"],
      mine: true,
    });
    const { message } = await a.call("getMessage", { params: { message: id } });
    expect(message.reactions.map(({ mine }) => mine)).toEqual([false, false, false, true, false]);
  });

  test("a repeat changes nothing, nor does taking back what is not there; both move the head otherwise", async () => {
    const { ana, bo } = await team();
    const { id, seq } = await post(ana, "good?");
    const first = await react(bo, id, "check");
    expect(await react(bo, id, "check")).toEqual(first);
    expect(await headOf(ana)).toBe(seq + 1);
    await takeBack(ana, id, "check");
    expect(await headOf(ana)).toBe(seq + 1);
    expect((await takeBack(bo, id, "check")).reactions).toEqual([]);
    expect((await takeBack(bo, id, "check")).reactions).toEqual([]);
    expect(await headOf(ana)).toBe(seq + 2);
    expect((await react(bo, id, "check")).reactions).toMatchObject([{ by: ["bo"] }]);
  });

  test("are no message: nothing is unread by them, no count moves, and no inbox holds them", async () => {
    const { ana, bo, a } = await team();
    const { id, seq } = await post(a, "good?");
    await bo.call("ackBoard", { ...docs, body: { up_to: seq } });
    await react(bo, id, "heart");
    await react(ana, id, "heart");
    expect(await bo.call("getBoard", docs)).toMatchObject({ unread: 0, message_count: 1 });
    expect((await a.call("getInbox")).messages).toEqual([]);
    expect((await bo.call("listMessages", docs)).messages).toHaveLength(1);
    expect((await ana.call("listThreads", docs)).threads).toEqual([]);
  });

  test("need no permission but to read, and a known name", async () => {
    const { world, ana, a } = await team();
    const { id } = await post(ana, "good?");
    await setPolicy(world, { preset: "recommended" });
    await react(a, id, "eyes");
    expect(await refusalOf(react(a, id, "rocket" as ReactionName))).toMatchObject({
      status: 400,
      code: "invalid_request",
    });
    const zoe = await world.person("zoe");
    expect(await refusalOf(react(zoe, id, "eyes"))).toMatchObject({ code: "message_not_found" });
  });
});
