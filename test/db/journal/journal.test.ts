import { afterAll, expect, test } from "bun:test";
import type { Tx } from "../../../src/db/engine/database.ts";
import {
  acknowledgeUpTo,
  confirmHanded,
  noteShown,
  pruneHandoffs,
  returnHanded,
  returnUnshown,
  saveHandoff,
  saveTurn,
  statesOf,
} from "../../../src/db/journal/deliveries.ts";
import { noteServer } from "../../../src/db/journal/server-generations.ts";
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
      id: "hnd_1",
      session: one,
      boot: "b",
      at: 100,
      idle,
      turn,
      pushed: false,
      parts: [{ ...writer, generation: 1, seqs: [1, 2] }],
    });
    noteShown(tx, "hnd_1");
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

test("a text that nobody was shown is confirmed by no turn, and waits again", async () => {
  const { write, states, evidence } = await handed();
  await write((tx) => {
    const parts = [{ ...writer, generation: 1, seqs: [1, 2] }];
    const handoff = { id: "hnd_2", session: one, boot: "b", at: 100, idle: true, turn: "t1" };
    saveHandoff(tx, { ...handoff, pushed: false, parts });
  });
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(0);
  expect(await write((tx) => returnUnshown(tx, one))).toBe(2);
  expect(await states()).toEqual(["pending", "pending"]);
});

test("nothing is handed for a seat that has moved meanwhile", async () => {
  const { write, states } = await handed();
  const saved = await write((tx) => {
    bindSeat(tx, writer, two);
    const parts = [{ ...writer, generation: 1, seqs: [1, 2, 3] }];
    const handoff = { id: "hnd_2", session: one, boot: "b", at: 100, idle: true, turn: "t1" };
    return saveHandoff(tx, { ...handoff, pushed: false, parts });
  });
  expect(saved).toBe(false);
  expect(await states()).toEqual(["pending", "pending"]);
});

test("a restored server gives numbers anew, so what is known of those after its position is forgotten", async () => {
  const { write, states, evidence } = await handed();
  await write((tx) => noteServer(tx, writer, "gen_1", 0));
  await write((tx) => confirmHanded(tx, evidence));
  await write((tx) => noteServer(tx, writer, "gen_1", 0));
  expect(await states()).toEqual(["confirmed", "confirmed"]);
  await write((tx) => noteServer(tx, scout, "gen_2", 0));
  await write((tx) => noteServer(tx, writer, "gen_2", 1));
  expect(await states()).toEqual(["confirmed"]);
});

test("the end of a batch of tools confirms nothing that was handed while a turn ran", async () => {
  const { write, evidence } = await handed("t1", false);
  expect(await write((tx) => confirmHanded(tx, { ...evidence, idleOnly: true }))).toBe(0);
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(2);
});

test("a wake is confirmed only after its turn is known, and its turn is told once", async () => {
  const { write, evidence } = await handed(null);
  expect(await write((tx) => confirmHanded(tx, evidence))).toBe(0);
  expect(await write((tx) => saveTurn(tx, two, "b", "hnd_1", "t1"))).toBe(false);
  expect(await write((tx) => saveTurn(tx, one, "b", "hnd_1", "t1"))).toBe(true);
  expect(await write((tx) => saveTurn(tx, one, "b", "hnd_1", "t2"))).toBe(false);
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
      id: "hnd_2",
      session: one,
      boot: "b",
      at: 150,
      idle: true,
      turn: "t2",
      pushed: false,
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
