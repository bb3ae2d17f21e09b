import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { follow } from "../../support/follow-stream.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import {
  docs,
  eventsOf,
  guestOn,
  headOf,
  post,
  seatOnDocs,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { ask, cameTo, stored, verdictOf } from "../../support/raw-requests.ts";
import { browserOf, delegate } from "../../support/other-callers.ts";

type Report = NonNullable<Given<"reportDeliveryQueue">["body"]>;
const daemon = { session: "codex:1", boot: "boot-1" };
const conflict = "409 queue_report_conflict";

/** `docs` with ana's agent a and with bo, and what a's daemon says. */
async function team() {
  const { world, id, ana, bo, a } = await startDocs({ a: "ana" });
  const view = { board_id: id, member_id: a.id };
  return { world, ana, bo, a, at: world.at, view };
}
const send = (agent: Client, body: Report, options = {}) =>
  agent.call("reportDeliveryQueue", { body }, options);
const claim = (agent: Client, expected_epoch: number, by = daemon, options = {}) =>
  send(agent, { ...by, expected_epoch }, options);
type Named = { readonly id: string; readonly seq: number };
const update = (
  agent: Client,
  [epoch, revision]: readonly [number, number],
  messages: readonly Named[],
  { by = daemon, ...options }: { by?: typeof daemon; idempotencyKey?: string } = {},
) =>
  send(
    agent,
    {
      ...by,
      epoch,
      revision,
      messages: messages.map(({ id, seq }) => ({ message_id: id, seq })),
    },
    options,
  );
const read = (agent: Client) => agent.call("getDeliveryQueue");
/** Until when a message is said to be queued for each of its recipients. */
async function queued(reader: Client, { seq }: Named) {
  const { recipients } = await reader.call("getReceipts", { params: { board: "docs", seq } });
  return recipients.map(({ queued }) => queued?.expires_at ?? null);
}

