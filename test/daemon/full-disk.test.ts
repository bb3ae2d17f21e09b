import { expect, test } from "bun:test";
import type { Db } from "../../src/db/engine/database.ts";
import { post } from "../support/boards/docs-board.ts";
import {
  acknowledged,
  rung,
  startDaemonOnDocs,
  wholeTurn,
} from "../support/daemon/daemon-on-docs.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";

/** A daemon whose journal's disk can be full. */
async function startOnDisk() {
  const disk = { isFull: false };
  const clock = movableClock();
  const wrapJournal = (db: Db): Db => ({
    ...db,
    write: (work) =>
      disk.isFull
        ? Promise.reject(
            Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }),
          )
        : db.write(work),
  });
  const there = await startDaemonOnDocs({}, clock, {}, { wrapJournal });
  await there.session();
  const reasons = async () =>
    (await there.ask({ op: "status" })).status!.agents.map(({ reason }) => reason);
  return { ...there, disk, clock, reasons };
}

test("a turn that ends while the disk is full has ended: what comes then wakes the session", async () => {
  const there = await startOnDisk();
  await there.ask({ op: "turn_start", harness_turn: "t1" });
  there.disk.isFull = true;
  const end = { op: "turn_end", harness_turn: "t1", process: { pid: 1001, start: "1" } } as const;
  await expect(there.ask(end)).rejects.toThrow("is full");
  there.disk.isFull = false;
  const { seq } = await post(there.world.admin, "Look.");
  await rung(there);
  await wholeTurn(there, (await there.answerRing())!, "t2");
  await acknowledged(there, seq);
});

test("what cannot be written down is handed to nobody, the status says so, and it is tried again after pauses", async () => {
  const there = await startOnDisk();
  const { seq } = await post(there.world.admin, "Look.");
  await rung(there);
  there.disk.isFull = true;
  expect(await there.answerRing()).toBeNull();
  expect(await there.reasons()).toEqual(["handoff_failed"]);
  const before = there.rings.length;
  there.clock.pass(1_000);
  await there.reasons();
  expect(there.rings.length).toBe(before);
  there.disk.isFull = false;
  there.clock.pass(1_500);
  await rung(there, before);
  await wholeTurn(there, (await there.answerRing())!, "t1");
  await acknowledged(there, seq);
  expect(await there.reasons()).toEqual([]);
  expect(there.logged.filter((line) => line.includes("disk is full"))).toHaveLength(1);
});

test("a join that gets another token while the disk is full says so, and the session goes on with that token", async () => {
  const there = await startOnDisk();
  const first = await there.ask({
    op: "join",
    agent: { server: "local", board: "docs", name: "" } as never,
  });
  const { member_id } = first.joined!;
  const scout = { server: "local", board: "docs", name: first.joined!.name, member_id };
  await there.connected();
  there.disk.isFull = true;
  await expect(
    there.ask({ op: "join", agent: { server: "local", board: "docs", name: "" } as never }),
  ).rejects.toMatchObject({
    code: "disk_full",
  });
  there.disk.isFull = false;
  await there.connected();
  expect(await there.reasons()).toEqual([]);
  const before = there.rings.length;
  const { seq } = await post(there.world.admin, { body: "Still there?", to: [`@${scout.name}`] });
  await there.has(seq, scout);
  await rung(there, before);
  expect((await there.answerRing())!.text).toContain("Still there?");
});
