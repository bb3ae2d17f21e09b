import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import {
  docs,
  eventsOf,
  guestOn,
  headOf,
  makeDocs,
  setRole,
} from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";
import {
  openTask,
  startBoardWithTasks,
  task,
  taskEvents,
} from "../../support/boards/board-with-tasks.ts";

const person = (name: string) => ({ name, kind: "human" as const, role: null, owner: null });
const agent = (name: string, owner = "ana") => ({
  name,
  kind: "agent" as const,
  role: "member",
  owner,
});

/** Every change that there is, of the first task. */
const changesBy = (by: Client): Promise<unknown>[] => [
  openTask(by),
  by.call("updateTask", { ...task(), body: { stands: "x" } }),
  by.call("startTask", task()),
  by.call("joinTask", task()),
  by.call("finishTask", { ...task(), body: { note: "x" } }),
  by.call("dropTask", task()),
];

describe("opening a task", () => {
  test("gives it the board's next number, and the first one gives the board a prefix", async () => {
    const { world, ana, writer } = await startBoardWithTasks();
    const first = await openTask(ana, "Write it", { about: "Nobody knows how it works." });
    const at = world.clock.now.toISOString();
    expect(first).toEqual({
      id: expect.stringMatching(/^tsk_/),
      ref: "DOC-1",
      number: 1,
      board: "docs",
      title: "Write it",
      about: {
        text: "Nobody knows how it works.",
        by: person("ana"),
        at,
        version: 1,
        messages_since: 0,
      },
      stands: null,
      state: "open",
      owner: null,
      with: [],
      blocked: false,
      blocked_count: 0,
      blocked_on: [],
      opened_by: person("ana"),
      opened_at: at,
      updated_at: at,
      message_count: 0,
      thread_count: 0,
      closed_at: null,
      closed_note: null,
    });
    const second = await openTask(writer, "Read it", { about: "" });
    expect(second).toMatchObject({ ref: "DOC-2", about: null, opened_by: agent("writer") });
    expect((await ana.call("getBoard", docs)).task_prefix).toBe("DOC");
    const events = (await eventsOf(ana)).slice(-3);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ["board.task_prefix_set", { before: null, after: "DOC" }],
      [
        "task.created",
        {
          task_id: first.id,
          ref: "DOC-1",
          number: 1,
          title: "Write it",
          about: "Nobody knows how it works.",
        },
      ],
      [
        "task.created",
        { task_id: second.id, ref: "DOC-2", number: 2, title: "Read it", about: null },
      ],
    ]);
  });

  test("with `start` takes it at once", async () => {
    const { ana, writer } = await startBoardWithTasks();
    const { ref, ...made } = await openTask(writer, "Write it", { start: true });
    expect(made).toMatchObject({ state: "in_progress", owner: agent("writer") });
    expect((await writer.call("getMe")).current_task).toEqual({
      id: made.id,
      ref,
      title: "Write it",
    });
    expect((await taskEvents(ana)).at(-1)).toEqual([
      "task.started",
      { member_id: writer.id, previous_owner: null },
    ]);
  });

  test("needs permissions that bind agents alone, and is refused whole", async () => {
    const { world, ana } = await startBoardWithTasks();
    await setRole(world, "opener", ["post", "create_tasks"]);
    await setRole(world, "mute", ["claim_tasks"]);
    const opener = await world.seat(ana, "docs", { role: "opener" });
    const mute = await world.seat(ana, "docs", { role: "mute" });
    for (const [by, permission] of [
      [mute, "create_tasks"],
      [opener, "claim_tasks"],
    ] as const)
      expect(await refusalOf(openTask(by, "x", { start: true }))).toMatchObject({
        status: 403,
        code: "forbidden",
        message: expect.stringContaining(permission),
      });
    expect((await openTask(opener)).state).toBe("open");
  });

  test("refuses a title that is blank or has lines, and texts that are too long", async () => {
    const { ana } = await startBoardWithTasks();
    for (const title of [" \t ", "a\nb", "a\rb"])
      expect(await verdictOf(openTask(ana, title))).toBe("422 invalid_request");
    for (const [title, more] of [
      ["", {}],
      ["x".repeat(121), {}],
      ["x", { about: "x".repeat(4001) }],
    ] as const)
      expect(await verdictOf(openTask(ana, title, more))).toBe("400 invalid_request");
    const longest = await openTask(ana, "🗺".repeat(120), { about: "🗺".repeat(4000) });
    expect(longest.number).toBe(1);
  });
});

