import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { attentionOf, followList, inTime, itemOf, kindsFor } from "../../support/attention.ts";
import { answerWith, askOn } from "../../support/boards/board-with-asks.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { until as happened } from "../../support/wait-until.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";

const hour = 3600;

/** Docs with ana and bo, and ana's agent writer; ana has mentioned bo and writer has asked him. */
async function team() {
  const { world, ana, bo, writer } = await startDocs({ writer: "ana" });
  const { head_seq } = await bo.call("getBoard", docs);
  await bo.call("ackBoard", { ...docs, body: { up_to: head_seq } });
  await post(ana, "Look, @bo");
  world.pass(1);
  await askOn(writer, "@bo");
  const [mention, ask] = [await itemOf(bo, "mention"), await itemOf(bo, "ask")];
  return { world, ana, bo, writer, mention, ask };
}

const snooze = (client: Client, { id }: { id: string }, until: string) =>
  client.call("snoozeAttention", { params: { item: id }, body: { until } });
const dismiss = (client: Client, { id }: { id: string }) =>
  client.call("dismissAttention", { params: { item: id } });

describe("a snoozed item", () => {
  test("is gone until its time, and comes back at it", async () => {
    const { world, bo, ask } = await team();
    const list = await followList(world, bo);
    const until = world.at(hour);
    let answer: unknown;
    expect(await list.after(async () => (answer = await snooze(bo, ask, until)))).toEqual([
      "mention",
    ]);
    expect(answer).toEqual({ ...ask, snoozed_until: until });
    expect(await attentionOf(bo)).toMatchObject({
      counts: { now: 0, later: 1 },
      next_wake_at: until,
    });
    const { before, last } = inTime(world, hour);
    before();
    // The stream has set its timer while the end was an hour away: another one sets it now.
    list.stream.leave();
    await happened(() => world.streams.count === 0, "the stream is left");
    const later = await followList(world, bo);
    expect(await later.after(last)).toEqual(["mention", "ask"]);
    expect((await attentionOf(bo)).next_wake_at).toBeNull();
    expect(await itemOf(bo, "ask")).toEqual(ask);
  });

  test("is shown again by the end of the snooze, which is no error without one", async () => {
    const { world, bo, ask } = await team();
    await snooze(bo, ask, world.at(hour));
    const list = await followList(world, bo);
    const end = () => bo.call("endSnooze", { params: { item: ask.id } });
    expect(await list.after(end)).toEqual(["mention", "ask"]);
    expect(await end()).toEqual(ask);
  });

  test("does not come back if its cause ends before", async () => {
    const { world, bo, ask } = await team();
    await snooze(bo, ask, world.at(hour));
    const id = ask.id.slice("ask.".length);
    await answerWith(bo, { id }, 1);
    expect((await attentionOf(bo)).next_wake_at).toBeNull();
    world.pass(hour);
    expect(await kindsFor(bo)).toEqual(["mention"]);
  });

  test.each([
    ["now", 0],
    ["in the past", -1],
    ["after more than 30 days", 30 * 24 * hour + 1],
  ])("is refused until %s", async (_, seconds) => {
    const { world, bo, ask } = await team();
    const refusal = await refusalOf(snooze(bo, ask, world.at(seconds)));
    expect(refusal).toMatchObject({ status: 422, code: "invalid_request" });
    expect(await kindsFor(bo)).toEqual(["mention", "ask"]);
  });

  test("may rest 30 days, and a time of another zone is meant as it is", async () => {
    const { world, bo, ask, mention } = await team();
    await snooze(bo, ask, world.at(30 * 24 * hour));
    await snooze(bo, mention, "2026-01-01T02:00:00+01:00");
    expect((await attentionOf(bo)).next_wake_at).toBe("2026-01-01T01:00:00.000Z");
    const never = snooze(bo, ask, "2026-02-30T00:00:00Z");
    expect(await refusalOf(never)).toMatchObject({ status: 422, code: "invalid_request" });
  });
});

