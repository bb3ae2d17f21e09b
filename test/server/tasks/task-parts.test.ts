import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { follow } from "../../support/follow-stream.ts";
import { docs, eventsOf, headOf, setRole } from "../../support/boards/docs-board.ts";
import { cameTo, verdictOf } from "../../support/raw-requests.ts";
import {
  openTask,
  startBoardWithTasks,
  task,
  taskEvents,
  worksOn,
} from "../../support/boards/board-with-tasks.ts";

const start = (by: Client, which: string | number = 1) => by.call("startTask", task(which));
const join = (by: Client, which: string | number = 1) => by.call("joinTask", task(which));
const drop = (by: Client, body?: object, which: string | number = 1) =>
  by.call("dropTask", { ...task(which), ...(body && { body }) } as never);
const finish = (by: Client, which: string | number = 1, cancelled = false) =>
  by.call("finishTask", { ...task(which), body: { note: "It works.", cancelled } });
const names = (members: readonly { name: string }[]) => members.map(({ name }) => name);

describe("starting a task", () => {
  test("makes its caller the owner, once: anybody else is told that the task is taken", async () => {
    const { ana, bo, writer, scout } = await startBoardWithTasks();
    await openTask(ana);
    expect(await start(writer)).toMatchObject({ state: "in_progress", owner: { name: "writer" } });
    for (const other of [ana, bo, scout])
      expect(await refusalOf(start(other))).toMatchObject({
        status: 409,
        code: "task_taken",
        message: expect.stringContaining("@writer"),
      });
    expect((await taskEvents(ana)).slice(1)).toEqual([
      ["task.started", { member_id: writer.id, previous_owner: null }],
    ]);
  });

  test("is won by exactly one of any number of callers", async () => {
    const { ana, bo, writer, second, scout } = await startBoardWithTasks();
    await openTask(ana);
    const callers = [ana, bo, writer, second, scout];
    const came = await Promise.all(
      [...callers, ...callers].map((by) => cameTo(by.send("startTask", task()))),
    );
    // The winner's second call changes nothing, and is no refusal.
    expect(came.filter((each) => each === "200")).toHaveLength(2);
    expect(came.filter((each) => each === "409 task_taken")).toHaveLength(8);
    expect((await taskEvents(ana)).filter(([type]) => type === "task.started")).toHaveLength(1);
  });

  test("again makes it an agent's current task again, and changes nothing when it is that", async () => {
    const { world, ana, writer } = await startBoardWithTasks();
    await openTask(writer, "one", { start: true });
    await openTask(writer, "two", { start: true });
    expect(await worksOn(writer)).toBe("DOC-2");
    world.pass(5);
    const before = await ana.call("getTask", task());
    expect(await start(writer)).toEqual(before);
    expect(await worksOn(writer)).toBe("DOC-1");
    expect((await taskEvents(ana)).at(-1)).toEqual([
      "task.started",
      { member_id: writer.id, previous_owner: null, reselected: true },
    ]);
    const head = await headOf(ana);
    await start(writer);
    expect(await headOf(ana)).toBe(head);
  });

  test("again changes nothing for a person, who has no current task", async () => {
    const { ana } = await startBoardWithTasks();
    await openTask(ana, "one", { start: true });
    await openTask(ana, "two", { start: true });
    const head = await headOf(ana);
    await start(ana);
    await join(ana);
    expect(await headOf(ana)).toBe(head);
    expect((await ana.call("getMe")).current_task).toBeNull();
  });

  test("makes a helper the owner, who helps no more", async () => {
    const { ana, writer, scout } = await startBoardWithTasks();
    await openTask(ana);
    await join(writer);
    await join(scout);
    const taken = await start(writer);
    expect([taken.owner?.name, names(taken.with)]).toEqual(["writer", ["scout"]]);
  });
});