describe("a board's first prefix", () => {
  test.each([
    ["docs", "DOC"],
    ["a1-b2", "AB"],
    ["1-a", "AX"],
    ["42", "XX"],
  ])("of %s is %s", async (name, prefix) => {
    const world = await startWorld();
    await makeDocs(world, { name });
    const board = { params: { board: name } };
    await world.admin.call("createTask", { ...board, body: { title: "x" } });
    expect((await world.admin.call("getBoard", board)).task_prefix).toBe(prefix);
  });

  test("is numbered when another board has it or had it", async () => {
    const world = await startWorld();
    const open = async (name: string) => {
      await world.admin.call("createBoard", { body: { name } });
      const params = { board: name };
      return (await world.admin.call("createTask", { params, body: { title: "x" } })).ref;
    };
    expect(await open("docs")).toBe("DOC-1");
    await world.admin.call("updateBoard", { ...docs, body: { task_prefix: "OLD" } });
    expect(await open("docs-2")).toBe("DOC2-1");
    expect(await open("docs-3")).toBe("DOC3-1");
  });

  test("does not move what was opened before it changed", async () => {
    const { ana } = await startBoardWithTasks();
    await openTask(ana);
    await ana.call("updateBoard", { ...docs, body: { task_prefix: "NEW" } });
    expect((await openTask(ana)).ref).toBe("NEW-2");
    expect((await ana.call("getTask", task("doc-1"))).ref).toBe("DOC-1");
    expect(await verdictOf(ana.call("getTask", task("NEW-1")))).toBe("404 task_not_found");
  });
});

describe("a task", () => {
  test("is found by its reference in any case, its number and its id, on its own board alone", async () => {
    const { ana } = await startBoardWithTasks();
    const { id } = await openTask(ana);
    await ana.call("createBoard", { body: { name: "plaza" } });
    const params = { board: "plaza" };
    const other = await ana.call("createTask", { params, body: { title: "x" } });
    for (const selector of ["DOC-1", "doc-1", "dOc-1", 1, id])
      expect((await ana.call("getTask", task(selector))).id).toBe(id);
    for (const selector of ["DOC-2", "PLA-1", 2, 99_999_999_999, "9".repeat(400), other.id])
      expect(await verdictOf(ana.call("getTask", task(selector)))).toBe("404 task_not_found");
    for (const selector of ["0", "DOC-0", "D-1", "tsk_1", "x"])
      expect(await verdictOf(ana.call("getTask", task(selector)))).toBe("400 invalid_request");
  });

  test("is read by guests, who change none", async () => {
    const { world, ana } = await startBoardWithTasks();
    await openTask(ana);
    const gus = await guestOn(world, "gus");
    for (const guest of [gus, gus.agent]) {
      expect((await guest.call("getTask", task())).number).toBe(1);
      expect((await guest.call("listTasks", docs)).tasks).toHaveLength(1);
      expect(new Set(await Promise.all(changesBy(guest).map(verdictOf)))).toEqual(
        new Set(["403 guest_not_allowed"]),
      );
    }
  });

  test("cannot change on an archived board, and can be read there", async () => {
    const { ana, writer } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    await ana.call("archiveBoard", docs);
    expect((await writer.call("getTask", task())).state).toBe("in_progress");
    expect((await writer.call("listTasks", docs)).counts.in_progress).toBe(1);
    expect((await writer.call("getMe")).current_task?.ref).toBe("DOC-1");
    expect(new Set(await Promise.all(changesBy(writer).map(verdictOf)))).toEqual(
      new Set(["409 board_archived"]),
    );
    expect(await verdictOf(writer.call("startTask", task(99)))).toBe("409 board_archived");
  });
});

