import { expect, test } from "bun:test";
import { connectToDaemon } from "../../src/client/machine/daemon-client.ts";
import { post } from "../support/boards/docs-board.ts";
import {
  acknowledged,
  laterHook,
  rung,
  startDaemonOnDocs,
  wholeTurn,
} from "../support/daemon/daemon-on-docs.ts";

test("the end of a process that held a session before does not close the session in the process that holds it now", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await ask({ op: "register", process: { pid: 1001, start: "1" } });
  await ask({ op: "bind", agent: there.writer });
  await ask({ op: "register", source: "resume", process: { pid: 1002, start: "2" } });
  await there.connected();
  await ask({ op: "end", process: { pid: 1001, start: "1" } });
  const { seq } = await post(there.world.admin, "Look.");
  await there.has(seq);
  await rung(there);
  await wholeTurn(there, (await there.answerRing())!, "t1");
  await acknowledged(there, seq);
  // Its own end closes it.
  await ask({ op: "end", process: { pid: 1002, start: "2" } });
  expect((await ask({ op: "status" })).status!.open_sessions).toBe(0);
});

test("the end of a turn that is long over does not make a session idle whose next turn runs", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  const other = await there.world.seat(there.world.admin, "docs", { name: "scout" });
  await there.session();
  const started = new Date().toISOString();
  await laterHook();
  await ask({ op: "turn_start", harness_turn: "t1" });
  await ask({ op: "turn_start", harness_turn: "t2" });
  const { seq } = await post(other, { body: "For you.", to: ["@writer"] });
  await there.has(seq);
  expect(await ask({ op: "turn_end", harness_turn: "t1", started, takes_bundle: true })).toEqual({
    v: 1,
  });
  await ask({ op: "status" });
  expect(there.rings).toEqual([]);
  const end = await ask({ op: "turn_end", harness_turn: "t2", takes_bundle: true });
  expect(end.bundle).toContain("For you.");
});

test("of two hooks of one end of a turn, the second neither makes the session idle nor proves what the first has handed", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  const other = await there.world.seat(there.world.admin, "docs", { name: "scout" });
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  const first = await post(other, { body: "One.", to: ["@writer"] });
  await there.has(first.seq);
  await laterHook();
  const end = { op: "turn_end", harness_turn: "t1", takes_bundle: true } as const;
  const started = new Date().toISOString();
  await laterHook();
  expect((await ask({ ...end, started })).bundle).toContain("One.");
  expect(await ask({ ...end, started })).toEqual({ v: 1 });
  const second = await post(other, { body: "Two.", to: ["@writer"] });
  await there.has(second.seq);
  await ask({ op: "status" });
  expect(there.rings).toEqual([]);
  expect(await there.position()).toBeLessThan(first.seq);
  await laterHook();
  expect((await ask(end)).bundle).toContain("Two.");
  await acknowledged(there, first.seq);
});

test("a prompt that was typed while a turn ran has a turn of its own next, and no message of an agent interrupts that", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  const other = await there.world.seat(there.world.admin, "docs", { name: "scout" });
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  await ask({ op: "turn_start", harness_turn: "t1" });
  await ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  const { seq } = await post(other, { body: "For you.", to: ["@writer"] });
  await there.has(seq);
  // It may have been typed while that turn runs, and the model may read it only after the next tools.
  expect(await ask({ op: "turn_start", harness_turn: "t2" })).toEqual({ v: 1 });
  expect(there.rings).toEqual([]);
  await laterHook();
  const end = await ask({ op: "turn_end", harness_turn: "t2", takes_bundle: true });
  expect(end.bundle).toContain("For you.");
});

test("a prompt that was typed while a turn ran and read after its tools has no turn of its own", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  await ask({ op: "turn_start", harness_turn: "t1" });
  await laterHook();
  await ask({ op: "boundary", harness_turn: "t1", at: "after_tools" });
  await ask({ op: "turn_end", harness_turn: "t1" });
  await post(there.world.admin, "Look.");
  await rung(there);
});

test("a wake that meets a turn which only the hook of the bell names is not confirmed by that turn's next tool", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  await ask({ op: "turn_end", harness_turn: "t1" });
  const { seq } = await post(there.world.admin, "Look.");
  await rung(there);
  const hook = await connectToDaemon(there.machine);
  const about = { harness: "fake", session: "one" };
  hook.send({ ...about, op: "wait", harness_turn: "t2" });
  await hook.next();
  const { handoff_id } = await hook.next();
  hook.send({ ...about, op: "received", handoff_id });
  hook.close();
  await ask({ op: "turn_start", harness_turn: "t2", handoff_id: handoff_id! });
  const boundary = async (at: "before_tool" | "after_tools") => {
    await laterHook();
    await ask({ op: "boundary", harness_turn: "t2", at });
    await ask({ op: "status" });
  };
  await boundary("before_tool");
  expect(await there.position()).toBeLessThan(seq);
  await boundary("after_tools");
  expect(await there.position()).toBeLessThan(seq);
  await boundary("before_tool");
  await acknowledged(there, seq);
});