describe("helping", () => {
  test("is listed in the order of joining, and moves what an agent works on", async () => {
    const { ana, bo, writer, second, scout } = await startBoardWithTasks();
    await openTask(writer, "one", { start: true });
    await openTask(second, "two", { start: true });
    for (const helper of [scout, second, bo]) await join(helper);
    expect(names((await join(ana)).with)).toEqual(["scout", "second", "bo", "ana"]);
    expect([await worksOn(second), await worksOn(scout)]).toEqual(["DOC-1", "DOC-1"]);
    expect((await taskEvents(ana)).slice(-1)).toEqual([
      ["task.joined", { member_id: expect.any(String) }],
    ]);
  });

  test("leaves a task open that nobody owns", async () => {
    const { ana, scout } = await startBoardWithTasks();
    await openTask(ana);
    expect(await join(scout)).toMatchObject({ state: "open", owner: null });
  });

  test("again, or on one's own, only changes what an agent works on", async () => {
    const { ana, writer } = await startBoardWithTasks();
    await openTask(ana);
    await join(writer);
    await openTask(writer, "own", { start: true });
    await join(writer);
    const joined = (await taskEvents(ana)).at(-1);
    expect(joined).toEqual(["task.joined", { member_id: writer.id, reselected: true }]);
    expect(await worksOn(writer)).toBe("DOC-1");
    await join(writer, 2);
    expect((await ana.call("getTask", task(2))).with).toEqual([]);
    expect(await worksOn(writer)).toBe("DOC-2");
    const head = await headOf(ana);
    await join(writer, 2);
    expect(await headOf(ana)).toBe(head);
  });
});

describe("giving a task up", () => {
  test("opens it again when its owner does, and keeps the helpers", async () => {
    const { ana, writer, scout } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    await join(scout);
    const dropped = await drop(writer, { reason: "No time." });
    expect([dropped.state, dropped.owner, names(dropped.with)]).toEqual(["open", null, ["scout"]]);
    expect(await worksOn(writer)).toBeNull();
    expect(await worksOn(scout)).toBe("DOC-1");
    expect((await taskEvents(ana)).at(-1)).toEqual([
      "task.dropped",
      { member_id: writer.id, as: "owner", reason: "No time.", by: "self" },
    ]);
    expect((await start(scout)).owner?.name).toBe("scout");
  });

  test("takes a helper off it, by themselves or by a person", async () => {
    const { ana, bo, writer, second, scout } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    for (const helper of [second, scout]) await join(helper);
    expect(names((await drop(scout)).with)).toEqual(["second"]);
    expect(names((await drop(bo, { member: "second", reason: "" })).with)).toEqual([]);
    expect((await drop(ana, { member: "writer" })).state).toBe("open");
    expect((await taskEvents(ana)).slice(-3)).toEqual([
      ["task.dropped", { member_id: scout.id, as: "helper", reason: null, by: "self" }],
      ["task.dropped", { member_id: second.id, as: "helper", reason: null, by: "person" }],
      ["task.dropped", { member_id: writer.id, as: "owner", reason: null, by: "person" }],
    ]);
    for (const agent of [writer, second, scout]) expect(await worksOn(agent)).toBeNull();
  });

  test("leaves what an agent works on elsewhere", async () => {
    const { writer } = await startBoardWithTasks();
    await openTask(writer, "one", { start: true });
    await openTask(writer, "two", { start: true });
    await drop(writer);
    expect(await worksOn(writer)).toBe("DOC-2");
    await drop(writer, {}, 2);
    expect(await worksOn(writer)).toBeNull();
  });

  test("is refused to callers who have no part in it, and to agents for others", async () => {
    const { bo, writer, second, scout } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    await join(second);
    expect(await verdictOf(drop(scout))).toBe("403 not_on_task");
    expect(await verdictOf(drop(scout, { member: "writer" }))).toBe("403 not_on_task");
    expect(await verdictOf(drop(second, { member: "nobody" }))).toBe("403 not_on_task");
    expect(await verdictOf(drop(bo))).toBe("403 not_on_task");
    expect(await verdictOf(drop(bo, { member: "scout" }))).toBe("403 not_on_task");
    expect(await verdictOf(drop(bo, { member: "nobody" }))).toBe("404 member_not_found");
    expect(await verdictOf(drop(bo, { reason: "x".repeat(501) }))).toBe("400 invalid_request");
  });
});