describe("the list", () => {
  const listed = (by: Client, query = {}) => by.call("listTasks", { ...docs, query });
  const numbers = async (...given: Parameters<typeof listed>) =>
    (await listed(...given)).tasks.map(({ number }) => number);

  /** Open 1 and 6, in progress 2 (writer's), 4 (bo's) and 5 (scout's), done 3, cancelled 7. */
  async function several() {
    const team = await startBoardWithTasks();
    const { ana, bo, writer, scout } = team;
    for (const [by, start] of [
      [ana, false],
      [writer, true],
      [ana, true],
      [bo, true],
      [scout, true],
      [scout, false],
      [ana, false],
    ] as const)
      await openTask(by, "x", { start });
    await ana.call("finishTask", { ...task(3), body: { note: "over" } });
    await ana.call("finishTask", { ...task(7), body: { note: "over", cancelled: true } });
    await writer.call("joinTask", task(5));
    await bo.call("joinTask", task(1));
    return team;
  }

  test("has what is open, then what is in progress, then what is closed, each oldest first", async () => {
    const { bo } = await several();
    expect(await numbers(bo)).toEqual([1, 6, 2, 4, 5]);
    expect(await numbers(bo, { state: "all" })).toEqual([1, 6, 2, 4, 5, 3, 7]);
    for (const [state, found] of Object.entries({
      active: [1, 6, 2, 4, 5],
      open: [1, 6],
      in_progress: [2, 4, 5],
      done: [3],
      cancelled: [7],
    }))
      expect(await numbers(bo, { state })).toEqual(found);
  });

  test("is filtered by owner and by what is the caller's, together too, and counts the whole board", async () => {
    const { bo, writer } = await several();
    expect(await numbers(bo, { owner: "scout" })).toEqual([5]);
    expect(await numbers(bo, { owner: "ana", state: "all" })).toEqual([3]);
    expect(await numbers(bo, { mine: true })).toEqual([1, 4]);
    expect(await numbers(writer, { mine: true })).toEqual([2, 5]);
    expect(await numbers(writer, { mine: true, owner: "scout" })).toEqual([5]);
    expect(await numbers(writer, { mine: true, state: "open" })).toEqual([]);
    const { counts, board } = await listed(bo, { owner: "ana", state: "open" });
    expect(board).toBe("docs");
    expect(counts).toEqual({ open: 2, in_progress: 3, done: 1, cancelled: 1, blocked: 0 });
    const { status, code } = await refusalOf(listed(bo, { owner: "nobody" }));
    expect([status, code]).toEqual([404, "member_not_found"]);
  });

  test("says when its limit cut it", async () => {
    const { bo } = await several();
    for (const [limit, more] of [
      [1, true],
      [4, true],
      [5, false],
      [200, false],
    ] as const) {
      const page = await listed(bo, { limit });
      expect([page.tasks.length, page.more]).toEqual([Math.min(limit, 5), more]);
    }
  });

  test("is read to its end by pages of the newest, each in order, with any filter", async () => {
    const { bo } = await several();
    const page = (query: object) => listed(bo, { newest: true, limit: 2, ...query });
    const pages = async (query: object) => {
      const found: number[][] = [];
      for (let before: object = {}; ;) {
        const { tasks, more } = await page({ ...query, ...before });
        found.push(tasks.map(({ number }) => number));
        if (!more) return found;
        before = { before: Math.min(...tasks.map(({ number }) => number)) };
      }
    };
    expect(await pages({ state: "all" })).toEqual([[6, 7], [4, 5], [2, 3], [1]]);
    expect(await pages({ state: "active" })).toEqual([[6, 5], [2, 4], [1]]);
    expect(await pages({ state: "done" })).toEqual([[3]]);
    expect(await numbers(bo, { state: "all", before: 4 })).toEqual([1, 2, 3]);
    expect(await numbers(bo, { state: "all", before: 1, newest: true })).toEqual([]);
  });

  test("of what is open stands as a number on the board, for whoever is on it", async () => {
    const { world, bo, scout } = await several();
    expect((await bo.call("getBoard", docs)).tasks_open).toBe(2);
    expect((await scout.call("listBoards")).boards[0]!.tasks_open).toBe(2);
    await bo.call("createBoard", { body: { name: "plaza" } });
    const seen = await world.admin.call("getBoard", { params: { board: "plaza" } });
    expect(seen).not.toHaveProperty("tasks_open");
  });
});

