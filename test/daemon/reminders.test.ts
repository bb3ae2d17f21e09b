import { expect, test } from "bun:test";
import { post } from "../support/boards/docs-board.ts";
import { startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { untilTrue } from "../support/wait-until.ts";

/** A daemon whose clock shows the time of its server. `later` lets both go on by so many minutes. */
async function startAtServerTime() {
  const clock = movableClock();
  const there = await startDaemonOnDocs({}, clock);
  const { world, ask } = there;
  clock.jump(Date.parse(world.at(0)) - Date.now());
  let turns = 0;
  return {
    ...there,
    later(minutes: number) {
      world.pass(minutes * 60);
      clock.pass(minutes * 60_000);
    },
    turn: () => ask({ op: "turn_start", harness_turn: `turn-${++turns}` }),
    tool: () => ask({ op: "boundary", harness_turn: `turn-${turns}` }),
  };
}

test("a pause whose time has come is reminded of at the next tool, once", async () => {
  const there = await startAtServerTime();
  const until = there.world.at(30 * 60);
  await there.seat.call("setLine", { body: { kind: "paused", text: "Lunch", until } });
  await there.session();
  expect((await there.turn()).nudge).toBeUndefined();
  there.later(31);
  const { nudge, bundle } = await there.tool();
  expect(nudge).toBe(
    'Your pause on docs ended 1 minute ago. Say what you do: /opt/service working "TEXT"',
  );
  expect(bundle).toBeUndefined();
  expect((await there.tool()).nudge).toBeUndefined();
  expect((await there.turn()).nudge).toBeUndefined();
});

test("a pause that has ended meanwhile is not reminded of, and one that began meanwhile is", async () => {
  const there = await startAtServerTime();
  const pause = (minutes: number) =>
    there.seat.call("setLine", {
      body: { kind: "paused", text: "Lunch", until: there.world.at(minutes * 60) },
    });
  await pause(10);
  await there.session();
  await there.seat.call("clearLine");
  there.later(11);
  expect((await there.turn()).nudge).toBeUndefined();
  await pause(10);
  there.later(11);
  // The daemon asks what the agent does when a turn begins, and says it in a later one.
  await untilTrue(async () => (await there.turn()).nudge !== undefined, "a reminder");
});

test("a status line and a brief are reminded of when a turn begins, and before its messages", async () => {
  const there = await startAtServerTime();
  await there.seat.call("setLine", { body: { kind: "working", text: "Printing" } });
  const brief = new Blob(["# What this is about"]);
  await there.seat.upload(
    { params: { board: "docs" }, query: { name: "brief.md", brief: true } },
    brief,
  );
  await there.session();
  for (let i = 0; i < 30; i++) await post(there.world.admin, `Message ${i}.`);
  there.later(130);
  expect((await there.tool()).nudge).toBeUndefined();
  const { nudge, bundle } = await there.turn();
  expect(nudge!.split("\n")).toEqual([
    'Your status line on docs is 2 hours old. Say what you do now: /opt/service working "TEXT"',
    "The brief of docs, which you wrote, is 30 messages and 0 closed tasks behind. Fetch it: /opt/service brief get",
  ]);
  expect(bundle).toContain("Message 0.");
  expect(Buffer.byteLength(`${nudge}\n\n${bundle}`)).toBeLessThanOrEqual(9_000);
  expect((await there.turn()).nudge).toBeUndefined();
});

test("a board with reminders off has none", async () => {
  const there = await startAtServerTime();
  const board = { params: { board: "docs" } };
  await there.world.admin.call("updateBoard", { ...board, body: { policy: { nudges: "off" } } });
  const until = there.world.at(60);
  await there.seat.call("setLine", { body: { kind: "paused", text: "Lunch", until } });
  await there.session();
  there.later(10);
  expect((await there.turn()).nudge).toBeUndefined();
});

test("a session that comes back is told who it is, its mode, and where it finds itself", async () => {
  const there = await startAtServerTime();
  const { world, seat, ask } = there;
  await there.session();
  const task = await seat.call("createTask", {
    params: { board: "docs" },
    body: { title: "Print the poster", start: true },
  });
  await post(seat, { body: "Which paper?", to: ["@ana"], ask: { options: [] } });
  await ask({ op: "end" });
  const { note, reopened } = await ask({ op: "register", source: "resume" });
  expect(reopened).toBe(true);
  const lines = note!.split("\n");
  expect(lines[0]).toBe(
    "You are writer on the board docs. Messages from there come to you by themselves.",
  );
  expect(lines[1]).toStartWith("Delivery mode: focused. What concerns an agent wakes it;");
  expect(lines.slice(2)).toEqual([
    `Your task on docs: ${task.ref} Print the poster. /opt/service task show ${task.ref}`,
    "Your status line on docs: working, “Print the poster”",
    "Open asks on docs: 0 to you, 1 of yours. /opt/service ask --open",
  ]);
  // The note has told the mode, so the next turn tells only of a later change.
  await world.admin.call("setDeliveryMode", {
    params: { board: "docs", member: "writer" },
    body: { mode: "all" },
  });
  await untilTrue(
    async () => (await there.turn()).bundle?.startsWith("Your delivery mode on docs") === true,
    "the changed mode",
  );
});

test("a session that begins without a task is told of those that nobody has picked up, unless reminders are off", async () => {
  const there = await startAtServerTime();
  const { world, ask } = there;
  await there.session();
  const params = { board: "docs" };
  const { ref } = await world.admin.call("createTask", { params, body: { title: "Fold it" } });
  await world.admin.call("createTask", { params, body: { title: "Send it" } });
  const told = async () =>
    (await ask({ op: "register", source: "compact" })).note!.split("\n").at(-1);
  expect(await told()).toBe(
    `2 tasks on docs are not picked up. The oldest: /opt/service task start ${ref}`,
  );
  await world.admin.call("updateBoard", { params, body: { policy: { nudges: "off" } } });
  expect(await told()).toStartWith("Delivery mode: ");
});

test("a session whose server does not answer is told who it is", async () => {
  const there = await startAtServerTime();
  await there.session();
  there.tokens.delete(there.seat.id);
  expect((await there.ask({ op: "register", source: "compact" })).note).toBe(
    "You are writer on the board docs. Messages from there come to you by themselves.",
  );
});
