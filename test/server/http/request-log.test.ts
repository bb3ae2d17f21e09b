import { describe, expect, test } from "bun:test";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { overHttp } from "../../support/mcp/tool-clients.ts";
import { ask } from "../../support/raw-requests.ts";

const url = "https://board.example.org";
const start = () => startWorld({ mode: "team", url });
type World = Awaited<ReturnType<typeof start>>;

/** The lines since the last look, without those of requests. */
const events = (world: World) => world.logged.splice(0).filter(({ event }) => event !== "request");
const requests = (world: World) =>
  world.logged.splice(0).filter(({ event }) => event === "request");

describe("each request is a line, and its answer has the line's id", () => {
  test("with the operation, the caller and the outcome, and nothing of what was sent", async () => {
    const world = await start();
    const { admin } = world;
    const board = await admin.call("createBoard", { body: { name: "docs" } });
    const agent = await world.seat(admin, "docs");
    world.logged.splice(0);
    const words = "purple monkeys";
    const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
    const { headers } = await ask(world, `POST /v1/boards/docs/messages?x=${board.id}`, {
      token: agent.token,
      body: { body: words },
      headers: { traceparent },
    });
    const { headers: sent } = await ask(world, "POST /v1/boards/docs/messages", {
      token: agent.token,
      body: { body: words },
      headers: { traceparent },
    });
    const [refused, posted] = requests(world);
    expect(refused).toMatchObject({ operation: "postMessage", status: 400 });
    expect(posted).toEqual({
      level: "info",
      event: "request",
      request: sent["x-request-id"]!,
      operation: "postMessage",
      address: "",
      by: expect.stringMatching(/^hum_/),
      by_handle: "ana",
      by_agent: agent.id,
      credential: "agent",
      method: "POST",
      status: 201,
      ms: expect.any(Number),
      trace: "ab".repeat(16),
    });
    expect(headers["x-request-id"]).toBe(refused!["request"] as string);
    expect(JSON.stringify([refused, posted])).not.toContain("monkeys");
  });

  test("also what a tool does for an agent, and the request that asked for it", async () => {
    const world = await start();
    await world.admin.call("createBoard", { body: { name: "docs" } });
    const { id, token } = await world.seat(world.admin, "docs");
    const client = await overHttp("new", { url, token, fetch: world.handle });
    world.logged.splice(0);
    await client.use("say", { text: "purple monkeys" });
    await client.use("say", { text: "x", reply: 99 });
    const lines = requests(world);
    expect(lines.map(({ operation }) => operation)).toEqual([
      "getMe",
      "postMessage",
      "getInbox",
      null,
      "getMe",
      "listMessages",
      null,
    ]);
    for (const line of lines)
      expect(line).toMatchObject({ by_agent: id, status: expect.any(Number) });
    expect(JSON.stringify(lines)).not.toContain("monkeys");
    await client.close();
  });

  test("also one that no operation answers, without its path", async () => {
    const world = await start();
    for (const [line, status, headers] of [
      ["GET /v1/plums", 404],
      ["PUT /v1/boards", 404],
      ["GET /v1/info", 421, { host: "evil.example" }],
      ["GET /docs", 200],
      ["GET /join", 200],
    ] as const) {
      const answer = await ask(world, line, headers && { headers });
      expect(answer.status).toBe(status);
      const [logged, ...more] = world.logged.splice(0);
      expect(more).toEqual([]);
      expect(logged).toMatchObject({ event: "request", operation: null, status });
      expect(answer.headers["x-request-id"]).toBe(logged!["request"] as string);
      expect(JSON.stringify(logged)).not.toMatch(/plums|boards|docs|join|evil/);
    }
  });

  test("and a server of one machine is quiet", async () => {
    const world = await startWorld();
    const { headers } = await ask(world, "GET /v1/info");
    await refusalOf(world.as("abh_nobody").call("getMe"));
    expect(headers["x-request-id"]).toBeUndefined();
    expect(world.logged).toEqual([]);
  });

  test("but for a slow one, which is a warning and has a line on every server", async () => {
    for (const world of [await startWorld(), await start()]) {
      const { token } = world.admin;
      world.logged.splice(0);
      const body = new ReadableStream({
        async pull(controller) {
          await Bun.sleep(1_100);
          controller.enqueue(new TextEncoder().encode('{"name":"docs"}'));
          controller.close();
        },
      });
      const headers = { "content-type": "application/json" };
      const sent = await ask(world, "POST /v1/boards", { token, body, headers });
      const [line, ...more] = requests(world);
      expect([sent.status, more]).toEqual([201, []]);
      expect(line).toMatchObject({ level: "warn", operation: "createBoard", slow: true });
      expect(line!["ms"]).toBeGreaterThan(1_000);
      expect(line!["request"]).toBe(sent.headers["x-request-id"]);
    }
  });
});