describe("changing a task", () => {
  test("counts the versions of its texts, and says who wrote the last", async () => {
    const { world, ana, writer } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    const change = (by: Client, body: object) =>
      by.call("updateTask", { ...task(), body: body as never });
    world.pass(5);
    const first = await change(writer, { stands: "begun", about: "because" });
    const at = world.clock.now.toISOString();
    expect(first).toMatchObject({
      updated_at: at,
      stands: { text: "begun", by: agent("writer"), at, version: 1 },
      about: { text: "because", version: 1 },
    });
    const second = await change(ana, { stands: "halfway", title: "y", about: "" });
    expect(second).toMatchObject({
      title: "y",
      stands: { text: "halfway", by: person("ana"), version: 2 },
      about: { text: "", by: person("ana"), version: 2 },
    });
    expect((await taskEvents(ana)).slice(2)).toEqual([
      ["task.updated", { stands: "begun", stands_version: 1, about: "because" }],
      ["task.updated", { title: "y", stands: "halfway", stands_version: 2, about: "" }],
    ]);
  });

  test("records what changed alone, and nothing when nothing does", async () => {
    const { world, ana } = await startBoardWithTasks();
    await openTask(ana, "x", { about: "because" });
    const change = (body: object) => ana.call("updateTask", { ...task(), body: body as never });
    await change({ stands: "begun" });
    const before = await ana.call("getTask", task());
    const head = await headOf(ana);
    world.pass(5);
    for (const same of [
      { title: "x", about: "because", stands: "begun" },
      { stands_base: 1 },
      { stands: "begun", stands_base: 1 },
    ])
      expect(await change(same)).toEqual(before);
    expect(await headOf(ana)).toBe(head);
    await change({ title: "x", about: "else" });
    expect((await taskEvents(ana)).at(-1)).toEqual(["task.updated", { about: "else" }]);
  });

  test("of where it stands is refused whole when another version is there", async () => {
    const { writer } = await startBoardWithTasks();
    await openTask(writer, "x", { start: true });
    const change = (body: object) => writer.call("updateTask", { ...task(), body: body as never });
    expect((await change({ stands: "one", stands_base: 0 })).stands?.version).toBe(1);
    for (const stands_base of [0, 2])
      expect(await refusalOf(change({ stands: "two", title: "y", stands_base }))).toMatchObject({
        status: 409,
        code: "stands_changed",
        details: { version: 1 },
      });
    expect((await change({ stands: "two", stands_base: 1 })).stands?.version).toBe(2);
  });

  test("is for its opener, its owner and people; where it stands for who is on it", async () => {
    const { world, ana, bo, writer, second, scout } = await startBoardWithTasks();
    await openTask(writer);
    await scout.call("startTask", task());
    await second.call("joinTask", task());
    const other = await world.seat(bo, "docs", { name: "other" });
    const may = async (by: Client, body: object) => {
      const attempt = by.send("updateTask", { ...task(), body: body as never });
      return (await attempt).status;
    };
    let turn = 0;
    const fresh = () => `text ${turn++}`;
    for (const [by, editing, telling] of [
      [ana, 200, 200],
      [bo, 200, 200],
      [writer, 200, 403],
      [scout, 200, 200],
      [second, 403, 200],
      [other, 403, 403],
    ] as const) {
      expect(await may(by, { title: fresh() })).toBe(editing);
      expect(await may(by, { about: fresh() })).toBe(editing);
      expect(await may(by, { stands: fresh() })).toBe(telling);
      expect(await may(by, { title: fresh(), stands: fresh() })).toBe(Math.max(editing, telling));
    }
    expect(
      await refusalOf(other.call("updateTask", { ...task(), body: { stands: "x" } })),
    ).toMatchObject({ code: "not_on_task", message: expect.stringContaining("DOC-1") });
  });

  test("refuses what is blank or too long, and nothing at all", async () => {
    const { ana } = await startBoardWithTasks();
    await openTask(ana);
    const change = (body: object) => ana.call("updateTask", { ...task(), body: body as never });
    for (const body of [{ title: " " }, { title: "a\nb" }, { stands: " \n" }])
      expect(await verdictOf(change(body))).toBe("422 invalid_request");
    for (const body of [
      {},
      { title: "" },
      { stands: "" },
      { stands: "x".repeat(2001) },
      { stands_base: -1 },
      { state: "done" },
    ])
      expect(await verdictOf(change(body))).toBe("400 invalid_request");
  });
});