describe("a delivery queue", () => {
  test("that was never claimed is at epoch 0", async () => {
    const { a, view } = await team();
    expect(await read(a)).toEqual({ ...view, epoch: 0, revision: 0 });
  });

  test("is claimed, then reported for 45 seconds, and receipts tell it to everybody who reads them", async () => {
    const { world, ana, bo, a, at, view } = await team();
    const scout = await world.seat(bo, "docs", { name: "scout" });
    const message = await post(ana, { body: "go", to: ["@scout", "@a", "@bo"] });
    expect(await claim(a, 0)).toEqual({ ...view, epoch: 1, revision: 0 });
    expect(await queued(bo, message)).toEqual([null, null, null]);
    const end = at(45);
    const reported = { ...view, epoch: 1, revision: 1, expires_at: end };
    expect(await update(a, [1, 1], [message])).toEqual(reported);
    expect(await read(a)).toEqual(reported);
    for (const reader of [ana, bo, a, scout])
      expect(await queued(reader, message)).toEqual([null, end, null]);
    const { recipients } = await bo.call("getReceipts", {
      params: { board: "docs", seq: message.seq },
    });
    expect(recipients[1]).toMatchObject({
      state: "pending",
      presence: "no_session",
      queued: { boundary: "turn_end", expires_at: end },
    });
    world.pass(44.999);
    expect(await queued(bo, message)).toEqual([null, end, null]);
    world.pass(0.001);
    expect(await queued(bo, message)).toEqual([null, null, null]);
    expect(await read(a)).toEqual({ ...view, epoch: 1, revision: 1 });
  });

  test("is renewed by a higher revision, also after it ran out, and ended by an empty one", async () => {
    const { world, ana, a, at, view } = await team();
    const [one, two] = [await post(ana, { body: "1", to: ["@a"] }), await post(ana, "@a 2")];
    const three = await post(ana, { body: "3", to: ["@a"] });
    await claim(a, 0);
    await update(a, [1, 5], [one, two]);
    world.pass(100);
    const end = at(45);
    expect(await update(a, [1, 9], [two, three])).toMatchObject({ revision: 9, expires_at: end });
    expect([await queued(ana, one), await queued(ana, three)]).toEqual([[null], [end]]);
    expect(await update(a, [1, 10], [])).toEqual({ ...view, epoch: 1, revision: 10 });
    expect(await queued(ana, three)).toEqual([null]);
    expect(await verdictOf(update(a, [1, 10], [three]))).toBe(conflict);
    await update(a, [1, 11], [three]);
    expect(await queued(ana, three)).toEqual([end]);
  });

  test("goes to the daemon that claims the next epoch, and the daemon before it is refused", async () => {
    const { ana, a, at, view } = await team();
    const message = await post(ana, { body: "go", to: ["@a"] });
    const other = { session: "codex:2", boot: "boot-2" };
    await claim(a, 0);
    await update(a, [1, 3], [message]);
    expect(await claim(a, 1, other)).toEqual({ ...view, epoch: 2, revision: 0 });
    expect(await queued(ana, message)).toEqual([null]);
    for (const late of [
      update(a, [1, 4], [message]),
      update(a, [2, 4], [message]),
      claim(a, 1),
      claim(a, 0),
      claim(a, 3),
    ])
      expect(await verdictOf(late)).toBe(conflict);
    expect(await read(a)).toEqual({ ...view, epoch: 2, revision: 0 });
    await update(a, [2, 1], [message], { by: other });
    expect(await queued(ana, message)).toEqual([at(45)]);
  });

  test("is claimed by one of several who try at once", async () => {
    const { a } = await team();
    const tries = [1, 2, 3, 4].map((n) =>
      cameTo(
        a.send("reportDeliveryQueue", {
          body: { session: `s${n}`, boot: "b", expected_epoch: 0 },
        }),
      ),
    );
    expect(await Promise.all(tries)).toEqual(["200", conflict, conflict, conflict]);
    expect((await read(a)).epoch).toBe(1);
  });

  test("writes no event, acknowledges nothing, and sends nothing on any stream", async () => {
    const { ana, a } = await team();
    const message = await post(ana, { body: "go", to: ["@a"] });
    const events = await eventsOf(ana);
    const stream = await follow(ana);
    await stream.next(2);
    await claim(a, 0);
    await update(a, [1, 1], [message]);
    expect(await eventsOf(ana)).toEqual(events);
    expect(await a.call("getInbox")).toMatchObject({ messages: [{ id: message.id }] });
    await a.call("setPresence", { body: { presence: "working" } });
    expect(await stream.next(1)).toMatchObject([{ event: "presence" }]);
    stream.leave();
  });

  test("may hold what lies behind the read position, and its receipt is received as well", async () => {
    const { ana, a, at } = await team();
    const message = await post(ana, { body: "go", to: ["@a"] });
    await a.call("ackInbox", { body: { up_to: message.seq } });
    await claim(a, 0);
    await update(a, [1, 1], [message]);
    const { recipients } = await ana.call("getReceipts", {
      params: { board: "docs", seq: message.seq },
    });
    expect(recipients).toMatchObject([{ state: "received", queued: { expires_at: at(45) } }]);
  });

  test("goes on while its board is archived, and ends with it", async () => {
    const { ana, a, at } = await team();
    const message = await post(ana, { body: "go", to: ["@a"] });
    await claim(a, 0);
    await ana.call("archiveBoard", docs);
    await update(a, [1, 1], [message]);
    expect(await queued(ana, message)).toEqual([at(45)]);
    await claim(a, 1);
    await ana.call("deleteBoard", docs);
    for (const attempt of [read(a), claim(a, 2), update(a, [2, 1], [])])
      expect(await verdictOf(attempt)).toBe("404 board_not_found");
  });

  test("is kept by a guest's agent too", async () => {
    const { world, ana, at } = await team();
    const gus = await guestOn(world, "gus");
    const message = await post(ana, { body: "go", to: [`@${gus.agent.name}`] });
    await claim(gus.agent, 0);
    await update(gus.agent, [1, 1], [message]);
    expect(await queued(ana, message)).toEqual([at(45)]);
    expect(await verdictOf(read(gus))).toBe("403 agent_token_required");
  });
});

