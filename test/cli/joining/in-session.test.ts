import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { daemonSocket } from "../../../src/client/machine/daemon-files.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { askDaemon } from "../../../src/client/machine/daemon-client.ts";
import { untilTrue } from "../../support/wait-until.ts";
import { hookOn, startSession } from "../../support/daemon/session-on-machine.ts";

test("a session makes a board by pair, another one joins it by its name, and they talk", async () => {
  const machine = newMachine();
  await machine.ok(["up"]);
  const one = await startSession(machine, "s-1");
  const two = await startSession(machine, "s-2");
  const paired = await one.json(["pair", "writer-reviewer", "--board", "docs", "--name", "rex"]);
  expect(paired).toMatchObject({
    server: { name: "local" },
    board: { name: "docs", created_by: { name: "ada-l" } },
    agent: { name: "rex", role: "writer", owner: "ada-l", harness: "claude-code" },
    use: { as: "rex", bound_session: "claude-code:s-1" },
    previous_agent: null,
    delivery: "focused",
    join: { role: "reviewer" },
  });
  expect(paired).not.toHaveProperty("seats");
  const { boards } = await two.json(["boards"]);
  expect(boards).toMatchObject([
    { name: "docs", on_board: true, people: 1, agents: 1, seat: null, role: null },
  ]);
  expect((await two.ok(["boards"])).stdout).toContain("join --board NAME");
  const joined = await two.json(["join", "--board", "docs", "--role", "reviewer"]);
  expect(joined).toMatchObject({
    via: "delegation",
    reused: false,
    previous_agent: null,
    agent: { name: "claude", role: "reviewer" },
    role_charter: expect.stringContaining("Review."),
  });
  expect((await two.json(["boards"])).boards[0].seat).toBe("claude");
  const { message } = await one.json(["say", "Look at it", "--to", "@claude"]);
  expect(message.from.name).toBe("rex");
  const { messages } = await two.json(["inbox"]);
  expect(messages.map(({ body }: { body: string }) => body)).toEqual(["Look at it"]);
  const again = await two.json(["join", "--board", "docs"]);
  expect(again).toMatchObject({ reused: true, agent: { id: joined.agent.id } });
  expect((await two.json(["say", "Fine", "--reply", `${message.seq}`])).message.from.name).toBe(
    "claude",
  );
});

test("a code binds the session of its agent, and a seat of the same board is replaced", async () => {
  const machine = newMachine();
  const { join: made } = await machine.json(["pair", "--board", "docs", "--name", "writer"]);
  const session = await startSession(machine, "s-1");
  const first = await session.json(["join", made.line, "--name", "rex"]);
  expect(first).toMatchObject({
    agent: { name: "rex", harness: "claude-code" },
    use: { bound_session: "claude-code:s-1" },
    previous_agent: null,
  });
  const second = await session.json(["resume", "writer"]);
  expect(second).toMatchObject({
    agent: "writer",
    board: "docs",
    session: "claude-code:s-1",
    previous_agent: { name: "rex", board: "docs" },
    delivery: "focused",
  });
  const { agents } = await session.ask({ op: "agents" });
  expect(agents!.map(({ name }) => name)).toEqual(["writer"]);
  expect((await session.ok(["resume", "rex"])).stdout).toContain(", in place of writer.");
});

test("a further board adds a seat, on the server of the session's seats", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const session = await startSession(machine, "s-1");
  await session.ok(["join", "--board", "docs"]);
  const made = await session.json(["board", "new", "code", "--title", "Code", "--private"]);
  expect(made).toMatchObject({
    board: { name: "code", title: "Code", visibility: "private" },
    agent: { name: "claude", board: "code" },
    join_command: "service join --board code",
    seats: [{ board: "code" }, { board: "docs" }],
  });
  expect((await machine.json(["boards"])).boards).toMatchObject([
    { name: "docs", role: "owner" },
    { name: "code", role: "owner" },
  ]);
  expect((await session.ok(["boards"])).stdout).toMatch(/docs +as claude/);
});