describe("a line says who got in, and what they may do", () => {
  test("keys: made, revoked, and brought by an invitation or an approved machine", async () => {
    const world = await start();
    const bea = await world.person("bea");
    const joined = { event: "person.joined", person: bea.id, key: bea.keyId };
    expect(events(world)).toMatchObject([{ event: "invitation.made", by_handle: "ana" }, joined]);
    const key = await bea.call("createKey", { body: { name: "second" } });
    await bea.call("revokeKey", { params: { key: key.id } });
    expect(events(world)).toMatchObject([
      { event: "key.made", key: key.id, by: bea.id, by_handle: "bea", credential: "key" },
      { event: "key.revoked", key: key.id, by: bea.id },
    ]);
    const asked = await world
      .as()
      .call("startMachineRequest", { body: { handle: "bea", label: "vm" } });
    const collect = () =>
      world.as().call("collectMachineRequest", { body: { secret: asked.secret } });
    await collect();
    expect(events(world)).toEqual([]);
    await bea.call("approveMachineRequest", { body: { code: asked.code } });
    const collected = await collect();
    expect(events(world)).toMatchObject([
      { event: "machine.approved", by: bea.id },
      { event: "key.made", person: bea.id, key: (collected as any).key.id },
    ]);
    await bea.call("createDelegation", { body: { name: "laptop" } });
    expect(events(world)).toMatchObject([{ event: "delegation.made", key: bea.keyId }]);
  });

  test("browsers: signed in by a key, by a code and as a token, and signed out", async () => {
    const world = await start();
    const { admin } = world;
    const { person } = await admin.call("listKeys");
    const code = async () => (await admin.call("createLoginCode")).code;
    const first = await world.as().call("startBrowserSession", { body: { key: admin.token } });
    await world.as().call("startBrowserSession", { body: { code: await code() } });
    await world.as().call("createBrowserToken", { body: { code: await code() } });
    const who = { event: "signed-in", person: person.id };
    expect(events(world)).toMatchObject([
      { ...who, session: first.id, with: "access_key" },
      { ...who, with: "login_code" },
      { ...who, with: "login_code", session: expect.stringMatching(/^ses_/) },
    ]);
    await admin.call("endBrowserSession", { params: { session: first.id } });
    await admin.call("endBrowserTokens");
    await admin.call("endBrowserTokens");
    expect(events(world)).toMatchObject([
      { event: "signed-out", session: first.id, by: person.id },
      { event: "signed-out", sessions: 2 },
    ]);
  });

  test("roles and removals, once each, and never of what changed nothing", async () => {
    const world = await start();
    const { admin } = world;
    const bea = await world.person("bea");
    await admin.call("createBoard", { body: { name: "docs" } });
    const { member_id } = await admin.call("addPerson", {
      params: { board: "docs" },
      body: { handle: "bea" },
    });
    const agent = await world.seat(bea, "docs");
    world.logged.splice(0);
    const params = { handle: "bea" };
    const promote = () => admin.call("setServerRole", { params, body: { server_role: "admin" } });
    await promote();
    await promote();
    await admin.call("addOwner", { params: { board: "docs" }, body: { handle: "bea" } });
    await admin.call("removeAgent", { params: { board: "docs", member: agent.id } });
    await admin.call("removePerson", { params: { board: "docs", handle: "bea" } });
    await admin.call("removeFromServer", { params, query: { dry_run: true } });
    const idempotencyKey = "once";
    await admin.call("removeFromServer", { params }, { idempotencyKey });
    await admin.call("removeFromServer", { params }, { idempotencyKey });
    expect(events(world)).toMatchObject([
      { event: "role.changed", person: bea.id, role: "admin", by_handle: "ana" },
      { event: "owner.made", person: bea.id, member: member_id },
      { event: "agent.removed", agent: agent.id, person: bea.id },
      { event: "person.removed-from-board", person: bea.id, member: member_id },
      { event: "person.removed", person: bea.id, keys_revoked: 1, by_handle: "ana" },
    ]);
  });
});

