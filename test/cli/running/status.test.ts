import { describe, expect, test } from "bun:test";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal } = machine;
const rex = ["--as", "rex"];
const server = await clockedServer();

await ok(["login", server.url], { stdin: server.world.admin.token });
await ok(["pair", "--board", "demo", "--name", "rex", "--server", server.url]);

describe("status tells an agent", () => {
  const reminders = (nudges: "on" | "off") =>
    server.world.admin.call("updateBoard", {
      params: { board: "demo" },
      body: { policy: { nudges } },
    });
  const status = async () => (await ok(["status", ...rex])).stdout;

  test("of tasks that nobody took, each time, while it is on none and the policy reminds", async () => {
    expect(await json(["status", ...rex])).toMatchObject({ current_task: null, nudges: [] });
    await ok(["task", "new", "Write it", "--server", server.url]);
    for (const said of [await status(), await status()])
      expect(said).toMatch(
        /\n1 task is not picked up\. The oldest: .*task start DEM-1 --as rex\n$/,
      );
    const { nudges } = await json(["status", ...rex]);
    expect(nudges).toMatchObject([{ code: "tasks_not_picked_up" }]);
    // What status showed does not count for the inbox.
    expect((await json(["inbox", "--peek", ...rex])).nudges).toHaveLength(1);
    expect((await json(["status", "--server", server.url])).nudges).toEqual([]);
    const subagent = { env: { CLAUDECODE: "1", SERVICE_SUBAGENT: "1" } };
    expect((await json(["status", ...rex], subagent)).nudges).toEqual([]);

    await reminders("off");
    expect(await status()).not.toContain("not picked up");
    await reminders("on");
  });

  test("which task it is on, where its line does not say so", async () => {
    await ok(["task", "start", "1", ...rex]);
    expect(await json(["status", ...rex])).toMatchObject({
      current_task: { ref: "DEM-1", title: "Write it" },
      nudges: [],
    });
    expect((await status()).match(/DEM-1/g)).toHaveLength(1);
    await ok(["working", "--clear", ...rex]);
    expect(await status()).toContain(" on DEM-1: Write it\n");
  });
});

test("status lists the seats of an agent that has several, where nothing says which is meant", async () => {
  const env = { SERVICE_AGENT: "kim" };
  for (const board of ["second", "first"])
    await ok(["pair", "--board", board, "--name", "kim", "--server", server.url]);
  const found = await json(["status"], { env });
  const none = { agent: null, board: null, delivery: null, policy: null, people: null, line: null };
  expect(found).toMatchObject({ ...none, agent_source: "env", board_source: "none" });
  const seat = { server: server.url, name: "kim", role: "member", delivery: "focused" };
  const rest = { member_id: expect.stringMatching(/^mem_/), unread: 0, presence: "no_session" };
  expect(found.seats).toEqual(["first", "second"].map((board) => ({ ...seat, board, ...rest })));
  expect(found.agents).toEqual(["kim", "rex"]);
  const { stdout } = await ok(["status"], { env });
  expect(stdout).toMatch(
    /\n {2}Seats +kim on first \(member, focused, 0 unread, disconnected\)\n +kim on second \(/,
  );
  for (const label of ["Board", "Agent ", "Policy", "People"]) expect(stdout).not.toContain(label);

  expect(await json(["status", "--board", "first"], { env })).toMatchObject({ agent: "kim" });
  expect(await json(["status"], { env: { ...env, SERVICE_BOARD: "first" } })).not.toHaveProperty(
    "seats",
  );
  expect(await refusal(["status", "--as", "kim"])).toBe("agent_ambiguous");
  // What a server does not tell any more is unknown.
  const { member_id } = found.seats[0];
  await server.world.admin.call("removeAgent", { params: { board: "first", member: member_id } });
  expect((await json(["status"], { env })).seats[0]).toMatchObject({
    board: "first",
    role: null,
    delivery: null,
    unread: null,
    presence: null,
  });
});

test("status tells seats on boards of one name apart by their servers", async () => {
  const other = await clockedServer();
  const two = newMachine();
  for (const { url, world } of [server, other]) {
    await two.ok(["login", url], { stdin: world.admin.token });
    await two.ok(["pair", "--board", "twin", "--name", "lou", "--server", url]);
  }
  const env = { SERVICE_AGENT: "lou", SERVICE_BOARD: "twin" };
  expect(await two.json(["status"], { env })).toMatchObject({ board: null, board_source: "none" });
  const { stdout } = await two.ok(["status"], { env });
  expect(stdout).toMatch(/ lou on twin \(/);
  expect(stdout).toMatch(/ lou on twin at http:\S+ \(/);
});

test("status shows a session without an agent nothing that takes the person's key", async () => {
  const sent: (string | null)[] = [];
  server.between = (request, answer) => {
    sent.push(request.headers.get("authorization"));
    return answer();
  };
  const session = { env: { CLAUDECODE: "1" } };
  const found = await json(["status", "--server", server.url], session);
  expect(found).toMatchObject({ server_running: true, board: null, agent: null, nudges: [] });
  expect(sent).toEqual([null]);
  await ok(["status", "--server", server.url]);
  expect(sent.at(-1)).toStartWith("Bearer abh_");
  server.between = (_, answer) => answer();
});

test("status names the build of the server that answers, and of none that does not", async () => {
  const build = { version: "0.0.7", commit: "abcdef0", commit_time: "2026-01-02T03:04:05.678Z" };
  server.between = async (request, answer) => {
    const answered = await answer();
    if (new URL(request.url).pathname !== "/v1/info") return answered;
    return Response.json({ ...((await answered.json()) as object), ...build });
  };
  const words = ["status", "--server", server.url];
  expect((await json(words)).server_build).toEqual(build);
  expect((await ok(words)).stdout).toContain("(running, version 0.0.7 (abcdef0))");
  server.between = async () => new Response("", { status: 502 });
  expect(await json(words)).not.toHaveProperty("server_build");
  server.between = (_, answer) => answer();
});

test("status says what a server answers to a key and a token that work no more", async () => {
  const { admin } = server.world;
  const { id, token } = await admin.call("createKey", { body: { name: "spare" } });
  const other = newMachine();
  await other.ok(["login", server.url], { stdin: token });
  await other.ok(["pair", "--board", "plans", "--name", "bo", "--server", server.url]);
  expect(await other.json(["status", "--as", "bo"])).not.toHaveProperty("access_error");
  await admin.call("revokeKey", { params: { key: id } });

  expect(await other.json(["status"])).toMatchObject({
    server_running: true,
    board: null,
    policy: null,
    access_error: { code: "unauthorized", hint: expect.stringContaining("service login") },
  });
  expect((await other.ok(["status"])).stdout).toMatch(
    /\n {2}Access +This needs a working credential\.\n +The key .* was revoked or has ended/,
  );
  expect(await other.json(["status", "--as", "bo"])).toMatchObject({
    agent: "bo",
    presence: null,
    access_error: { code: "unauthorized", hint: expect.stringContaining("service invite") },
  });

  await admin.call("removeAgent", { params: { board: "demo", member: "rex" } });
  expect(await json(["status", ...rex])).toMatchObject({
    agent: "rex",
    policy: null,
    current_task: null,
    access_error: { code: "agent_removed", hint: expect.stringContaining("service") },
  });
});