test("a session gets refusals with what to do next, and nothing is saved", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const before = readFileSync(join(machine.home, "config", "credentials.json"), "utf8");
  const session = await startSession(machine, "s-1");
  const unknown = { env: { CLAUDE_CODE_SESSION_ID: "s-0" } };
  for (const words of [["pair"], ["board", "new", "x"], ["join", "--board", "docs"], ["boards"]])
    expect(await machine.refusal(words, unknown)).toBe("session_unknown");
  expect(await machine.refusal(["pair"], { env: { CLAUDECODE: "1" } })).toBe(
    "agent_session_required",
  );
  expect(await machine.refusal(["pair"], { env: { SERVICE_AGENT: "writer" } })).toBe(
    "agent_session_required",
  );
  expect(await machine.refusal(["join", "--board", "docs"], { env: { CLAUDECODE: "1" } })).toBe(
    "session_unknown",
  );
  expect(await session.refusal(["join", "--board", "none"])).toBe("board_not_found");
  expect(await session.refusal(["pair", "--board", "docs"])).toBe("board_name_taken");
  expect(await session.refusal(["join", "--board", "docs", "--name", "writer"])).toBe("name_taken");
  expect(await session.refusal(["join", "--board", "docs", "--role", "none"])).toBe(
    "role_not_found",
  );
  expect(
    await session.refusal(["join", "--board", "docs", "--server", "https://team.example"]),
  ).toBe("login_required");
  // What the server says of a request means nothing to whoever has typed a command.
  for (const words of [
    ["board", "new", "UP"],
    ["join", "--board", "docs", "--name", "@bob"],
  ]) {
    const { stderr } = await session.run(words);
    expect(stderr).toContain(` help ${words[0] === "join" ? "join" : "board new"}\` shows how it`);
  }
  const sub = { env: { SERVICE_SUBAGENT: "sub" } };
  expect(await session.refusal(["join", "--board", "docs"], sub)).toBe("subagent_without_seat");
  expect(readFileSync(join(machine.home, "config", "credentials.json"), "utf8")).toBe(before);
});

test("a removed agent does not come back by joining again", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const session = await startSession(machine, "s-1");
  await session.ok(["join", "--board", "docs", "--name", "rex"]);
  await machine.ok(["agent", "remove", "rex", "--board", "docs", "--yes"]);
  const { stdout } = await session.run(["join", "--board", "docs", "--json"]);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: "agent_removed",
    details: { board: "docs" },
  });
});

test("a seat that has ended is not taken up again, and its session keeps what it has", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "gone"]);
  await machine.ok(["pair", "--board", "ideas", "--name", "kept"]);
  const session = await startSession(machine, "s-1");
  await session.ok(["resume", "kept"]);
  // The person removes it from elsewhere, so its token stays here.
  await machine.ok(["api", "removeAgent", "board=docs", "member=gone"]);
  expect(await session.refusal(["resume", "gone"])).toBe("agent_removed");
  const { agents } = await session.ask({ op: "agents" });
  expect(agents!.map(({ name }) => name)).toEqual(["kept"]);
});

test("a seat that its agent has left is no trouble of the daemon's", async () => {
  const machine = newMachine();
  await machine.ok(["up"]);
  const session = await startSession(machine, "s-1");
  await session.ok(["pair", "--board", "docs", "--name", "rex"]);
  await session.ok(["pair", "--board", "plans", "--name", "ann"]);
  await session.ok(["leave", "--board", "plans", "--yes"]);
  await untilTrue(async () => {
    const { status } = await askDaemon(hookOn(machine), { op: "status" });
    return status!.agents.some(({ agent }) => agent.name === "ann");
  }, "the daemon's word that nothing can be delivered there");
  expect((await session.json(["status"])).daemon.stopped_agents).toEqual([]);
  const { checks } = (await machine.run(["doctor", "--json"])).json();
  expect(checks.filter(({ code }: any) => code === "board_gone")).toEqual([]);
});

test("the keys of the machine are read by the daemon, and a session without one is told to sign in", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const session = await startSession(machine, "s-1");
  const file = join(machine.home, "config", "owner-token");
  const key = readFileSync(file, "utf8");
  writeFileSync(file, `abk_${"0".repeat(43)}\n`);
  expect(await session.refusal(["boards"])).toBe("delegation_revoked");
  writeFileSync(file, key);
  expect((await session.json(["boards"])).boards).toHaveLength(1);
});

test("a join is asked again if the daemon ends before it answers, and a creation is not", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const session = await startSession(machine, "s-1");
  await session.ask({ op: "stop" });
  const asked: string[] = [];
  /** A daemon that ends at the first request that changes something. */
  const dying = async () => {
    while ((await session.ask({ op: "status" }).catch(() => null)) !== null);
    const { folders, system } = hookOn(machine);
    const listener = Bun.listen({
      unix: daemonSocket(folders, system.userId),
      socket: {
        data(socket, bytes) {
          const { op } = JSON.parse(bytes.toString());
          asked.push(op);
          if (op === "agents") return void socket.write('{"v":1,"agents":[]}\n');
          listener.stop(true);
        },
      },
    });
  };
  await dying();
  expect((await session.json(["join", "--board", "docs"])).agent.board).toBe("docs");
  await session.ask({ op: "stop" });
  await dying();
  expect(await session.refusal(["board", "new", "code"])).toBe("uncertain");
  expect(asked).toEqual(["agents", "join", "agents", "create_board"]);
  expect((await machine.json(["boards"])).boards).toHaveLength(1);
});