describe("closing a task", () => {
  test("keeps who owned it and who helped, and is nobody's current task", async () => {
    const { world, ana, writer, scout } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    await join(scout);
    world.pass(5);
    const closed = await finish(writer);
    expect(closed).toMatchObject({
      state: "done",
      owner: { name: "writer" },
      closed_note: "It works.",
      closed_at: world.clock.now.toISOString(),
    });
    expect(names(closed.with)).toEqual(["scout"]);
    for (const agent of [writer, scout]) expect(await worksOn(agent)).toBeNull();
    expect((await taskEvents(ana)).at(-1)).toEqual([
      "task.done",
      { note: "It works.", cancelled: false },
    ]);
  });

  test("is for its owner and for people, owned or not, and can cancel it", async () => {
    const { ana, bo, writer, second, scout } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    await openTask(ana);
    await join(second);
    for (const by of [second, scout]) expect(await verdictOf(finish(by))).toBe("403 not_on_task");
    expect(await verdictOf(finish(writer, 2))).toBe("403 not_on_task");
    expect((await finish(bo, 1, true)).state).toBe("cancelled");
    expect((await finish(bo, 2)).state).toBe("done");
    expect((await taskEvents(ana)).slice(-2).map(([, data]) => data)).toEqual([
      { note: "It works.", cancelled: true },
      { note: "It works.", cancelled: false },
    ]);
  });

  test("is the end: every change of it is refused, before who asks is looked at", async () => {
    const { ana, writer, scout } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    await finish(writer);
    const tell = (by: Client) => by.call("updateTask", { ...task(), body: { stands: "x" } });
    for (const by of [ana, writer, scout])
      for (const change of [start, join, drop, finish, tell])
        expect(await verdictOf(change(by))).toBe("409 task_closed");
  });

  test("needs a note that says something", async () => {
    const { ana } = await startBoardWithTasks();
    await openTask(ana);
    const close = (note: string) => ana.call("finishTask", { ...task(), body: { note } });
    expect(await verdictOf(close(" \n "))).toBe("422 invalid_request");
    for (const note of ["", "x".repeat(2001)])
      expect(await verdictOf(close(note))).toBe("400 invalid_request");
    expect((await close("🗺".repeat(2000))).state).toBe("done");
  });
});

test("taking and helping need the permission `claim_tasks`, of agents alone; what is theirs does not", async () => {
  const { world, ana } = await startBoardWithTasks();
  await openTask(ana);
  await openTask(ana);
  const idle = await world.seat(ana, "docs", { name: "idle" });
  for (const which of [1, 2]) await start(idle, which);
  await setRole(world, "member", ["post"]);
  for (const claim of [start, join])
    for (const which of [2, 99]) expect(await verdictOf(claim(idle, which))).toBe("403 forbidden");
  await idle.call("updateTask", { ...task(), body: { stands: "x" } });
  await finish(idle);
  await drop(idle, {}, 2);
  expect((await start(ana, 2)).owner?.name).toBe("ana");
  await setRole(world, "member", [{ claim_tasks: ["docs"] }] as never);
  expect(names((await join(idle, 2)).with)).toEqual(["idle"]);
});

test("what a role does not grant is refused before what an archive does not take", async () => {
  const { world, ana } = await startBoardWithTasks();
  await openTask(ana);
  await setRole(world, "mute", ["post"]);
  const mute = await world.seat(ana, "docs", { role: "mute" });
  await ana.call("archiveBoard", docs);
  for (const attempt of [openTask, start, join])
    expect(await verdictOf(attempt(mute))).toBe("403 forbidden");
  expect(await verdictOf(drop(mute))).toBe("409 board_archived");
});

