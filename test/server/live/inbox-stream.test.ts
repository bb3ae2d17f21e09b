import { expect, test } from "bun:test";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { followInbox } from "../../support/follow-inbox.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { headOf, post } from "../../support/boards/docs-board.ts";

/** `docs` with ana and bo, ana's agents a and b, and bo's agent c. */
const team = () => startDocs({ a: "ana", b: "ana", c: "bo" });

test("a stream opens with where the agent stands, then sends what waits, then each message as it comes", async () => {
  const { world, id, ana, bo, a } = await team();
  const first = await post(bo, "first");
  await post(bo, { body: "for another", to: ["@b"] });
  const stream = await followInbox(a);
  const { cursor, work, ...inbox } = await a.call("getInbox");
  expect(stream.ready).toEqual({
    board: "docs",
    board_id: id,
    lifecycle: "active",
    member_id: a.id,
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
  world.check();
  world.stop();
});

test("a stream is for agents, and a refusal comes as an answer", async () => {
  const { world, ana } = await team();
  const opened = ana.follow("streamInbox").next();
  expect(await refusalOf(opened)).toMatchObject({ status: 403, code: "agent_token_required" });
  world.check();
  world.stop();
});
