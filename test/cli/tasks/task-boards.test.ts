import { describe, expect, test } from "bun:test";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const writer = ["--as", "writer"];
const ids: Record<string, string> = {};

/** An agent of one name on two boards, each with a task, of a person who is on both. */
for (const board of ["demo", "plans"]) {
  await ok(["pair", "writer-reviewer", "--board", board]);
  const { task } = await json(["task", "new", `In ${board}`, "--board", board, ...writer]);
  ids[task.ref] = task.id;
}

describe("of several seats and boards", () => {
  test("a task's reference names the one that is meant, in any case, and so does its id", async () => {
    for (const actor of [writer, []])
      for (const [task, board] of [
        ["PLA-1", "plans"],
        ["dem-1", "demo"],
        [ids["PLA-1"]!, "plans"],
        [ids["DEM-1"]!, "demo"],
      ] as const)
        expect((await json(["task", "show", task, ...actor])).task).toMatchObject({
          board,
          title: `In ${board}`,
        });
  });

  test("every command that names a task goes there", async () => {
    const at = async (...words: string[]) => {
      const { board, task } = await json(["task", ...words]);
      return [board, task.ref, task.state];
    };
    const inPlans = ["plans", "PLA-1"];
    expect(await at("note", "Half", "--task", "PLA-1", ...writer)).toEqual([
      ...inPlans,
      "in_progress",
    ]);
    expect(await at("drop", "PLA-1", ...writer)).toEqual([...inPlans, "open"]);
    expect(await at("join", "PLA-1", ...writer)).toEqual([...inPlans, "open"]);
    expect(await at("start", "PLA-1")).toEqual([...inPlans, "in_progress"]);
    expect(await at("done", "Over", "--task", "PLA-1")).toEqual([...inPlans, "done"]);
  });

  test("a message, an ask and a reading about a task go there too, as the agent and as its person", async () => {
    const sent = async (...words: string[]) => {
      const { message } = await json(words);
      return [message.board, message.about[0].ref, message.from.name];
    };
    expect(await sent("say", "Slow", "--task", "PLA-1", ...writer)).toEqual([
      "plans",
      "PLA-1",
      "writer",
    ]);
    expect(await sent("ask", "Stop?", "--task", "dem-1", ...writer)).toEqual([
      "demo",
      "DEM-1",
      "writer",
    ]);
    expect(await sent("ask", "@writer", "Well?", "--task", "PLA-1")).toEqual([
      "plans",
      "PLA-1",
      "ada-l",
    ]);
    const asked = await json(["ask", "Go?", "Yes", "--task", "PLA-1", ...writer]);
    const ask = `plans#${asked.message.seq}`;
    const answered = await json(["ask", "--answer", ask, "--option", "1"]);
    expect(answered.message).toMatchObject({ board: "plans", answer: { option_text: "Yes" } });
    const { board, messages } = await json(["read", "--task", "PLA-1", ...writer]);
    expect([board, messages.map(({ body }: { body: string }) => body)]).toEqual([
      "plans",
      ["Slow", "Well?", "Go?", "Yes"],
    ]);
    for (const words of [["say", "x"], ["ask", "x"], ["read"]]) {
      expect(await refusal([...words, "--task", "1", ...writer])).toBe("agent_ambiguous");
      expect(await refusal([...words, "--task", "ZZZ-9", ...writer])).toBe("task_not_found");
    }
    expect(await refusal(["say", "x", "--task", "PLA-1", "--board", "demo", ...writer])).toBe(
      "task_not_found",
    );
  });

  test("its next step names that board, where a number would not", async () => {
    await json(["task", "new", "Another", "--no-start", "--board", "demo", ...writer]);
    const { nudges } = await json(["task", "done", "Over", "--task", "DEM-1", ...writer]);
    expect(nudges).toEqual([
      { code: "next_task", text: expect.stringContaining("DEM-2 --as writer --board demo") },
    ]);
    expect(await refusal(["task", "show", "2", ...writer])).toBe("agent_ambiguous");
    expect(await refusal(["task", "show", "2"])).toBe("board_not_selected");
    expect(await refusal(["task", "note", "x", ...writer])).toBe("agent_ambiguous");
  });

  test("the reference of no board is said to be of none, and one of another board is not looked for elsewhere", async () => {
    for (const actor of [writer, []]) {
      const { code, json: answer } = await run(["task", "show", "ZZZ-9", ...actor, "--json"]);
      const { error } = answer();
      expect([code, error.code, error.details]).toEqual([
        1,
        "task_not_found",
        { boards: ["demo", "plans"] },
      ]);
      expect(await refusal(["task", "show", "PLA-1", "--board", "demo", ...actor])).toBe(
        "task_not_found",
      );
      const env = { SERVICE_BOARD: "demo" };
      expect(await refusal(["task", "show", "PLA-1", ...actor], { env })).toBe("task_not_found");
    }
    expect((await run(["task", "show", "PLA-1", "--server", "local", ...writer])).code).toBe(2);
    expect(await refusal(["task", "show", "PLA-1"], { env: { CLAUDECODE: "1" } })).toBe(
      "agent_not_selected",
    );
  });

  test("a line about a task goes to the board of its reference, as the agent and as its person", async () => {
    const line = async (...[words, options]: Parameters<typeof json>) => {
      const answer = await json(words, options);
      return [answer.board, answer.line.task.ref, answer.line.set_by];
    };
    const words = ["working", "Reading", "--task", "PLA-1", ...writer];
    expect(await line(words)).toEqual(["plans", "PLA-1", "ada-l"]);
    const session = { env: { CLAUDECODE: "1" } };
    expect(await line(words, session)).toEqual(["plans", "PLA-1", "writer"]);
    const paused = ["paused", "Lunch", "--until", "5m", "--task", "dem-2", ...writer];
    expect(await line(paused, session)).toEqual(["demo", "DEM-2", "writer"]);
    expect(await refusal(["working", "x", "--task", "2", ...writer])).toBe("agent_ambiguous");
    expect(await refusal(["working", "x", "--task", "ZZZ-9", ...writer])).toBe("task_not_found");
    expect(await refusal(["working", "x", "--task", "PLA-1"])).toBe("agent_not_selected");
  });

  test("a reference from before a new prefix still names its board, and an archived one is found", async () => {
    await ok(["board", "prefix", "NEW", "--board", "demo"]);
    await ok(["board", "archive", "--board", "plans"]);
    for (const actor of [writer, []]) {
      expect((await json(["task", "show", "DEM-2", ...actor])).board).toBe("demo");
      expect((await json(["task", "show", "PLA-1", ...actor])).board).toBe("plans");
    }
    expect(await refusal(["task", "drop", "PLA-1"])).toBe("board_archived");
    expect(await refusal(["task", "show", "NEW-2"])).toBe("task_not_found");
    await ok(["board", "restore", "--board", "plans"]);
  });
});