describe("what was reported is hidden", () => {
  test("when the seat's token is replaced, and its claim holds no more", async () => {
    const { world, ana, view } = await team();
    const machine = world.as(await delegate(world, ana.token));
    const join = () =>
      machine.call("join", { body: { board: "docs", session: "codex:7", name: "c" } as never });
    const { agent, token } = await join();
    const before = world.as(token);
    const message = await post(ana, { body: "go", to: ["@c"] });
    await claim(before, 0);
    await update(before, [1, 1], [message]);
    const after = world.as((await join()).token);
    expect(await queued(ana, message)).toEqual([null]);
    const fenced = { ...view, member_id: agent.id, epoch: 1, revision: 1 };
    expect(await read(after)).toEqual(fenced);
    expect(await verdictOf(update(after, [1, 2], [message]))).toBe(conflict);
    expect(await verdictOf(read(before))).toBe("401 unauthorized");
    expect(await claim(after, 1)).toEqual({ ...fenced, epoch: 2, revision: 0 });
    await update(after, [2, 1], [message]);
    expect(await queued(ana, message)).not.toEqual([null]);
  });

  test("when the seat ends, and when the key behind its token is revoked or over", async () => {
    const { world, ana } = await team();
    const key = (name: string) => ana.call("createKey", { body: { name, ttl_seconds: 3600 } });
    const [one, two] = [await key("one"), await key("two")];
    const b = await world.seat(world.as(one.token), "docs", { name: "b" });
    const c = await world.seat(world.as(two.token), "docs", { name: "c" });
    const d = await seatOnDocs(world, "d");
    const message = await post(ana, { body: "go", to: ["@b", "@c", "@d"] });
    world.pass(3570);
    for (const seat of [b, c, d]) {
      await claim(seat, 0);
      await update(seat, [1, 1], [message]);
    }
    const told = async () => (await queued(ana, message)).map((end) => end !== null);
    expect(await told()).toEqual([true, true, true]);
    await ana.call("revokeKey", { params: { key: one.id } });
    expect(await told()).toEqual([false, true, true]);
    world.pass(30);
    expect(await told()).toEqual([false, false, true]);
    await d.call("leaveAsAgent");
    expect(await told()).toEqual([false, false]);
    expect(await verdictOf(claim(d, 1))).toBe("403 agent_removed");
  });

  test("when its person leaves the board", async () => {
    const { world, ana, bo } = await team();
    const scout = await world.seat(bo, "docs", { name: "scout" });
    const message = await post(ana, { body: "go", to: ["@scout"] });
    await claim(scout, 0);
    await bo.call("leaveBoard", docs);
    expect(await verdictOf(update(scout, [1, 1], [message]))).toBe("403 agent_removed");
    expect(await queued(ana, message)).toEqual([]);
  });
});

describe("a report is refused", () => {
  test("to people, by key and by browser", async () => {
    const { world, ana } = await team();
    const browser = world.as(await browserOf(world, ana.token));
    for (const person of [ana, browser])
      for (const attempt of [read(person), claim(person, 0), update(person, [1, 1], [])])
        expect(await verdictOf(attempt)).toBe("403 agent_token_required");
  });

  test("when it is of both forms or not all of one: 422, before the claim is looked at", async () => {
    const { world, a } = await team();
    await claim(a, 0);
    const before = await stored(world);
    const parts = { epoch: 1, revision: 1, messages: [] };
    for (const body of [
      daemon,
      { ...daemon, ...parts, expected_epoch: 1 },
      { ...daemon, expected_epoch: 1, epoch: 1 },
      { ...daemon, expected_epoch: 1, messages: [] },
      ...Object.keys(parts).map((left) => ({ ...daemon, ...parts, [left]: undefined })),
    ])
      expect(await verdictOf(send(a, body))).toBe("422 invalid_request");
    expect(await stored(world)).toEqual(before);
  });

  test("when a part does not fit: 400", async () => {
    const { world, a } = await team();
    const tried = async (body: object) =>
      (await ask(world, "PUT /v1/me/delivery-queue", { token: a.token, body })).verdict;
    const report = { ...daemon, epoch: 1, revision: 1, messages: [] };
    const one = { message_id: `msg_${"0".repeat(26)}`, seq: 1 };
    for (const change of [
      { session: "" },
      { session: "x".repeat(257) },
      { boot: "" },
      { boot: undefined },
      { epoch: 0 },
      { epoch: 1.5 },
      { epoch: 2 ** 53 },
      { revision: 0 },
      { revision: "1" },
      { messages: null },
      { messages: [{ seq: 1 }] },
      { messages: [{ ...one, extra: 1 }] },
      { messages: [{ ...one, message_id: "1" }] },
      { messages: [{ ...one, seq: -1 }] },
      { messages: Array.from({ length: 1001 }, () => one) },
      { extra: 1 },
    ])
      expect(await tried({ ...report, ...change })).toBe("400 invalid_request");
    for (const expected_epoch of [-1, 0.5, null, "0"])
      expect(await tried({ ...daemon, expected_epoch })).toBe("400 invalid_request");
    expect((await read(a)).epoch).toBe(0);
  });

  test("when its epoch, a label or its revision is not of the claim that holds, and nothing changes", async () => {
    const { world, ana, a } = await team();
    const message = await post(ana, { body: "go", to: ["@a"] });
    expect(await verdictOf(update(a, [1, 1], []))).toBe(conflict);
    await claim(a, 0);
    await update(a, [1, 7], [message]);
    const before = await stored(world);
    const [session, boot] = ["codex:2", "boot-2"];
    for (const attempt of [
      update(a, [2, 8], []),
      update(a, [1, 7], []),
      update(a, [1, 6], []),
      update(a, [1, 8], [], { by: { ...daemon, session } }),
      update(a, [1, 8], [], { by: { ...daemon, boot } }),
    ])
      expect(await verdictOf(attempt)).toBe(conflict);
    expect(await stored(world)).toEqual(before);
  });

  test("when it names a message twice, none, one of another board or one the seat may not read", async () => {
    const { world, ana, bo, a } = await team();
    const message = await post(ana, { body: "go", to: ["@a"] });
    await setPolicy(world, { visibility: "addressed" });
    const hidden = await post(ana, { body: "for bo", to: ["@bo"] });
    await ana.call("createBoard", { body: { name: "other" } });
    const other = await ana.call("postMessage", {
      params: { board: "other" },
      body: { body: "elsewhere" },
    });
    await claim(a, 0);
    const before = await stored(world);
    expect(await verdictOf(update(a, [1, 1], [message, message]))).toBe("422 invalid_request");
    const never = { id: `msg_${"0".repeat(26)}`, seq: message.seq };
    for (const wrong of [hidden, other, never])
      expect(await verdictOf(update(a, [1, 1], [message, wrong]))).toBe("404 message_not_found");
    for (const seq of [hidden.seq, 1, 0, 0xffff_ffff])
      expect(await verdictOf(update(a, [1, 1], [{ id: message.id, seq }]))).toBe(
        "404 message_not_found",
      );
    expect(await stored(world)).toEqual(before);
    await setPolicy(world, { visibility: "open" });
    await update(a, [1, 1], [message, hidden]);
    expect(await queued(bo, hidden)).toEqual([null]);
  });

  test("never for 1,000 messages, in whatever order", async () => {
    const { ana, a, at } = await team();
    const messages: Named[] = [];
    for (let n = 0; n < 1000; n++)
      messages.unshift(await post(ana, { body: `${n}`, to: n ? ["all"] : ["@a"] }));
    await claim(a, 0);
    await update(a, [1, 1], messages);
    expect(await queued(ana, messages.at(-1)!)).toEqual([at(45)]);
  });
});

