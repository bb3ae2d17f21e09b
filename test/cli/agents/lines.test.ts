import { expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";
import { rexOnPlans, withFeatures } from "../../support/servers/server-on-port-with-clock.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const env = { SERVICE_AGENT: "writer" };

const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex"]);

test("an agent says what it is doing, and nothing any more", async () => {
  const set = await json(["working", "Fixing the parser"], { env });
  expect(set).toEqual({
    board: "demo",
    agent: "writer",
    line: {
      kind: "working",
      text: "Fixing the parser",
      until: null,
      task: null,
      set_by: "writer",
      source: "command",
      at: expect.any(String),
    },
    state: "disconnected",
  });
  await ok(["api", "setPresence", "presence=idle"], { env });
  const { stdout } = await ok(["working", "Writing\ntests"], { env });
  expect(stdout).toBe("writer on demo is working: Writing tests\n");
  const cleared = { board: "demo", agent: "writer", line: null, state: "idle" };
  expect(await json(["working", "--clear"], { env })).toEqual(cleared);
  expect((await ok(["working", "--clear"], { env })).stdout).toBe(
    "writer on demo has no status line\n",
  );
});

test("with --as a person says it for their agent in a terminal, and the agent itself in a session", async () => {
  const setBy = async (...[words, options]: Parameters<typeof json>) =>
    (await json(words, options)).line.set_by;
  expect(await setBy(["working", "One", "--as", "rex"])).toBe("ada-l");
  expect(await setBy(["working", "One", "--as", "rex", "--board", "demo"], { env })).toBe("ada-l");
  const session = { env: { CLAUDECODE: "1" } };
  expect(await setBy(["working", "Two", "--as", "rex"], session)).toBe("rex");
  expect(await setBy(["paused", "Three", "--until", "5m", "--as", "@rex"])).toBe("ada-l");
  expect((await json(["working", "--clear", "--as", "rex"])).line).toBeNull();
  expect(await refusal(["working", "One", "--as", "nobody", "--board", "demo"])).toBe(
    "agent_not_found",
  );
});

test("a pause is said with its end: a duration or a time of today", async () => {
  const before = Date.now();
  const { line, state } = await json(["paused", "Lunch", "--until", "1h30m"], { env });
  expect([line.kind, line.text, state]).toEqual(["paused", "Lunch", "paused"]);
  const minutes = (Date.parse(line.until) - before) / 60_000;
  expect(minutes).toBeGreaterThanOrEqual(90);
  expect(minutes).toBeLessThan(92);
  const text = await ok(["paused", "Lunch", "--until", "2h"], { env });
  expect(text.stdout).toMatch(
    /^writer on demo is paused until \d{4}-\d\d-\d\d \d\d:\d\d: Lunch\n$/,
  );

  // Where the clock shows noon, so that both are today.
  const west = new Date().getUTCHours() - 12;
  const noon = { ...env, TZ: `Etc/GMT${west < 0 ? "" : "+"}${west}` };
  // The time zone is the process's.
  const today = await machine.asProcess.json(["paused", "Tea", "--until", "13:45"], { env: noon });
  expect(new Date(today.line.until).getUTCMinutes()).toBe(45);
  expect(Date.parse(today.line.until) - Date.now()).toBeLessThan(2 * 3_600_000);
  expect(await machine.asProcess.refusal(["paused", "Tea", "--until", "9:00"], { env: noon })).toBe(
    "line_until_past",
  );
});

test("what cannot be a line is a usage error", async () => {
  for (const [words, said] of [
    [["working"], "no text"],
    [["working", " "], "blank"],
    [["working", "two", "words"], "in quotes: 'two words'"],
    [["working", "x", "--clear"], "not both"],
    [["paused", "x"], "--until is missing"],
    [["paused", "--until", "5m"], "TEXT is missing"],
    [["paused", "two", "words", "--until", "5m"], "in quotes: 'two words'"],
    [["paused", "x", "--until", "25:00"], "17:30"],
    [["paused", "x", "--until", "soon"], "17:30"],
    [["paused", "x", "--until", "0m"], "--until is not a duration"],
  ] as const) {
    const { code, stderr } = await run([...words], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  }
  expect(await refusal(["working", "x".repeat(121)], { env })).toBe("invalid_request");
  expect(await refusal(["working", "x"])).toBe("agent_not_selected");
  const subagent = { ...env, CLAUDECODE: "1", SERVICE_SUBAGENT: "1" };
  expect(await refusal(["working", "x"], { env: subagent })).toBe("subagent_without_seat");
});

test("status shows what the agent says", async () => {
  await ok(["working", "Reading\nit all"], { env });
  await ok(["api", "setPresence", "presence=idle"], { env });
  expect(await json(["status"], { env })).toMatchObject({
    line: { kind: "working", set_by: "writer" },
    state: "working",
  });
  expect((await ok(["status"], { env })).stdout).toContain(" working: Reading it all\n");
  await ok(["working", "--clear"], { env });
  expect(await json(["status"], { env })).toMatchObject({ line: null, state: "idle" });
  expect(await json(["status"])).toMatchObject({ line: null, state: null });
});

test("status says that a pause has lasted too long", async () => {
  const { other, server } = await rexOnPlans();
  const as = ["--as", "rex"];
  const ahead = server.world.at(60);
  await other.ok(["api", "setLine", "kind=paused", "text=Lunch", `until=${ahead}`, ...as]);
  expect((await other.ok(["status", ...as])).stdout).toMatch(/ paused until [-\d: ]+: Lunch\n/);
  server.world.pass(60);
  expect((await other.ok(["status", ...as])).stdout).toMatch(
    / late, was paused until [-\d: ]+: Lunch\n/,
  );
});

test("a server without lines is outdated", async () => {
  const { other, server } = await rexOnPlans();
  server.between = withFeatures([]);
  for (const words of [
    ["working", "x"],
    ["paused", "x", "--until", "5m"],
  ])
    for (const options of [{ env: { SERVICE_AGENT: "rex" } }, {}]) {
      const named = "env" in options ? words : [...words, "--as", "rex"];
      const { code, stderr } = await other.run(named, options);
      expect([code, stderr]).toEqual([1, expect.stringContaining("Error (server_outdated): ")]);
      expect(stderr).toContain("lines");
    }
});
