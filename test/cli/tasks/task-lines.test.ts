import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";
import { rexOnPlans, withFeatures } from "../../support/servers/server-on-port-with-clock.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];
const codes = ({ nudges }: { nudges: { code: string }[] }) => nudges.map(({ code }) => code);

const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex"]);
await ok(["join", code.line, "--name", "bo"]);

describe("a task command tells an agent its line", () => {
  test("which a start sets, and which others see", async () => {
    await ok(["api", "setPresence", "presence=idle", ...as("rex")]);
    const { stdout } = await ok(["task", "new", "Write\u0007 it", ...as("rex")]);
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "Opened and started DEM-1 on demo: Write it",
      "  rex is working: Write it (DEM-1)",
    ]);
    expect(await json(["status", ...as("rex")])).toMatchObject({
      state: "working",
      line: { source: "task", task: { ref: "DEM-1" } },
    });
    const noted = await json(["task", "note", "Half", ...as("rex")]);
    expect(noted.line).toMatchObject({ source: "task", set_by: "rex" });
  });

  test("which joining leaves, a line by hand replaces, and closing and dropping take away", async () => {
    const joined = await json(["task", "join", "1", ...as("bo")]);
    expect([joined.line, joined.nudges]).toEqual([null, []]);
    const helping = await json(["working", "Helping", ...as("bo")]);
    expect(helping.line.task).toMatchObject({ ref: "DEM-1", title: "Write\u0007 it" });
    const dropped = await json(["task", "drop", ...as("bo")]);
    expect(dropped.line).toBeNull();
    await ok(["working", "Reading", "--task", "1", ...as("bo")]);
    const closed = await json(["task", "done", "Over", ...as("rex")]);
    expect([closed.line, closed.next]).toEqual([null, null]);
    expect(await json(["status", ...as("bo")])).toMatchObject({ line: null });
  });

  test("and a person none", async () => {
    const own = await json(["task", "new", "Read it", "--board", "demo"]);
    const started = await json(["task", "start", own.task.ref, "--board", "demo"]);
    for (const answer of [own, started]) expect([answer.line, answer.nudges]).toEqual([null, []]);
    const { stdout } = await ok(["task", "drop", "2", "--board", "demo"]);
    expect(stdout).toBe("Dropped DEM-2 on demo: Read it\n");
  });

  test("of another that is unknown it says so, and sets none", async () => {
    const words = ["working", "x", "--task", "99", ...as("bo")];
    expect(await refusal(words)).toBe("task_not_found");
    expect((await run(["working", "--clear", "--task", "1", ...as("bo")])).code).toBe(2);
    expect(await refusal(["working", "x", "--task", "no task", ...as("bo")])).toBe(
      "invalid_request",
    );
    expect((await json(["status", ...as("bo")])).line).toBeNull();
  });
});

describe("an agent is reminded", () => {
  test("the first three times that it starts a task, opened with it or not, each seat by itself", async () => {
    rmSync(join(machine.home, "state", "nudges.json"), { force: true });
    const first = await json(["task", "start", "2", ...as("bo")]);
    expect(codes(first)).toEqual(["first_task"]);
    expect(first.nudges[0].text).toMatch(/^Say where DEM-2 stands .*task note TEXT --as bo$/);
    expect(codes(await json(["task", "new", "Three", ...as("bo")]))).toEqual(["first_task"]);
    const { stdout } = await ok(["task", "new", "Four", ...as("bo")]);
    expect(stdout).toContain("\nSay where DEM-4 stands");
    expect(codes(await json(["task", "new", "Five", ...as("bo")]))).toEqual([]);
    expect(codes(await json(["task", "new", "Six", ...as("rex")]))).toEqual(["first_task"]);
  });

  test("of the oldest task that nobody owns when it has closed one, and of none where there is none", async () => {
    await ok(["task", "drop", "3", ...as("bo")]);
    await ok(["task", "drop", "4", ...as("bo")]);
    const closed = await json(["task", "done", "Over", ...as("bo")]);
    expect(closed).toMatchObject({
      next: { ref: "DEM-3" },
      nudges: [
        {
          code: "next_task",
          text: expect.stringMatching(/Not picked up: .*task start DEM-3 --as bo$/),
        },
      ],
    });
  });

  test("of nothing where the board's policy has reminders off, and what was not shown does not count", async () => {
    const policy = (nudges: string) =>
      ok(["api", "updateBoard", "board=demo", `policy={"nudges":"${nudges}"}`]);
    await policy("off");
    rmSync(join(machine.home, "state", "nudges.json"));
    expect(codes(await json(["task", "start", "3", ...as("rex")]))).toEqual([]);
    const closed = await json(["task", "done", "Over", ...as("rex")]);
    expect([codes(closed), closed.next.ref]).toEqual([[], "DEM-4"]);
    await policy("on");
    expect(codes(await json(["task", "start", "4", ...as("rex")]))).toEqual(["first_task"]);
  });
});

describe("a server that answers otherwise", () => {
  test("is outdated when it has no tasks, and no line about a task is sent to it", async () => {
    const { other, server } = await rexOnPlans();
    server.between = withFeatures(["lines"]);
    for (const words of [
      ["task", "list"],
      ["task", "new", "x"],
      ["task", "show", "PLA-1"],
      ["working", "x", "--task", "1"],
    ])
      for (const actor of [as("rex"), []]) {
        if (words[0] === "working" && !actor.length) continue;
        const { code, stderr } = await other.run([...words, ...actor]);
        expect([code, stderr]).toEqual([1, expect.stringContaining("Error (server_outdated): ")]);
        expect(stderr).toContain("tasks");
      }
    expect((await other.json(["working", "x", ...as("rex")])).line.text).toBe("x");
    // Where a reference has to be looked for, too.
    await other.ok(["pair", "--board", "others", "--name", "rex", "--server", server.url]);
    for (const actor of [as("rex"), []])
      expect(await other.refusal(["task", "show", "ZZZ-9", ...actor])).toBe("server_outdated");
  });

  test("after a change was stored fails nothing: what it would have told is left out", async () => {
    const { other, server } = await rexOnPlans();
    server.between = (request, answer) =>
      request.method === "GET" && new URL(request.url).pathname.startsWith("/v1/boards")
        ? Promise.resolve(new Response("Bad Gateway", { status: 502 }))
        : answer();
    const opened = await other.json(["task", "new", "x", ...as("rex")]);
    expect(opened).toMatchObject({ task: { ref: "PLA-1" }, line: null, nudges: [] });
    const closed = await other.json(["task", "done", "Over", ...as("rex")]);
    expect(closed).toMatchObject({ task: { state: "done" }, line: null, next: null, nudges: [] });
  });
});