test("two servers may have one reference: then the server has to be chosen", async () => {
  const server = await clockedServer();
  await ok(["login", server.url], { stdin: server.world.admin.token });
  await ok(["pair", "writer-reviewer", "--board", "demos", "--server", server.url]);
  await ok(["task", "new", "Elsewhere", "--board", "demos", ...writer]);
  expect(await refusal(["task", "show", "DEM-1", ...writer])).toBe("agent_ambiguous");
  const env = { SERVICE_SERVER: server.url };
  expect((await json(["task", "show", "DEM-1", ...writer], { env })).board).toBe("demos");
  expect((await json(["task", "show", "DEM-2", ...writer])).board).toBe("demo");
  await server.end();
  // The server that is gone hinders nothing but the look-up of what no other one has.
  expect((await json(["task", "show", "DEM-2", ...writer])).board).toBe("demo");
  expect(await refusal(["task", "show", "ZZZ-9", ...writer])).toBe("server_unreachable");
});

test("a list of done tasks says where the cancelled ones are, if none is done", async () => {
  const on = ["--board", "drafts"];
  await ok(["board", "new", "drafts"]);
  const { task } = await json(["task", "new", "Not needed", ...on]);
  const done = async () => (await ok(["task", "list", "--done", ...on])).stdout;
  expect(await done()).not.toContain("None is done.");
  await ok(["task", "done", "Gone", "--task", task.ref, "--cancelled", ...on]);
  expect(await done()).toMatch(
    /None is done\. The cancelled ones: .+ task list --all --board drafts\n/,
  );
});