describe("whoever is gone is on no task any more", () => {
  /** Writer owns 1 and helps on 2, which bo owns; scout helps on 1 and owns 3; ana helps on 3; 4 is done. */
  async function busy() {
    const team = await startBoardWithTasks();
    const { ana, bo, writer, scout } = team;
    await openTask(writer, "1", { start: true });
    await openTask(bo, "2", { start: true });
    await openTask(scout, "3", { start: true });
    await openTask(writer, "4", { start: true });
    await finish(writer, 4);
    await join(writer, 2);
    await join(scout, 1);
    await join(ana, 3);
    return { ...team, before: await headOf(ana) };
  }
  type Team = Awaited<ReturnType<typeof busy>>;
  const writersParts = [
    ["task.dropped", "DOC-1", "owner", "seat_ended"],
    ["task.dropped", "DOC-2", "helper", "seat_ended"],
  ];
  const bosParts = [
    ["task.dropped", "DOC-2", "owner", "seat_ended"],
    ["task.dropped", "DOC-1", "helper", "seat_ended"],
    ["task.dropped", "DOC-3", "owner", "seat_ended"],
  ];

  test.each<[string, string, unknown[][], (team: Team) => Promise<unknown>]>([
    ["leaves", "agent.left", writersParts, ({ writer }) => writer.call("leaveAsAgent")],
    [
      "is removed",
      "agent.removed",
      writersParts,
      ({ ana }) => ana.call("removeAgent", { params: { board: "docs", member: "writer" } }),
    ],
    [
      "is pruned",
      "agent.removed",
      writersParts,
      async ({ world, ana, writer }) => {
        await writer.call("setPresence", { body: { presence: "no_session" } });
        world.pass(7200);
        await ana.call("pruneAgents", { body: { disconnected_for: 3600, agents: [writer.id] } });
      },
    ],
    ["leaves as a person", "person.left", bosParts, ({ bo }) => bo.call("leaveBoard", docs)],
    [
      "is taken off the board",
      "person.removed",
      bosParts,
      ({ ana }) => ana.call("removePerson", { params: { board: "docs", handle: "bo" } }),
    ],
    [
      "is removed from the server",
      "person.removed",
      bosParts,
      ({ ana }) => ana.call("removeFromServer", { params: { handle: "bo" } }),
    ],
  ])("who %s", async (_, ending, parts, end) => {
    const team = await busy();
    const { ana, before } = team;
    await end(team);
    const events = (await eventsOf(ana)).filter(({ seq }) => seq > before);
    const dropped = events.filter(({ type }) => type === "task.dropped");
    expect(dropped.map(({ type, data }) => [type, data!["ref"], data!["as"], data!["by"]])).toEqual(
      parts,
    );
    expect(dropped.map(({ data }) => data!["reason"])).toEqual(parts.map(() => null));
    const last = events[dropped.length]!;
    expect(last.type).toBe(ending);
    expect(dropped.map(({ actor }) => actor)).toEqual(parts.map(() => last.actor));
    const gone = parts === writersParts ? ["writer"] : ["bo", "scout"];
    const { tasks } = await ana.call("listTasks", docs);
    for (const { owner, with: helpers } of tasks)
      for (const name of gone)
        expect(names([...(owner ? [owner] : []), ...helpers])).not.toContain(name);
    expect(await ana.call("getTask", task(4))).toMatchObject({ owner: { name: "writer" } });
  });

  test("an archived board records it too", async () => {
    const { ana, before } = await busy();
    await ana.call("archiveBoard", docs);
    await ana.call("removeAgent", { params: { board: "docs", member: "writer" } });
    const types = (await eventsOf(ana)).filter(({ seq }) => seq > before).map(({ type }) => type);
    expect(types).toEqual(["board.archived", "task.dropped", "task.dropped", "agent.removed"]);
    expect((await ana.call("listTasks", docs)).counts).toMatchObject({ open: 1, in_progress: 2 });
  });
});

test("everybody on the board sees what an agent works on, and nobody else's has one", async () => {
  const { bo, writer } = await startBoardWithTasks();
  const { id, ref, title } = await openTask(writer, "x", { start: true });
  const { members } = await bo.call("listMembers", docs);
  expect(members.map(({ name, current_task }) => [name, current_task])).toEqual([
    ["ana", null],
    ["bo", null],
    ["writer", { id, ref, title }],
    ["second", null],
    ["scout", null],
  ]);
});

test("a stream tells of the new head at each change of a task, and not when nothing changes", async () => {
  const { ana, bo, writer } = await startBoardWithTasks();
  const stream = await follow(bo);
  await stream.next(2);
  await openTask(ana);
  expect(await stream.next(1)).toMatchObject([
    { event: "head", board: "docs", seq: await headOf(ana) },
  ]);
  await start(writer);
  await start(writer);
  await finish(writer);
  // The agent's line follows each.
  const told = await stream.next(4);
  expect(told.map(({ event }) => event)).toEqual(["head", "presence", "head", "presence"]);
  expect(told.at(-2)).toMatchObject({ seq: await headOf(ana) });
  stream.leave();
});

test("a repeat of a start that others lost since is answered as it was", async () => {
  const { ana, writer, scout } = await startBoardWithTasks();
  await openTask(ana);
  const once = { idempotencyKey: "once" };
  const first = await writer.call("startTask", task(), once);
  await drop(writer);
  await start(scout);
  const head = await headOf(ana);
  expect(await writer.call("startTask", task(), once)).toEqual(first);
  expect(await headOf(ana)).toBe(head);
  expect((await ana.call("getTask", task())).owner?.name).toBe("scout");
  expect(await verdictOf(writer.call("startTask", task(2), once))).toBe("422 idempotency_conflict");
});
