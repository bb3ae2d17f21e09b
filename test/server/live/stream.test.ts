import { expect, test } from "bun:test";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { follow } from "../../support/follow-stream.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, headOf, post } from "../../support/boards/docs-board.ts";

/** `docs` with ana and bo, and ana's agent a. */
async function team() {
  const { world, id, bo, a } = await startDocs({ a: "ana" });
  return { world, ana: world.admin, bo, a, board: { board: "docs", board_id: id } };
}

test("a stream opens with the head and the unread count of each of the person's boards, and nothing else", async () => {
  const { ana, bo, a, board } = await team();
  const other = await bo.call("createBoard", { body: { name: "other" } });
  await ana.call("createBoard", { body: { name: "elsewhere" } });
  await a.call("setPresence", { body: { presence: "working" } });
  const { seq } = await post(ana, "hello");
  const stream = await follow(bo, 2);
  const ofOther = { board: "other", board_id: other.id };
  const { read_up_to } = await bo.call("getBoard", docs);
  expect(await stream.next(4)).toEqual([
    { event: "head", ...board, seq },
    { event: "unread", ...board, read_up_to: read_up_to!, unread: 1 },
    { event: "head", ...ofOther, seq: 2 },
    { event: "unread", ...ofOther, read_up_to: 2, unread: 0 },
  ]);
});

test("every stream begins with the server's generation: the first, the next of the same key, and one without boards", async () => {
  const { world, bo } = await team();
  const zoe = await world.person("zoe");
  const { generation } = await bo.call("getInfo");
  const hello = { event: "hello" as const, data: { generation } };
  const [first, second, empty] = [await follow(bo), await follow(bo), await follow(zoe, 0)];
  expect([first.hello, second.hello, empty.hello]).toEqual([hello, hello, hello]);
  expect(await second.next(2)).toMatchObject([{ event: "head" }, { event: "unread" }]);
  expect(await empty.next(0)).toEqual([]);
});

test("a post tells each person of the head and of their own unread count", async () => {
  const { ana, bo, board } = await team();
  const [ofAna, ofBo] = [await follow(ana), await follow(bo)];
  await ofAna.next(2);
  await ofBo.next(2);
  const { read_up_to } = await bo.call("getBoard", docs);
  const { seq } = await post(ana, { body: "not even for bo", to: ["@a"] });
  expect(await ofBo.next(2)).toEqual([
    { event: "head", ...board, seq },
    { event: "unread", ...board, read_up_to: read_up_to!, unread: 1 },
  ]);
  expect(await ofAna.next(1)).toContainEqual({ event: "head", ...board, seq });
});

test("a reaction and a change of the board move the head alone", async () => {
  const { ana, bo, a, board } = await team();
  const { id, seq } = await post(ana, "hello");
  const stream = await follow(bo);
  await stream.next(2);
  await a.call("addReaction", { params: { message: id, reaction: "eyes" } });
  expect(await stream.next(1)).toEqual([{ event: "head", ...board, seq: seq + 1 }]);
  await ana.call("updateBoard", { ...docs, body: { title: "New" } });
  expect(await stream.next(1)).toEqual([{ event: "head", ...board, seq: seq + 2 }]);
});

test("an acknowledgement is sent to the person alone, on all their streams, and moves no head", async () => {
  const { world, ana, bo, board } = await team();
  const { seq } = await post(ana, "hello");
  const phone = world.as((await bo.call("createKey", { body: { name: "phone" } })).token);
  const [laptop, second, third, other] = [
    await follow(bo),
    await follow(bo),
    await follow(phone),
    await follow(ana),
  ];
  for (const each of [laptop, second, third, other]) await each.next(2);
  await bo.call("ackBoard", { ...docs, body: { up_to: seq } });
  const unread = { event: "unread" as const, ...board, read_up_to: seq, unread: 0 };
  for (const each of [laptop, second, third]) expect(await each.next(1)).toEqual([unread]);
  await bo.call("ackBoard", { ...docs, body: { up_to: seq - 1 } });
  await ana.call("updateBoard", { ...docs, body: { title: "New" } });
  const head = { event: "head" as const, ...board, seq: seq + 1 };
  for (const each of [laptop, second, third, other]) expect(await each.next(1)).toEqual([head]);
});

