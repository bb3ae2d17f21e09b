import { afterAll, expect, test } from "bun:test";
import type { Tx } from "../../../src/db/engine/database.ts";
import {
  acknowledgeUpTo,
  confirmHanded,
  pruneHandoffs,
  returnHanded,
  saveHandoff,
  saveTurn,
  statesOf,
} from "../../../src/db/journal/deliveries.ts";
import { openJournal } from "../../../src/db/journal/journal.ts";
import { bindSeat, seatAt, seatsOf } from "../../../src/db/journal/journal-sessions.ts";

const one = { harness: "fake", id: "one" };
const two = { harness: "fake", id: "two" };
const writer = { server: "local", board: "docs", name: "writer", member_id: "mem_w" };
const scout = { server: "local", board: "docs", name: "scout", member_id: "mem_s" };

/** A journal, with a function that runs a unit of work in it. */
function journal() {
  const db = openJournal(":memory:");
  afterAll(() => db.close());
  return <T>(work: (tx: Tx) => T) => db.write(work);
}

/** A journal in which the writer's messages 1 and 2 are handed to a session at the time 100. */
async function handed(turn: string | null = "t1", idle = true) {
  const write = journal();
  await write((tx) => {
    bindSeat(tx, writer, one);
    saveHandoff(tx, {
      ...{ id: "hnd_1", session: one, boot: "b", at: 100, idle, turn },
      parts: [{ ...writer, generation: 1, seqs: [1, 2] }],
    });
  });
  const evidence = { session: one, boot: "b", turn: "t1", started: 200, idleOnly: false };
  const states = () => write((tx) => [...statesOf(tx, writer).values()]);
  return { write, states, evidence };
}

test("a later hook of the same turn confirms, and nothing else does", async () => {
  const { write, states, evidence } = await handed();
  for (const other of [
    { turn: "t2" },
    { boot: "b2" },
    { session: two },
    { started: 100 },
    { started: 99 },
  ])
    expect(await write((tx) => confirmHanded(tx, { ...evidence, ...other }))).toBe(0);
  expect(await states()).toEqual(["handed", "handed"]);
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(2);
  expect(await states()).toEqual(["confirmed", "confirmed"]);
});

test("the end of a batch of tools confirms nothing that was handed while a turn ran", async () => {
  const { write, evidence } = await handed("t1", false);
  expect(await write((tx) => confirmHanded(tx, { ...evidence, idleOnly: true }))).toBe(0);
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(2);
});

test("a wake is confirmed only after its turn is known, and its turn is told once", async () => {
  const { write, evidence } = await handed(null);
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(0);
  expect(await write((tx) => saveTurn(tx, two, "b", "hnd_1", "t1", false))).toBe(false);
  expect(await write((tx) => saveTurn(tx, one, "b", "hnd_1", "t1", false))).toBe(true);
  expect(await write((tx) => saveTurn(tx, one, "b", "hnd_1", "t2", false))).toBe(false);
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(2);
});

test("a seat that moves takes its unconfirmed messages along, and the old session confirms none of them", async () => {
  const { write, states, evidence } = await handed();
  await write((tx) => bindSeat(tx, writer, two));
  expect(await states()).toEqual(["pending", "pending"]);
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(0);
  expect(await write((tx) => [seatsOf(tx, one).length, seatsOf(tx, two).length])).toEqual([0, 1]);
});

test("another seat of the same board replaces the session's seat there, and generations never come back", async () => {
  const write = journal();
  const generation = () => write((tx) => seatAt(tx, writer)?.generation ?? 0);
  expect(await write((tx) => bindSeat(tx, writer, one))).toBeNull();
  const first = await generation();
  expect(await write((tx) => bindSeat(tx, writer, one))).toBeNull();
  expect(await generation()).toBe(first);
  expect(await write((tx) => bindSeat(tx, scout, one))).toMatchObject({ name: "writer" });
  await write((tx) => bindSeat(tx, writer, one));
  expect(await generation()).toBeGreaterThan(first);
});

test("what is handed again belongs to the new handoff, and the old one confirms nothing", async () => {
  const { write, states, evidence } = await handed();
  expect(await write((tx) => returnHanded(tx, one, { turn: "t1", wakesSince: 0 }))).toBe(0);
  expect(await write((tx) => returnHanded(tx, one))).toBe(2);
  await write((tx) =>
    saveHandoff(tx, {
      ...{ id: "hnd_2", session: one, boot: "b", at: 150, idle: true, turn: "t2" },
      parts: [{ ...writer, generation: 1, seqs: [1] }],
    }),
  );
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(0);
  expect(await states()).toEqual(["handed", "pending"]);
});

test("the server's position ends deliveries, and only finished handoffs are deleted", async () => {
  const { write, states } = await handed();
  await write((tx) => acknowledgeUpTo(tx, writer, 1));
  expect(await states()).toEqual(["handed"]);
  expect(await write((tx) => pruneHandoffs(tx, 1_000))).toBe(0);
  await write((tx) => acknowledgeUpTo(tx, writer, 2));
  expect(await write((tx) => pruneHandoffs(tx, 1_000))).toBe(1);
  expect(await write((tx) => tx.get("SELECT count(*) AS n FROM delivery"))).toEqual({ n: 0 });
});
