import { describe, expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];

const { join: code } = await json(["pair", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex"]);
await ok(["join", code.line, "--name", "bo"]);

describe("task", () => {
  test("list says how the first one is opened", async () => {
    const { stdout } = await ok(["task", "list", "--board", "demo"]);
    expect(stdout).toMatch(/^demo has no tasks yet\. The first: .*task new TITLE --board demo\n$/);
  });

  test("new opens one, which an agent takes at once and a person leaves", async () => {
    const own = await json(["task", "new", "Write it", "--about", "Nobody did.", ...as("rex")]);
    expect(Object.keys(own)).toEqual(["board", "task", "line", "next", "nudges"]);
    expect(own).toMatchObject({
      board: "demo",
      next: null,
      nudges: [{ code: "first_task" }],
      line: { kind: "working", text: "Write it", source: "task", task: { ref: "DEM-1" } },
      task: { ref: "DEM-1", state: "in_progress", owner: { name: "rex" }, about: { version: 1 } },
    });
    const left = await json(["task", "new", "Read it", "--no-start", ...as("rex")]);
    expect(left).toMatchObject({
      task: { ref: "DEM-2", state: "open" },
      line: { text: "Write it" },
      nudges: [],
    });
    const { stdout } = await ok(["task", "new", "Print it", "--board", "demo"]);
    expect(stdout).toBe("Opened DEM-3 on demo: Print it\n");
  });

  test("list shows what is not picked up, then what is in progress", async () => {
    await ok(["task", "join", "dem-1", ...as("bo")]);
    const { stdout } = await ok(["task", "list", "--board", "demo"]);
    expect(stdout.split("\n")).toEqual([
      "demo · 2 not picked up · 1 in progress · 0 closed",
      "Not picked up",
      "  DEM-2  Read it",
      "  DEM-3  Print it",
      "In progress",
      "  DEM-1  Write it  @rex with @bo",
      "",
    ]);
    const mine = await json(["task", "list", "--mine", "--limit", "1", ...as("bo")]);
    expect(mine.tasks.map(({ ref }: { ref: string }) => ref)).toEqual(["DEM-1"]);
    expect(mine.counts).toMatchObject({ open: 2, in_progress: 1 });
    const cut = await ok(["task", "list", "--limit", "1", ...as("bo")]);
    expect(cut.stdout).toContain("There are more: ");
    // From the newest to the first, by the commands that the pages name.
    const seen: string[] = [];
    let words = ["task", "list", "--newest", "--limit", "2", ...as("bo")];
    for (let pages = 0; pages < 2; pages++) {
      const page = await ok(words);
      seen.push(...(page.stdout.match(/DEM-\d/g) ?? []));
      const next = /There are more: .*?(task list .*)/.exec(page.stdout)?.[1];
      words = next?.split(" ") ?? [];
      if (pages === 0) expect(words).toEqual(expect.arrayContaining(["--before", "2"]));
    }
    expect(seen.sort()).toEqual(["DEM-1", "DEM-2", "DEM-3"]);
    expect(words).toEqual([]);
    const none = await run(["task", "list", "--before", "0", ...as("bo")]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("--before is not")]);
  });

  test("note says where the current task stands, and a stale base is refused", async () => {
    const { task } = await json(["task", "note", "Half of it", "--base", "0", ...as("rex")]);
    expect([task.ref, task.stands.version]).toEqual(["DEM-1", 1]);
    const stale = ["task", "note", "More", "--task", "1", "--base", "0"];
    expect(await refusal([...stale, ...as("bo")])).toBe("stands_changed");
    const { stdout } = await ok(["task", "show", "1", "--board", "demo"]);
    for (const part of ["DEM-1 · Write it", "in progress · @rex with @bo", "    Half of it"])
      expect(stdout).toContain(part);
    expect(Object.keys(await json(["task", "show", "DEM-1", ...as("rex")]))).toEqual([
      "board",
      "task",
      "files",
      "threads",
    ]);
  });

  test("start takes one once, drop gives it back, and done closes it and names the next", async () => {
    await ok(["task", "start", "2", ...as("bo")]);
    expect(await refusal(["task", "start", "2", ...as("rex")])).toBe("task_taken");
    const { task: dropped } = await json(["task", "drop", "--reason", "Later", ...as("bo")]);
    expect(dropped).toMatchObject({ ref: "DEM-2", state: "open" });
    const closed = await json(["task", "done", "It is written.", ...as("rex")]);
    expect(closed).toMatchObject({
      task: { ref: "DEM-1", state: "done", closed_note: "It is written." },
      next: { ref: "DEM-2" },
      nudges: [{ code: "next_task", text: expect.stringContaining("task start DEM-2") }],
    });
    expect(await refusal(["task", "done", "Again", "--task", "1", ...as("rex")])).toBe(
      "task_closed",
    );
    const cancelled = await json([
      "task",
      "done",
      "Not needed",
      "--task",
      "3",
      "--cancelled",
      "--board",
      "demo",
    ]);
    expect(cancelled.task.state).toBe("cancelled");
    const all = await ok(["task", "list", "--all", "--board", "demo"]);
    expect(all.stdout).toContain("Closed\n  DEM-1  Write it  @rex with @bo\n");
  });

  test("without a task and without a current one names those that may be meant", async () => {
    for (const words of [["note", "x"], ["done", "x"], ["drop"]]) {
      const { code, json: answer } = await run(["task", ...words, ...as("bo"), "--json"]);
      const { error } = answer();
      expect([code, error.code]).toEqual([1, "no_current_task"]);
      expect(error.details.tasks.map(({ ref }: { ref: string }) => ref)).toEqual(["DEM-2"]);
      expect(error.hint).toBe("Take one first: `service task start DEM-2 --as bo`.");
    }
    await ok(["task", "join", "DEM-2", ...as("bo")]);
    await ok(["task", "new", "Fold it", ...as("bo")]);
    await ok(["task", "done", "x", ...as("bo")]);
    const own = await run(["task", "drop", ...as("bo"), "--json"]);
    expect(own.json().error.hint).toBe("Name one: `service task drop DEM-2 --as bo`.");
    expect(await refusal(["task", "drop", "--board", "demo"])).toBe("no_current_task");
  });

  test("is never the person's in a session, where an agent has to be chosen", async () => {
    const session = { env: { CLAUDECODE: "1" } };
    expect(await refusal(["task", "list", "--board", "demo"], session)).toBe("agent_not_selected");
    expect((await json(["task", "list", ...as("bo")], session)).board).toBe("demo");
  });

  test("takes its text in quotes, and no task in the text's place", async () => {
    const { task } = await json(["task", "new", "Bind it", ...as("rex")]);
    for (const [words, said] of [
      [["new", "Write", "the", "guide"], "in quotes: 'Write the guide'\n"],
      [["note", "Half", "done"], "in quotes: 'Half done'\n"],
      [["done", "All", "done"], "in quotes: 'All done'\n"],
      [["done", "DEM-2", "All done"], "If DEM-2 is the task: `--task DEM-2`, and 'All done'\n"],
      [["done", "DEM-2"], "task done TEXT --task DEM-2"],
      [["done", "dem-9999"], "task done TEXT --task dem-9999"],
      [["done", task.id], `task done TEXT --task ${task.id}`],
      [["note", "2"], "task note TEXT --task 2"],
    ] as const) {
      const { code, stderr } = await run(["task", ...words, ...as("rex")]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
    expect(await json(["task", "show", task.ref, ...as("rex")])).toMatchObject({
      task: { state: "in_progress", stands: null },
    });
    // Said on purpose, or of another board, it is a text.
    await ok(["task", "note", "2", "--task", task.ref, ...as("rex")]);
    await ok(["task", "done", "See DOC-2", ...as("rex")]);
  });

  test("is spelled out: `tasks` is no command, and two choices of a list are one too many", async () => {
    const spelled = await run(["tasks"]);
    expect(spelled.code).toBe(2);
    expect(spelled.stderr).toContain("task list");
    expect((await run(["task", "list", "--done", "--all", ...as("bo")])).code).toBe(2);
    expect((await run(["task", "show", ...as("bo")])).code).toBe(2);
  });
});