test("an agent's acknowledgement is sent to its own person alone", async () => {
  const { ana, bo, a, board } = await team();
  const { seq } = await post(ana, "hello");
  const [ofAna, ofBo] = [await follow(ana), await follow(bo)];
  await ofAna.next(2);
  await ofBo.next(2);
  await a.call("ackInbox", { body: { up_to: seq } });
  const read = { event: "read" as const, ...board, agent: "a", member_id: a.id, read_up_to: seq };
  expect(await ofAna.next(1)).toEqual([read]);
  await a.call("ackInbox", { body: { up_to: seq } });
  await ana.call("updateBoard", { ...docs, body: { title: "New" } });
  const head = { event: "head" as const, ...board, seq: seq + 1 };
  expect(await ofBo.next(1)).toEqual([head]);
  expect(await ofAna.next(1)).toEqual([head]);
});

test("presence is sent when it or the reported delivery changes and when it runs out, not when it is renewed", async () => {
  const { world, bo, a, board } = await team();
  const stream = await follow(bo);
  await stream.next(2);
  const report = (presence: "working" | "idle", delivery?: "all") =>
    a.call("setPresence", { body: { presence, ...(delivery && { delivery }) } });
  const since = world.clock.now.toISOString();
  const event = { event: "presence" as const, ...board, agent: "a", member_id: a.id };
  const working = {
    ...event,
    presence: "working" as const,
    presence_since: since,
    line: null,
    state: "working" as const,
  };
  await report("working");
  expect(await stream.next(1)).toEqual([{ ...working, delivery: null }]);
  world.pass(60);
  await report("working");
  await report("working", "all");
  expect(await stream.next(1)).toEqual([{ ...working, delivery: "all" }]);
  const last = world.clock.now.toISOString();
  world.pass(179);
  await world.sweep();
  world.pass(1);
  await world.sweep();
  await world.sweep();
  const lapsed = {
    ...event,
    presence: "no_session" as const,
    presence_since: last,
    line: null,
    state: "disconnected" as const,
  };
  expect(await stream.next(1)).toEqual([{ ...lapsed, delivery: "all" }]);
  await report("idle");
  const idle = {
    presence: "idle" as const,
    presence_since: world.clock.now.toISOString(),
    line: null,
    state: "idle" as const,
  };
  expect(await stream.next(1)).toEqual([{ ...event, ...idle, delivery: "all" }]);
  expect(await headOf(bo)).toBe(4);
});

test("no presence is sent for a seat that has ended", async () => {
  const { world, ana, bo, a, board } = await team();
  await a.call("setPresence", { body: { presence: "working" } });
  await a.call("leaveAsAgent");
  const stream = await follow(bo);
  await stream.next(2);
  world.pass(180);
  await world.sweep();
  await ana.call("updateBoard", { ...docs, body: { title: "New" } });
  expect(await stream.next(1)).toEqual([{ event: "head", ...board, seq: 6 }]);
});

test("a presence that is renewed just as its end is found is sent when it ends later", async () => {
  const { world, bo, a } = await team();
  await a.call("setPresence", { body: { presence: "working" } });
  const stream = await follow(bo);
  await stream.next(2);
  world.pass(180);
  const renewed = world.db.write((tx) => tx.run("UPDATE presence SET reported_at = ?", tx.now));
  await world.sweep();
  await renewed;
  world.pass(180);
  await world.sweep();
  expect(await stream.next(1)).toMatchObject([{ event: "presence", presence: "no_session" }]);
});

test("a board that a person comes onto is followed from then on", async () => {
  const { world, ana } = await team();
  const zoe = await world.person("zoe");
  const stream = await follow(zoe, 0);
  const { id } = await zoe.call("createBoard", { body: { name: "own" } });
  const own = { board: "own", board_id: id };
  expect(await stream.next(2)).toEqual([
    { event: "head", ...own, seq: 2 },
    { event: "unread", ...own, read_up_to: 2, unread: 0 },
  ]);
  await ana.call("addPerson", { ...docs, body: { handle: "zoe" } });
  const added = await headOf(zoe);
  expect(await stream.next(2)).toMatchObject([
    { event: "head", board: "docs", seq: added },
    { event: "unread", board: "docs", read_up_to: added, unread: 0 },
  ]);
  await post(ana, "welcome");
  expect(await stream.next(2)).toMatchObject([
    { event: "head", seq: added + 1 },
    { event: "unread", unread: 1 },
  ]);
});

