import { expect, test } from "bun:test";
import { personOnDocs, post } from "../support/boards/docs-board.ts";
import { acknowledged, startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { playedCodex } from "../support/daemon/played-codex.ts";
import { until, untilTrue } from "../support/wait-until.ts";

/** A daemon with a Codex that the test plays: one session, which holds the seat and has no hooks. */
async function startCodex() {
  const played = playedCodex();
  const thread = played.thread();
  played.start();
  const screen = await played.openScreen();
  const { check, doubt, follow, start, wake } = played.adapter;
  const there = await startDaemonOnDocs({}, undefined, {
    wake,
    check: check!,
    doubt: doubt!,
    follow: follow!,
    start: start!,
  });
  /** Waits for an entry in a turn or the queue, and gives its handoff id. */
  const held = async (nth = 0) => {
    const all = () => [
      ...thread.turns.flatMap(({ items }) => items.map(({ clientId }) => clientId)),
      ...thread.queue.map(({ clientUserMessageId }) => clientUserMessageId),
    ];
    const ours = () => all().filter((id) => id.startsWith("hnd_"));
    await until(() => ours().length > nth, "a text");
    return ours()[nth]!;
  };
  const { threads, calls, unknown, end, prompt, become } = played;
  return { ...there, threads, calls, unknown, end, prompt, become, played, thread, screen, held };
}

/** The same, with the session bound. */
async function startBound() {
  const there = await startCodex();
  await there.ask({ op: "bind", agent: there.writer });
  return there;
}

test("a session without any hook is bound and woken, and only the end of its turn moves the position", async () => {
  const there = await startBound();
  const { seq } = await post(there.world.admin, "Please look.");
  const id = await there.held();
  expect(id).toMatch(/^hnd_[\da-f]{32}$/);
  expect(there.thread.turns.at(-1)!.status).toBe("inProgress");
  await there.ask({ op: "status" });
  expect(await there.position()).toBeLessThan(seq);
  there.end("one", "completed");
  await acknowledged(there, seq);
});

test("what Codex does not have and what belongs to a subagent is refused", async () => {
  const there = await startCodex();
  there.played.thread("child", "one");
  const refused = (session: string, code: string) =>
    expect(there.ask({ op: "bind", session, agent: there.writer })).rejects.toMatchObject({ code });
  await refused("nobody", "codex_target_absent");
  await refused("child", "codex_subagent_target");
  there.unknown.add("thread/read");
  await refused("one", "harness_unavailable");
  await there.played.stop();
  await refused("one", "harness_unavailable");
});

test("a version that gives a conversation only as a whole works too", async () => {
  const there = await startBound();
  there.unknown.add("thread/turns/list");
  const { seq } = await post(there.world.admin, "Old as you are.");
  await there.held();
  there.end("one", "completed");
  await acknowledged(there, seq);
});

test("a turn that failed is tried again, and the model's answer to the second try confirms", async () => {
  const there = await startBound();
  const { seq } = await post(there.world.admin, "Try this.");
  await there.held();
  there.end("one", "failed");
  await there.ask({ op: "status" });
  expect(await there.position()).toBeLessThan(seq);
  // Their next prompt runs with the text in its history.
  there.prompt();
  there.end("one", "completed");
  await acknowledged(there, seq);
  expect(there.thread.turns).toHaveLength(2);
});

test("after Esc other agents' messages wait and the status says why, and the owner's message starts the queue", async () => {
  const there = await startBound();
  const ben = await personOnDocs(there.world, "ben");
  there.prompt();
  there.end("one", "interrupted");
  const { seq } = await post(ben, { body: "From ben.", to: ["@writer"] });
  await until(() => there.thread.queue.length === 1, "an entry");
  const stalled = async () => (await there.ask({ op: "status" })).status!.stalled;
  await post(ben, { body: "Also from ben.", to: ["@writer"] });
  await untilTrue(async () => (await stalled()).length > 0, "a reason");
  expect(await stalled()).toEqual([{ agent: there.writer, seqs: [seq], reason: "paused" }]);
  expect(there.thread.turns).toHaveLength(1);
  const own = await post(there.world.admin, "From your person.");
  await until(() => there.thread.turns.length === 2, "a turn");
  expect(there.thread.queue).toHaveLength(1);
  // Then what ben wrote first, which was queued, and what he wrote afterwards, which waited.
  for (const nth of [2, 3, 4]) {
    await until(() => there.thread.turns.length === nth, "the next turn");
    there.end("one", "completed");
  }
  await acknowledged(there, own.seq);
});

test("what still lies in the queue is not handed twice when its app server was killed and comes back", async () => {
  const there = await startBound();
  there.prompt();
  await until(() => there.calls.includes("thread/read"), "a look");
  there.become("idle");
  there.thread.isPaused = true;
  const { seq } = await post(there.world.admin, { body: "Later." });
  await until(() => there.calls.includes("thread/queue/add"), "an entry");
  await there.played.stop();
  there.played.start();
  await there.played.openScreen();
  await until(() => there.thread.turns.length === 2 || there.thread.queue.length === 1, "a look");
  there.prompt();
  there.end("one", "completed");
  await until(() => there.thread.turns.at(-1)!.status === "inProgress", "its turn");
  there.end("one", "completed");
  await acknowledged(there, seq);
  expect(there.calls.filter((one) => one === "thread/queue/add")).toHaveLength(1);
});

test("nothing is handed to a session whose terminal is gone", async () => {
  const there = await startBound();
  there.screen.close();
  await until(() => there.screen.readyState === WebSocket.CLOSED, "its end");
  const { seq } = await post(there.world.admin, "Anybody?");
  const stalled = async () => (await there.ask({ op: "status" })).status!.stalled;
  await untilTrue(async () => (await stalled()).length > 0, "a reason");
  expect(await stalled()).toEqual([{ agent: there.writer, seqs: [seq], reason: "no_terminal" }]);
  expect(there.calls).not.toContain("thread/queue/add");
  expect(there.thread.queue).toEqual([]);
});

test("a session that Codex unloads is closed, and open again when Codex loads it", async () => {
  const there = await startBound();
  const open = async () => (await there.ask({ op: "status" })).status!.open_sessions;
  there.become("notLoaded");
  await untilTrue(async () => (await open()) === 0, "its end");
  await post(there.world.admin, "Are you back?");
  there.become("idle");
  await there.held();
  expect(await open()).toBe(1);
});

test("a session is open no more once its app server is gone, and open again when that comes back", async () => {
  const there = await startBound();
  const open = async () => (await there.ask({ op: "status" })).status!.open_sessions;
  await there.played.stop();
  await untilTrue(async () => (await open()) === 0, "its end");
  const { seq } = await post(there.world.admin, "Are you back?");
  there.played.start();
  await there.played.openScreen();
  await there.held();
  there.end("one", "completed");
  await acknowledged(there, seq);
  expect(await open()).toBe(1);
});

test("a session with settings of its own is asked for at the app server of those settings", async () => {
  const there = await startCodex();
  const other = playedCodex();
  const thread = other.thread("elsewhere");
  other.start();
  await other.openScreen();
  const bind = { op: "bind", session: "elsewhere", agent: there.writer } as const;
  await expect(there.ask(bind)).rejects.toMatchObject({ code: "codex_target_absent" });
  await there.ask({ ...bind, config_dir: other.configDir });
  await there.stop();
  await there.start();
  const { seq } = await post(there.world.admin, "Over there?");
  await until(() => thread.turns.length > 0, "a turn");
  other.end("elsewhere", "completed");
  await acknowledged(there, seq);
});

test("a session that ended while no daemon ran is closed when one starts", async () => {
  for (const isThere of [true, false]) {
    const there = await startBound();
    await there.stop();
    if (isThere) there.become("notLoaded");
    else await there.played.stop();
    await there.start();
    const open = async () => (await there.ask({ op: "status" })).status!.open_sessions;
    await untilTrue(async () => (await open()) === 0, "its end");
  }
});
