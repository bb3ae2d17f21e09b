import { expect, test } from "bun:test";
import { post } from "../support/boards/docs-board.ts";
import {
  acknowledged,
  laterHook,
  rung,
  startDaemonOnDocs,
} from "../support/daemon/daemon-on-docs.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { until } from "../support/wait-until.ts";

const hour = 3_600_000;

async function start() {
  const clock = movableClock();
  const there = await startDaemonOnDocs({}, clock);
  await there.session();
  return { ...there, clock };
}

for (const [how, by] of [
  ["backwards", -hour],
  ["forwards", hour],
] as const) {
  test(`a clock that is set ${how} while a message is gathered keeps no message back`, async () => {
    const clock = movableClock();
    const there = await startDaemonOnDocs({}, clock, {}, { gatherMs: 2_000 });
    await there.session();
    await post(there.world.admin, "Soon.");
    await rung(there);
    const handed = there.answerRing();
    await there.ask({ op: "status" });
    clock.jump(by);
    clock.pass(2_000);
    expect((await handed)!.text).toContain("Soon.");
  });

  test(`a turn in which the clock is set ${how} is proved by its end`, async () => {
    const there = await start();
    const { seq } = await post(there.world.admin, "Look.");
    await rung(there);
    const { id: handoff_id } = (await there.answerRing())!;
    await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id });
    there.clock.jump(by);
    await laterHook();
    await there.ask({ op: "turn_end", harness_turn: "t1" });
    await acknowledged(there, seq);
    expect(there.rings).toHaveLength(1);
  });

  test(`a session wakes after the clock was set ${how}`, async () => {
    const there = await start();
    await there.ask({ op: "turn_start", harness_turn: "t1" });
    await there.ask({ op: "turn_end", harness_turn: "t1" });
    there.clock.jump(by);
    await post(there.world.admin, "Awake?");
    await rung(there);
    expect((await there.answerRing())!.text).toContain("Awake?");
  });
}

test("after hours of sleep streams begin anew, presence is told again, and a turn that slept too is handed nothing twice", async () => {
  const there = await start();
  const { world, clock, writer, seat } = there;
  const { seq } = await post(world.admin, "Before the night.");
  await rung(there);
  const { id: handoff_id } = (await there.answerRing())!;
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id });
  const rings = there.rings.length;
  const streams = there.streams();
  clock.jump(8 * hour);
  world.pass(8 * 3_600);
  const presence = async () => {
    const { members } = await world.admin.call("listMembers", { params: { board: "docs" } });
    return members.find(({ id }) => id === writer.member_id)!.presence;
  };
  expect(await presence()).not.toBe("working");
  clock.pass(5_000);
  await until(() => there.streams() > streams, "another stream");
  while ((await presence()) !== "working") await Bun.sleep(2);
  const { bundle } = await there.ask({ op: "boundary", harness_turn: "t1" });
  expect(bundle).toBeUndefined();
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  while ((await seat.call("getInbox")).cursor < seq) await Bun.sleep(2);
  expect(there.rings.length).toBe(rings);
});
