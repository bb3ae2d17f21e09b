import { expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";
import { startSession } from "../../support/daemon/session-on-machine.ts";

test("a command in a session acts as the agent whose seat the session holds", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const session = await startSession(machine, "s-1");
  const { stdout } = await session.run(["say", "Hello", "--json"]);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: "agent_not_selected",
    message: "This session has no seat yet.",
  });
  expect(JSON.parse(stdout).error.hint).toContain("`service resume NAME`");
  await session.ok(["resume", "writer"]);
  expect((await session.json(["say", "Hello"])).message.from.name).toBe("writer");
  expect(await session.json(["status"])).toMatchObject({
    agent: "writer",
    agent_source: "session",
    board: "docs",
  });
  expect(await session.refusal(["say", "Hello", "--board", "other"])).toBe("agent_not_selected");
  const other = await startSession(machine, "s-2");
  expect(await other.refusal(["inbox"])).toBe("agent_not_selected");
  expect((await other.json(["inbox", "--as", "writer"])).agent).toBe("writer");
});

test("with several seats a command names its board, also beside --as", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  await machine.ok(["pair", "--board", "code", "--name", "coder"]);
  const session = await startSession(machine, "s-1");
  await session.ok(["resume", "writer"]);
  await session.ok(["resume", "coder"]);
  const { stdout } = await session.run(["say", "Hello", "--json"]);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: "board_ambiguous",
    details: {
      boards: ["code", "docs"],
      seats: [
        { board: "docs", name: "writer" },
        { board: "code", name: "coder" },
      ],
    },
  });
  expect(await session.refusal(["say", "Hello", "--as", "coder"])).toBe("board_ambiguous");
  const { message } = await session.json(["say", "Hello", "--board", "code"]);
  expect(message.from.name).toBe("coder");
  const { task } = await session.json(["task", "new", "Write", "--board", "docs"]);
  expect((await session.json(["task", "start", task.ref])).task.owner.name).toBe("writer");
  const { seats } = await session.json(["status"]);
  expect(seats.map(({ name }: { name: string }) => name)).toEqual(["coder", "writer"]);
});

test("a session that takes a seat again is told where its agent finds itself, also where reminders are off", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  await machine.ok(["api", "updateBoard", "board=docs", 'policy={"nudges":"off"}']);
  const session = await startSession(machine, "s-1");
  expect(await session.json(["resume", "writer"])).toMatchObject({ nudges: [] });
  const { task } = await session.json(["task", "new", "Write it"]);
  await session.ok(["task", "start", task.ref]);
  await session.ok(["task", "note", "Half of it is there."]);
  const other = await startSession(machine, "s-2");
  const [nudge] = (await other.json(["resume", "writer"])).nudges;
  expect(nudge.code).toBe("reorient");
  expect(nudge.text).toContain(`Your task on docs: ${task.ref} Write it.`);
  expect(nudge.text).toContain("“Half of it is there.”");
  const third = await startSession(machine, "s-3");
  const join = ["join", "--board", "docs", "--name", "scout"];
  expect(await third.json(join)).toMatchObject({ reused: false });
  await third.ok(["task", "start", (await third.json(["task", "new", "Read it"])).task.ref]);
  const again = await third.ok(join);
  expect(again.stdout).toStartWith("The session had a seat there before.");
  expect(again.stdout).toMatch(/Your task on docs: DOC-\d Read it\./);
});

test("a session that no hook has told of is unknown, and a subagent reads as its parent's agent", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const unknown = { env: { CLAUDE_CODE_SESSION_ID: "s-0" } };
  const { stdout } = await machine.run(["say", "Hello", "--json"], unknown);
  expect(JSON.parse(stdout).error).toMatchObject({ code: "session_unknown" });
  expect(JSON.parse(stdout).error.hint).toContain("`--as NAME`");
  expect((await machine.json(["say", "Hello", "--as", "writer"], unknown)).message.from.name).toBe(
    "writer",
  );
  const session = await startSession(machine, "s-1");
  await session.ok(["resume", "writer"]);
  const sub = { env: { SERVICE_SUBAGENT: "sub" } };
  expect((await session.json(["inbox", "--peek"], sub)).agent).toBe("writer");
  expect(await session.refusal(["say", "Hello"], sub)).toBe("subagent_without_seat");
  expect((await session.json(["status"], sub)).subagent).toEqual({
    harness: "claude-code",
    session: "s-1",
    parent_agent: "writer",
    seat: null,
  });
  expect((await session.ok(["status"], sub)).stdout).toMatch(
    /Subagent +of the session claude-code:s-1, whose agent is writer: it has no seat of its own/,
  );
  expect(await session.json(["status"])).not.toHaveProperty("subagent");
});

test("status in a session starts no daemon, and a command that needs its agent does", async () => {
  const machine = newMachine();
  const inSession = { env: { CLAUDE_CODE_SESSION_ID: "s-1" } };
  expect((await machine.json(["status"], inSession)).daemon.running).toBe(false);
  expect(await machine.refusal(["inbox"], inSession)).toBe("session_unknown");
  expect((await machine.json(["status"], inSession)).daemon.running).toBe(true);
  await machine.ok(["down"]);
  const sandboxed = { env: { CLAUDE_CODE_SESSION_ID: "s-1", SANDBOX_RUNTIME: "1" } };
  expect(await machine.refusal(["inbox"], sandboxed)).toBe("daemon_in_sandbox");
});