test("a person who is taken off and added again at once gets their new read position", async () => {
  const { ana, bo } = await team();
  await post(ana, "unread");
  const stream = await follow(bo);
  await stream.next(2);
  await Promise.all([
    ana.call("removePerson", { params: { board: "docs", handle: "bo" } }),
    ana.call("addPerson", { ...docs, body: { handle: "bo" } }),
  ]);
  const seq = await headOf(bo);
  expect(await stream.next(2)).toMatchObject([
    { event: "head", seq },
    { event: "unread", read_up_to: seq, unread: 0 },
  ]);
});

test("a board that a person joins is sent once to each of their streams, even if another opens at that moment", async () => {
  const { world, ana } = await team();
  const zoe = await world.person("zoe");
  await zoe.call("createBoard", { body: { name: "own" } });
  const stream = await follow(zoe);
  await stream.next(2);
  // A listener of commits runs before the streams are told.
  let opening: ReturnType<typeof follow> | undefined;
  world.db.onCommit(() => (opening ??= follow(zoe, 2)));
  await ana.call("addPerson", { ...docs, body: { handle: "zoe" } });
  expect(await (await opening!).next(4)).toMatchObject([
    { event: "head", board: "docs" },
    { event: "unread", board: "docs" },
    { event: "head", board: "own" },
    { event: "unread", board: "own" },
  ]);
  await post(ana, "welcome");
  expect(await stream.next(4)).toMatchObject([
    { event: "head", board: "docs" },
    { event: "unread", board: "docs", unread: 0 },
    { event: "head", board: "docs" },
    { event: "unread", board: "docs", unread: 1 },
  ]);
});

test("a board of others is sent once to a person who joins it", async () => {
  const { world, ana } = await team();
  const zoe = await world.person("zoe");
  await zoe.call("createBoard", { body: { name: "own" } });
  const [ofAna, ofZoe] = [await follow(ana), await follow(zoe)];
  await ofAna.next(2);
  await ofZoe.next(2);
  await ana.call("addPerson", { ...docs, body: { handle: "zoe" } });
  await zoe.call("updateBoard", { params: { board: "own" }, body: { title: "After" } });
  expect(await ofZoe.next(3)).toMatchObject([
    { event: "head", board: "docs" },
    { event: "unread", board: "docs" },
    { event: "head", board: "own" },
  ]);
});

test("a board that a person has left is sent once as unavailable, by its id alone, and the stream goes on", async () => {
  const { world, ana, bo, board } = await team();
  await bo.call("createBoard", { body: { name: "other" } });
  const stream = await follow(bo, 2);
  await stream.next(4);
  await world.db.write((tx) =>
    tx.run("UPDATE member SET status = 'left' WHERE name = 'bo' AND board_row = 1"),
  );
  await post(ana, "bo must not know");
  expect(await stream.next(1)).toEqual([{ event: "board_unavailable", board_id: board.board_id }]);
  await post(ana, "nor this");
  await bo.call("updateBoard", { params: { board: "other" }, body: { title: "Mine" } });
  expect(await stream.next(1)).toMatchObject([{ event: "head", board: "other", seq: 3 }]);
  await ana.call("addPerson", { ...docs, body: { handle: "bo" } });
  expect(await stream.next(2)).toMatchObject([
    { event: "head", board: "docs" },
    { event: "unread", board: "docs", unread: 0 },
  ]);
});

test("a stream is for people", async () => {
  const { a } = await team();
  expect(await refusalOf(a.stream().next())).toMatchObject({ code: "human_token_required" });
});

test("no event carries a word of what was written", async () => {
  const { world, ana, bo, a } = await team();
  const answer = await world.handle(
    new Request(`${world.url}/v1/stream`, { headers: { authorization: `Bearer ${bo.token}` } }),
  );
  await ana.call("updateBoard", { ...docs, body: { title: "Plum title" } });
  const { id } = await post(ana, { body: "Plum body @a", to: ["@a"] });
  await post(a, { body: "Plum reply", reply_to: id });
  await bo.call("ackBoard", { ...docs, body: { up_to: 5 } });
  expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
  world.streams.endAll();
  const text = await answer.text();
  expect(text).toContain("event: unread");
  expect(text).not.toContain("Plum");
  expect(text).not.toContain(id);
});