test("hooks of a turn that come after another one has begun change nothing", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  await ask({ op: "turn_end", harness_turn: "t1" });
  const { seq } = await post(there.world.admin, "Look.");
  await rung(there);
  const { id: handoff_id } = (await there.answerRing())!;
  await ask({ op: "turn_start", harness_turn: "t2" });
  expect(await ask({ op: "turn_start", harness_turn: "t1" })).toEqual({ v: 1 });
  // The clock may have been set since its process started.
  expect(await ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true })).toEqual({ v: 1 });
  // The wake meets the turn t2, whose model reads it after the next tools.
  await ask({ op: "turn_start", harness_turn: "t2", handoff_id });
  await laterHook();
  await ask({ op: "boundary", harness_turn: "t2", at: "before_tool" });
  await ask({ op: "turn_end", harness_turn: "t2" });
  expect(await there.position()).toBeLessThan(seq);
  await laterHook();
  await ask({ op: "turn_end", harness_turn: "t3" });
  await acknowledged(there, seq);
});

test("a hook from before the tools after which the model reads a wake does not confirm that wake, also when it comes later", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  const { seq } = await post(there.world.admin, "Look.");
  await rung(there);
  const { id: handoff_id } = (await there.answerRing())!;
  await ask({ op: "turn_start", harness_turn: "t1" });
  await ask({ op: "turn_start", harness_turn: "t1", handoff_id });
  const boundary = { op: "boundary", harness_turn: "t1" } as const;
  await laterHook();
  const started = new Date().toISOString();
  await laterHook();
  await ask({ ...boundary, at: "after_tools" });
  await ask({ ...boundary, at: "before_tool", started });
  await ask({ op: "status" });
  expect(await there.position()).toBeLessThan(seq);
  await laterHook();
  await ask({ ...boundary, at: "before_tool" });
  await acknowledged(there, seq);
});

test("a hook that started before the clock was set back confirms nothing", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  const { seq } = await post(there.world.admin, "Look.");
  await there.has(seq);
  const end = { op: "turn_end", harness_turn: "t1", takes_bundle: true } as const;
  expect((await ask(end)).bundle).toContain("Look.");
  await ask({ ...end, started: new Date(Date.now() + 3_600_000).toISOString() });
  await ask({ op: "status" });
  expect(await there.position()).toBeLessThan(seq);
});

test("a session whose process its start did not tell is closed once the process that a later hook tells is gone", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1", process: { pid: 1001, start: "1" } });
  await ask({ op: "turn_end", harness_turn: "t1", process: { pid: 1002, start: "2" } });
  // The first process that is told stays the session's own: the end of another one says nothing.
  await ask({ op: "end", process: { pid: 1002, start: "2" } });
  expect((await ask({ op: "status" })).status!.open_sessions).toBe(1);
  there.gone.add(1001);
  await there.stop();
  await there.start();
  expect((await ask({ op: "status" })).status!.open_sessions).toBe(0);
});

test("a session that is resumed without a word of its process is not closed for the process that it had before", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await ask({ op: "register", process: { pid: 1001, start: "1" } });
  await ask({ op: "bind", agent: there.writer });
  await ask({ op: "end" });
  there.gone.add(1001);
  await ask({ op: "register", source: "resume" });
  await there.stop();
  await there.start();
  expect((await ask({ op: "status" })).status!.open_sessions).toBe(1);
});

test("hooks of one session that name the handoff of another prove nothing, and take nothing of it", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  await ask({ op: "register", session: "two" });
  const { seq } = await post(there.world.admin, "Look.");
  await there.has(seq);
  await rung(there);
  const handed = (await there.answerRing())!;
  const forged = { session: "two", harness_turn: "t9" } as const;
  await ask({ ...forged, op: "turn_start", handoff_id: handed.id });
  await laterHook();
  await ask({ ...forged, op: "boundary", at: "after_tools", handoff_id: handed.id });
  await laterHook();
  expect(await ask({ ...forged, op: "turn_end", takes_bundle: true })).toEqual({ v: 1 });
  await ask({ op: "status" });
  expect(await there.position()).toBeLessThan(seq);
  await wholeTurn(there, handed, "t1");
  await acknowledged(there, seq);
});