describe("a repeat", () => {
  const once = { idempotencyKey: "once" };

  test("of a claim gets the same epoch, until another holds", async () => {
    const { a, view } = await team();
    const first = await claim(a, 0, daemon, once);
    expect(await claim(a, 0, daemon, once)).toEqual(first);
    await update(a, [1, 1], []);
    expect(await claim(a, 0, daemon, once)).toEqual(first);
    expect(await read(a)).toEqual({ ...view, epoch: 1, revision: 1 });
    await claim(a, 1);
    expect(await verdictOf(claim(a, 0, daemon, once))).toBe(conflict);
    expect((await read(a)).epoch).toBe(2);
  });

  test("of a report neither applies nor renews it, and is refused once its claim is over", async () => {
    const { world, ana, a, at } = await team();
    const [one, two] = [
      await post(ana, { body: "1", to: ["@a"] }),
      await post(ana, { body: "2", to: ["@a"] }),
    ];
    await claim(a, 0);
    const first = await update(a, [1, 1], [one], once);
    const end = at(45);
    await update(a, [1, 2], [two]);
    world.pass(10);
    expect(await update(a, [1, 1], [one], once)).toEqual(first);
    expect([await queued(ana, one), await queued(ana, two)]).toEqual([[null], [end]]);
    world.pass(35);
    expect(await update(a, [1, 1], [one], once)).toEqual(first);
    expect(await queued(ana, one)).toEqual([null]);
    await claim(a, 1, { session: "codex:2", boot: "boot-2" });
    expect(await verdictOf(update(a, [1, 1], [one], once))).toBe(conflict);
  });

  test("of a conflict stays one, and writes nothing", async () => {
    const { world, a } = await team();
    expect(await verdictOf(claim(a, 1, daemon, once))).toBe(conflict);
    await claim(a, 0);
    const before = await stored(world);
    expect(await verdictOf(claim(a, 1, daemon, once))).toBe(conflict);
    expect(await stored(world)).toEqual(before);
    expect(await headOf(world.admin)).toBe(4);
  });
});

test("what a daemon calls its sessions is shown to nobody, and its token is kept as a digest alone", async () => {
  const { world, ana, bo, a } = await team();
  const message = await post(ana, { body: "go", to: ["@a"] });
  const by = { session: "secret-session", boot: "secret-boot" };
  const answers = [
    await claim(a, 0, by),
    await update(a, [1, 1], [message], { by }),
    await read(a),
    await bo.call("getReceipts", { params: { board: "docs", seq: message.seq } }),
    await ana.call("listMembers", docs),
    await a.call("getInbox"),
  ];
  expect(JSON.stringify(answers)).not.toMatch(/secret-(session|boot)/);
  expect(JSON.stringify(await stored(world))).not.toContain(a.token);
});