describe("a dismissed item", () => {
  test("is gone for good, and a new cause makes a new one", async () => {
    const { world, ana, bo, mention } = await team();
    const list = await followList(world, bo);
    expect(await list.after(() => dismiss(bo, mention))).toEqual(["ask"]);
    expect(await dismiss(bo, mention)).toEqual(mention);
    world.pass(1);
    expect(await list.after(() => post(ana, "Again, @bo"))).toEqual(["ask", "mention"]);
    expect((await itemOf(bo, "mention")).id).not.toBe(mention.id);
  });

  test("of a silent agent comes back when it falls silent anew", async () => {
    const { world, bo } = await team();
    const scout = await world.seat(bo, "docs", { name: "scout" });
    await scout.call("createTask", { ...docs, body: { title: "Write it", start: true } });
    world.pass(1800);
    const silent = await itemOf(bo, "agent_silent");
    await dismiss(bo, silent);
    world.pass(1800);
    expect(await kindsFor(bo)).not.toContain("agent_silent");
    await post(scout, "I am here");
    world.pass(1800);
    expect((await itemOf(bo, "agent_silent")).id).not.toBe(silent.id);
  });

  test("of machines comes back with another request", async () => {
    const { world, bo } = await team();
    const ask = (label: string) =>
      world.as().call("startMachineRequest", { body: { handle: "bo", label } });
    await ask("one");
    await dismiss(bo, await itemOf(bo, "machine_request"));
    expect(await kindsFor(bo)).not.toContain("machine_request");
    await ask("two");
    expect((await itemOf(bo, "machine_request")).title).toStartWith("2 machines");
  });

  test("stays on the list where only its act ends it", async () => {
    const { bo, ask } = await team();
    expect(await refusalOf(dismiss(bo, ask))).toMatchObject({
      status: 409,
      code: "not_dismissable",
    });
    expect(await kindsFor(bo)).toEqual(["mention", "ask"]);
  });
});

test("an item of somebody else is not there, nor one that is done, nor one that never was", async () => {
  const { world, ana, bo, ask, mention } = await team();
  await post(bo, { body: "Mine.", reply_to: ask.id.slice("ask.".length), answer: {} });
  for (const [client, id] of [
    [ana, mention.id],
    [bo, ask.id],
    [bo, "mention.msg_00000000000000000000000000"],
    [bo, "nothing"],
  ] as const) {
    const params = { item: id };
    const gone = { status: 404, code: "attention_not_found" };
    expect(await refusalOf(snooze(client, { id }, world.at(hour)))).toMatchObject(gone);
    expect(await refusalOf(client.call("endSnooze", { params }))).toMatchObject(gone);
    expect(await refusalOf(dismiss(client, { id }))).toMatchObject(gone);
  }
});

test("what one person puts aside stays on the list of another who has the same cause", async () => {
  const { world, ana, bo, writer } = await team();
  await post(writer, { body: "Both?", to: ["@ana", "@bo"], expects_reply: true });
  const item = await itemOf(bo, "reply_wanted");
  expect((await itemOf(ana, "reply_wanted")).id).toBe(item.id);
  await snooze(bo, item, world.at(hour));
  expect(await kindsFor(bo)).not.toContain("reply_wanted");
  expect(await kindsFor(ana)).toContain("reply_wanted");
});

test("marks of items that are over are forgotten when another item is put aside", async () => {
  const { world, bo, ask, mention } = await team();
  await dismiss(bo, mention);
  const { head_seq } = await bo.call("getBoard", docs);
  await bo.call("ackBoard", { ...docs, body: { up_to: head_seq } });
  await snooze(bo, ask, world.at(hour));
  const marks = world.db.read((tx) => tx.all("SELECT item FROM attention_mark"));
  expect(marks).toEqual([{ item: ask.id }]);
});

test("what was put aside stays aside when its board is archived and restored", async () => {
  const { ana, bo, ask, mention, world } = await team();
  await dismiss(bo, mention);
  await snooze(bo, ask, world.at(hour));
  await ana.call("createBoard", { body: { name: "other" } });
  await ana.call("addPerson", { params: { board: "other" }, body: { handle: "bo" } });
  await ana.call("archiveBoard", docs);
  expect((await attentionOf(bo)).next_wake_at).toBeNull();
  await dismiss(bo, await itemOf(bo, "added_to_board"));
  await ana.call("restoreBoard", docs);
  expect(await kindsFor(bo)).toEqual([]);
  expect((await attentionOf(bo)).next_wake_at).toBe(world.at(hour));
});

test("a kept answer is not repeated to a person who has left the item's board", async () => {
  const { ana, bo, mention } = await team();
  const once = { idempotencyKey: "once" };
  const call = () => bo.call("dismissAttention", { params: { item: mention.id } }, once);
  expect(await call()).toEqual(mention);
  expect(await call()).toEqual(mention);
  await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
  expect(await refusalOf(call())).toMatchObject({ status: 404, code: "attention_not_found" });
});