describe("a line says what was taken back, and what ended", () => {
  test("invitations and join codes, made and revoked", async () => {
    const world = await start();
    const { admin } = world;
    await admin.call("createBoard", { body: { name: "docs" } });
    world.logged.splice(0);
    const { id: invite } = await admin.call("createServerInvite");
    const revoke = () => admin.call("revokeServerInvite", { params: { invite } });
    await revoke();
    await revoke();
    const params = { board: "docs" };
    const { id: code } = await admin.call("createJoinCode", { params, body: { role: "member" } });
    await admin.call("revokeJoinCode", { params: { ...params, join_code: code } });
    expect(events(world)).toMatchObject([
      { event: "invitation.made", invitation: invite },
      { event: "invitation.revoked", invitation: invite, by_handle: "ana" },
      { event: "join-code.made", join_code: code, kind: "pairing" },
      { event: "join-code.revoked", join_code: code, revoked_at: expect.any(String) },
    ]);
  });

  test("people and agents who leave, and a board that is deleted", async () => {
    const world = await start();
    const { admin } = world;
    const bea = await world.person("bea");
    const { id: board } = await admin.call("createBoard", { body: { name: "docs" } });
    const params = { board: "docs" };
    const { member_id } = await admin.call("addPerson", { params, body: { handle: "bea" } });
    const agent = await world.seat(bea, "docs");
    world.logged.splice(0);
    await agent.call("leaveAsAgent");
    await bea.call("leaveBoard", { params });
    await admin.call("archiveBoard", { params });
    await admin.call("deleteBoard", { params });
    expect(events(world)).toMatchObject([
      { event: "agent.left", agent: agent.id, by_agent: agent.id },
      { event: "person.left-board", person: bea.id, member: member_id, by: bea.id },
      { event: "board.deleted", board, by_handle: "ana" },
    ]);
  });
});

test("each refusal of a credential is a line, whatever it came in, and without it", async () => {
  const world = await start();
  const wrong = "abh_this-is-no-key-of-anybody-at-all";
  const cases: [line: string, asking: Parameters<typeof ask>[2], reason: string][] = [
    ["GET /v1/me", { token: wrong }, "unauthorized"],
    ["GET /v1/plums", { token: wrong }, "unauthorized"],
    ["GET /v1/openapi.json", { token: wrong }, "unauthorized"],
    ["POST /v1/browser-sessions", { body: { key: `abh_${"x".repeat(43)}` } }, "access_key_invalid"],
    [
      "POST /v1/browser-sessions",
      { body: { code: `abc_${"x".repeat(43)}` } },
      "login_code_invalid",
    ],
    [
      "POST /v1/connect",
      { body: { invite: `abi_${"x".repeat(43)}`, handle: "eve", key_name: "box" } },
      "invite_invalid",
    ],
    ["POST /v1/join", { token: world.admin.token, body: { code: "AAA-AAA" } }, "join_code_invalid"],
    [
      "GET /v1/me/browser-session",
      { headers: { cookie: "__Host-service_session=abb_x" } },
      "unauthorized",
    ],
  ];
  const lines = [];
  for (const [line, asking, reason] of cases) {
    await ask(world, line, asking);
    const [refused, ...more] = events(world);
    expect([line, refused?.["reason"], more]).toEqual([line, reason, []]);
    expect(refused).toMatchObject({ level: "info", event: "credential.refused" });
    lines.push(refused);
  }
  expect(JSON.stringify(lines)).not.toMatch(/xxxx|this-is|AAA|abb_/);
  // Nothing was presented here, so nothing is refused.
  await ask(world, "GET /v1/me");
  expect(events(world)).toEqual([]);
});
