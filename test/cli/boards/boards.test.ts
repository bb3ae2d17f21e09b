import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;

// As a process of its own, whose umask is the server's.
const pair = await machine.asProcess.json([
  "pair",
  "writer-reviewer",
  "--board",
  "docs",
  "--title",
  "The docs",
]);

test("pair starts the server, makes a board, a seat and a code", () => {
  expect(pair).toMatchObject({
    server: { name: "local" },
    server_started: true,
    board: { name: "docs", title: "The docs" },
    agent: { name: "writer", role: "writer", owner: "ada-l" },
    use: { as: "writer", env: "SERVICE_AGENT=writer" },
    policy_notice: { preset: "starter" },
    join: { role: "reviewer" },
    delivery: "focused",
  });
  expect(pair.server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(pair.join.line).toContain(pair.join.code);
  expect(pair.delivery_rule).toContain("wakes");
});

test("the machine keeps its secrets to its owner", () => {
  for (const file of ["owner-token", "credentials.json"])
    expect(statSync(join(machine.home, "config", file)).mode & 0o777, file).toBe(0o600);
  for (const folder of ["config", "data"])
    expect(statSync(join(machine.home, folder)).mode & 0o777, folder).toBe(0o700);
  expect(statSync(join(machine.home, "data/service.db")).mode & 0o077).toBe(0);
});

test("a join line, with a prompt around it, makes the next agent", async () => {
  const joined = await json(["join", `${pair.join.line}\nRead the charter.`, "--name", "rex"]);
  expect(joined).toMatchObject({
    server: { name: "local" },
    board: { name: "docs" },
    agent: { name: "rex", role: "reviewer" },
    use: { as: "rex" },
    charter: expect.stringContaining("review"),
    role_charter: expect.stringContaining("Review"),
  });
  const { me } = await json(["whoami"], { env: { SERVICE_AGENT: "rex" } });
  expect(me).toMatchObject({ kind: "agent", name: "rex", board: "docs" });
  const bare = await json(["join", pair.join.code.toLowerCase(), "--harness", "codex"]);
  expect(bare.agent).toMatchObject({ name: "codex", harness: "codex" });
});

test("the agents that joined are on the board and in status", async () => {
  const status = await json(["status", "--as", "rex"]);
  expect(status).toMatchObject({
    server_running: true,
    board: "docs",
    board_source: "agent",
    agent: "rex",
    agent_source: "flag",
    delivery: "focused",
    presence: "no_session",
    policy: { preset: "starter" },
    people: null,
    daemon: { running: false, pid: null, open_sessions: 0, replaced: null },
  });
  expect(status.agents).toContain("writer");
  expect((await ok(["status", "--as", "rex"])).stdout).toContain("disconnected");
});

test("titles, prefixes and policies are changed by who may", async () => {
  const on = ["--board", "docs"];
  expect(await json(["board", "title", "New", "name", ...on])).toEqual({
    board: "docs",
    before: "The docs",
    after: "New name",
  });
  expect(await json(["board", "title", "", "--as", "writer"])).toMatchObject({ after: null });
  expect(await json(["board", "prefix", "DOC", "--as", "writer"])).toMatchObject({ after: "DOC" });
  expect(await json(["board", "policy", "recommended", ...on])).toMatchObject({
    before: { preset: "starter" },
    after: { preset: "recommended", visibility: "addressed" },
    policy_notice: null,
  });
  const policy = async (preset: string) => (await ok(["board", "policy", preset, ...on])).stdout;
  expect(await policy("starter")).toContain("agents read everything; posting to everyone");
  expect(await policy("recommended")).toContain(
    "agents read what is addressed to them; posting to everyone and urgently is for roles",
  );
  expect(await json(["board", "agents-add-people", "off", ...on])).toEqual({
    board: "docs",
    agents_add_people: false,
  });
  expect(await refusal(["board", "prefix", "lower", ...on])).toBe("invalid_request");
});

test("a private board asks before agents may let people in", async () => {
  await ok(["board", "new", "secret", "--private"]);
  const words = ["board", "agents-add-people", "on", "--board", "secret"];
  const { stdout, code } = await run([...words, "--json"]);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: "confirmation_required",
    hint: expect.stringContaining("--board secret --json --yes"),
  });
  expect(code).toBe(1);
  expect(await json([...words, "--yes"])).toMatchObject({ agents_add_people: true });
});

test("boards lists what the person is on, and an agent's own", async () => {
  const { boards, person } = await json(["boards"]);
  expect(person).toBe("ada-l");
  expect(boards.map(({ name }: { name: string }) => name)).toEqual(["docs", "secret"]);
  expect(boards[0]).toMatchObject({ role: "owner", people: 1, on_board: true, default: false });
  const own = await json(["boards", "--as", "writer"]);
  expect([own.as, own.boards.length, own.boards[0].name]).toEqual(["writer", 1, "docs"]);
  expect((await run(["boards", "--as", "writer", "--all"])).code).toBe(2);
});

test("SERVICE_BOARD chooses a board, several need a choice", async () => {
  const ran = await run(["invite", "--json"]);
  expect(ran.json().error).toMatchObject({
    code: "board_not_selected",
    details: { choices: ["docs", "secret"] },
  });
  const invite = await json(["invite", "--ttl", "90m"], { env: { SERVICE_BOARD: "docs" } });
  expect(invite).toMatchObject({ board: "docs", role: "reviewer" });
  expect(invite.prompt).toStartWith(`${invite.join_line}\n`);
  expect((await run(["invite", "--ttl", "200h", "--board", "docs"])).code).toBe(2);
});

