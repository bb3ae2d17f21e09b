import { describe, expect, test } from "bun:test";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, post } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";

const team = () => startDocs({ a: "ana", b: "bo" });

describe("a quiet message", () => {
  test("is stored, recorded and shown as one, and other messages say nothing of it", async () => {
    const { ana, a } = await team();
    const quiet = await post(a, { body: "fyi", quiet: true });
    const loud = await post(a, { body: "hear", quiet: false });
    expect([quiet.quiet, "quiet" in loud, "damped" in quiet]).toEqual([true, false, false]);
    const events = (await eventsOf(ana)).filter(({ type }) => type === "message.posted");
    expect(events.map(({ data }) => data!["quiet"])).toEqual([true, undefined]);
    const { messages } = await ana.call("listMessages", docs);
    expect(messages.map((message) => message.quiet)).toEqual([true, undefined]);
  });

  test("is unread, in the inbox and in receipts like any other", async () => {
    const { ana, a, b } = await team();
    const { seq, id } = await post(a, { body: "@b fyi", to: ["@b", "@bo"], quiet: true });
    const inbox = await b.call("getInbox");
    expect(inbox.messages.map((message) => [message.id, message.quiet])).toEqual([[id, true]]);
    expect(inbox.messages[0]!.mentions).toMatchObject([{ name: "b", wakes: true }]);
    expect((await ana.call("getBoard", docs)).unread).toBe(1);
    const params = { board: "docs", seq };
    const receipts = async () =>
      (await a.call("getReceipts", { params })).recipients.map(({ state }) => state);
    expect(await receipts()).toEqual(["pending", "pending"]);
    await b.call("ackInbox", { body: { up_to: seq } });
    expect(await receipts()).toEqual(["received", "pending"]);
  });

  test("ends no wait of an inbox, comes with the next message that does, and at once without a wait", async () => {
    const { world, ana, bo, b } = await team();
    const before = await post(bo, { body: "before", quiet: true });
    const answer = b.call("getInbox", { query: { wait: 600 } });
    await until(() => world.hub.waiting === 1, "the inbox waits");
    const during = await post(ana, { body: "during", to: ["@b"], quiet: true });
    expect(world.hub.waiting).toBe(1);
    const waking = await post(ana, { body: "wake", to: ["@b"] });
    const ids = (await answer).messages.map(({ id }) => id);
    expect(ids).toEqual([before.id, during.id, waking.id]);
    expect((await b.call("getInbox")).messages).toHaveLength(3);
    await b.call("ackInbox", { body: { up_to: waking.seq } });
    const late = await post(ana, { body: "late", quiet: true });
    const over = await b.call("getInbox", { query: { wait: 1 } });
    expect([over.messages, over.more]).toEqual([[], false]);
    expect((await b.call("getInbox")).messages.map(({ id }) => id)).toEqual([late.id]);
  });

  test("hides no waking message behind many quiet ones", async () => {
    const { ana, b } = await team();
    for (const to of [["all"], ["@b"]]) {
      for (let n = 0; n < 3; n++) await post(ana, { body: "fyi", quiet: true, to });
      const none = await b.call("getInbox", { query: { wait: 1, limit: 2 } });
      expect(none.messages).toEqual([]);
      await post(ana, { body: "wake", to });
      const first = await b.call("getInbox", { query: { wait: 600, limit: 2 } });
      expect([first.messages.map(({ body }) => body), first.more]).toEqual([["fyi", "fyi"], true]);
      const { head_seq } = await ana.call("getBoard", docs);
      await b.call("ackInbox", { body: { up_to: head_seq } });
    }
  });

  test("ends a wait for replies: whoever waits there asked", async () => {
    const { world, a, b } = await team();
    const { id } = await post(a, { body: "what do you think?", to: ["@b"] });
    const answer = a.call("listReplies", { params: { message: id }, query: { wait: 600 } });
    await until(() => world.hub.waiting === 1, "the replies wait");
    await post(b, { body: "fine", reply_to: id, quiet: true });
    expect((await answer).replies.map(({ body }) => body)).toEqual(["fine"]);
  });

  test.each([
    ["`quiet` and `urgent`", { urgent: true }],
    ["`quiet` and `expects_reply`", { expects_reply: true }],
    ["`quiet` and `ask`", { to: ["@b"], ask: {} }],
  ])("wants nothing: %s are refused together", async (named, more) => {
    const { ana, a } = await team();
    const refusal = await refusalOf(post(a, { body: "x", quiet: true, ...more }));
    expect(refusal).toMatchObject({
      status: 422,
      code: "invalid_request",
      message: expect.stringContaining(`${named} do not go together`),
    });
    expect((await ana.call("listMessages", docs)).messages).toEqual([]);
  });

  test("answers and withdraws no ask, said or not", async () => {
    const { ana, bo, a, b } = await team();
    const { id } = await post(a, { body: "which?", to: ["@b"], ask: { options: ["x", "y"] } });
    const reply = { body: "x", reply_to: id, quiet: true };
    for (const [by, more] of [
      [b, { answer: { option: 1 } }],
      [b, {}],
      [a, { answer: { withdrawn: true } }],
    ] as const)
      expect(await refusalOf(post(by, { ...reply, ...more }))).toMatchObject({
        status: 422,
        code: "invalid_request",
      });
    expect((await ana.call("listAsks", docs)).asks).toMatchObject([{ ask: { state: "open" } }]);
    await post(bo, { ...reply, body: "they will say" });
  });
});