test("a SERVICE_SERVER that is unknown here spoils no command that names its server", async () => {
  const env = { SERVICE_SERVER: "https://gone.example.org" };
  const made = await ok(["board", "new", "named", "--server", "local"], { env });
  expect(made.stdout).toMatch(/ invite --board named --server http:\S+/);
  const { join_line: line } = await json(["invite", "--board", "named"]);
  await ok(["join", line, "--name", "zed"], { env });
  await ok(["board", "archive", "--board", "named"]);
  await ok(["board", "delete", "--board", "named", "--yes"]);
});

test("an agent's name on two boards needs the board", async () => {
  const { join_line: line } = await json(["invite", "--board", "secret"]);
  const { stdout } = await ok(["join", line, "--name", "writer"]);
  expect(stdout).toContain(' say "Hello" --as writer --board secret\n');
  expect(stdout).toContain("export SERVICE_AGENT=writer SERVICE_BOARD=secret\n");
  const ran = await run(["whoami", "--as", "writer", "--json"]);
  expect(ran.json().error).toMatchObject({
    code: "agent_ambiguous",
    details: { boards: ["docs", "secret"] },
  });
  const { me } = await json(["whoami", "--as", "writer", "--board", "secret"]);
  expect(me.board).toBe("secret");
  expect(await refusal(["whoami", "--as", "nobody"])).toBe("agent_not_selected");
  const away = await run(["whoami", "--as", "rex"], { env: { SERVICE_BOARD: "secret" } });
  expect(away.stderr).toContain("no agent rex on board secret (SERVICE_BOARD).");
});

test("the person sets which messages wake their agent, the agent sees it", async () => {
  const set = await json(["delivery", "humans", "--as", "rex"]);
  expect(set).toMatchObject({ board: "docs", agent: "rex", mode: "humans", changed: true });
  expect(await json(["delivery", "--as", "rex"])).toEqual({ ...set, changed: false });
  const env = { CLAUDECODE: "1" };
  expect(await refusal(["delivery", "off", "--as", "rex"], { env })).toBe(
    "human_command_in_session",
  );
});

test("an agent leaves, another is removed, and neither is offered again", async () => {
  expect((await json(["leave", "--yes", "--as", "rex"])).agent).toMatchObject({ status: "left" });
  expect(await refusal(["whoami", "--as", "rex"])).toBe("agent_not_selected");
  const removed = await json(["agent", "remove", "codex", "--yes", "--board", "docs"]);
  expect(removed).toMatchObject({ board: "docs", agent: { name: "codex", status: "removed" } });
  expect(await refusal(["whoami", "--as", "codex"])).toBe("agent_not_selected");
});

test("api calls any operation raw", async () => {
  const posted = await json([
    "api",
    "postMessage",
    "board=docs",
    "body=7",
    "--as",
    "writer",
    "--board",
    "docs",
  ]);
  expect(posted).toMatchObject({ body: "7", from: { name: "writer" } });
  const read = await json(["api", "listMessages", "board=docs", "newest=true", "limit=1"]);
  expect(read.messages).toHaveLength(1);
  const made = await json(["api", "createBoard", "--body", "-"], { stdin: '{"name":"raw"}' });
  expect(made.name).toBe("raw");
  const { operations } = await json(["api"]);
  expect(operations).toContainEqual(expect.objectContaining({ name: "getMe", path: "/v1/me" }));
  expect((await run(["api", "getMee"])).stderr).toContain("api getMe`");
  expect((await run(["api", "getBoard"])).stderr).toContain("board is missing");
});

test("no board is made for an agent that cannot have its name", async () => {
  expect(await refusal(["pair", "--board", "alone", "--name", "ada-l"])).toBe("name_taken");
  const { code, stderr } = await run(["pair", "--board", "alone", "--name", "Solo"]);
  expect(code).toBe(2);
  expect(stderr).toContain("--name must be a name: 1 to 40 lowercase letters");
  expect(await json(["pair", "--board", "alone", "--name", "solo"])).toMatchObject({
    board: { name: "alone" },
  });
  await ok(["leave", "--yes", "--as", "solo"]);
});

test("what the server cannot read is told in words, with an example and the command's help", async () => {
  await ok(["pair", "--board", "rules", "--name", "zoe"]);
  const id = (await json(["api", "getBoard", "board=rules"])).id;
  const board = ["--board", "rules"];
  for (const [words, rule, command] of [
    [["board", "new", "My Board"], "a board's name: 2 to 40 lowercase letters", "board new"],
    [["board", "prefix", "ab", ...board], "a capital letter, then", "board prefix"],
    [["pair", "--board", "X"], "such as `docs-2`", "pair"],
    [["keys", "create", "K!"], "such as `laptop-2`", "keys create"],
    [["join", "123-456", "--name", "Bad"], "such as `ada`", "join"],
    [["board", "title", "a\tb", ...board], "one line without control", "board title"],
    [["board", "people", "--board", id], "a board's name", "board people"],
    [["audit", "verify", "--board", id], "a board's name", "audit verify"],
    [["watch", "--board", id], "a board's name", "watch"],
  ] as const) {
    const { code, stderr } = await run([...words]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(rule)]);
    expect(stderr).toContain(` help ${command}`);
    expect(stderr).not.toMatch(/\^\[|\/docs/);
  }
  for (const words of [
    ["read", "--from", "nobody", "--as", "zoe"],
    ["watch", "--from", "nobody", ...board],
  ]) {
    const { stderr } = await run(words);
    expect(stderr).toStartWith("Error (member_not_found): ");
    expect(stderr).toContain(" api listMembers board=rules`");
  }
  await ok(["leave", "--yes", "--as", "zoe"]);
});
