import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";
import { makeDocs } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { ask, verdictOf, type Asking } from "../../support/raw-requests.ts";
import { follow } from "../../support/follow-stream.ts";

const origin = "http://127.0.0.1:7400";
const cookieName = "service_session_7400";
interface Current {
  id: string;
  key: { id: string; name: string };
  started_with: string;
  expires_at: string;
  person: { handle: string };
  csrf_token: string;
}

/** Signs in as a page of the server's does, and gives what the browser then holds. */
async function signIn(world: World, body: Record<string, unknown>, headers = {}) {
  const answer = await ask(world, "POST /v1/browser-sessions", {
    body,
    headers: { origin, ...headers },
  });
  const cookie = answer.headers["set-cookie"]?.split(";")[0] ?? "";
  const session = (answer.status === 201 ? JSON.parse(answer.text) : {}) as Current;
  /** A request of the page, with its Origin and its token unless said otherwise. */
  const page = (line: string, { headers: more = {}, ...asking }: Asking = {}) =>
    ask(world, line, {
      ...asking,
      headers: { cookie, origin, "x-service-csrf": session.csrf_token, ...more },
    });
  return { ...answer, cookie, session, page };
}
const codeOf = async (client: Client) => (await client.call("createLoginCode")).code;

test("a one-time code signs a browser in as the person whose key asked for it", async () => {
  const world = await startWorld();
  const code = await codeOf(world.admin);
  const preview = await world.as().call("previewLoginCode", { body: { code } });
  expect(preview).toMatchObject({
    person: { handle: "ana" },
    key: { name: "laptop" },
    expires_at: "2026-01-01T00:01:00.000Z",
  });
  const { headers, session, page, text } = await signIn(world, { code });
  expect(headers["set-cookie"]).toMatch(
    /^service_session_7400=abb_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=Sat, 31 Jan 2026 00:00:00 GMT$/,
  );
  expect(session).toMatchObject({ person: { handle: "ana" }, started_with: "login_code" });
  expect(text).not.toContain("abb_");
  expect(JSON.parse((await page("GET /v1/me")).text)).toMatchObject({
    name: "ana",
    kind: "human",
    browser: true,
  });
  expect(JSON.parse((await page("GET /v1/me/browser-session")).text)).toEqual(session);
});

test("a code works once, for a minute, and not after a restart", async () => {
  const world = await startWorld();
  const code = await codeOf(world.admin);
  await signIn(world, { code });
  const spent = await signIn(world, { code });
  expect(spent.verdict).toBe("404 login_code_invalid");
  const late = await codeOf(world.admin);
  world.pass(60);
  expect((await signIn(world, { code: late })).verdict).toBe("404 login_code_invalid");
  expect(await verdictOf(world.as().call("previewLoginCode", { body: { code: late } }))).toBe(
    "404 login_code_invalid",
  );
  const elsewhere = await startWorld();
  expect((await signIn(elsewhere, { code: await codeOf(world.admin) })).verdict).toBe(
    "404 login_code_invalid",
  );
});

test("of two exchanges of one code at once exactly one succeeds", async () => {
  const world = await startWorld();
  const code = await codeOf(world.admin);
  const exchanges = [
    signIn(world, { code }),
    ask(world, "POST /v1/browser-tokens", { body: { code } }),
    signIn(world, { code }),
  ];
  const verdicts = (await Promise.all(exchanges)).map(({ verdict }) => verdict);
  expect(verdicts.toSorted()).toEqual(["201", "404 login_code_invalid", "404 login_code_invalid"]);
  expect((await world.admin.call("listBrowserSessions")).sessions).toHaveLength(1);
});

test("a code whose key was revoked signs nobody in, and is used up by the attempt", async () => {
  const world = await startWorld();
  const { id, token } = await world.admin.call("createKey", { body: { name: "phone" } });
  const code = await codeOf(world.as(token));
  await world.admin.call("revokeKey", { params: { key: id } });
  expect((await signIn(world, { code })).verdict).toBe("404 login_code_invalid");
});

test("a pasted key signs in, and a wrong, revoked or expired one does not", async () => {
  const world = await startWorld();
  const short = await world.admin.call("createKey", {
    body: { name: "short", ttl_seconds: 3600 },
  });
  const { session } = await signIn(world, { key: short.token });
  expect(session).toMatchObject({
    started_with: "access_key",
    key: { id: short.id, name: "short" },
    expires_at: "2026-01-01T01:00:00.000Z",
  });
  world.pass(3600);
  for (const key of [short.token, `abh_${"x".repeat(43)}`, "nonsense"])
    expect((await signIn(world, { key })).verdict).toBe("401 access_key_invalid");
});

test("a key that ends by idleness does not shorten the session", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  const { session } = await signIn(world, { key: bo.token });
  expect(session.expires_at).toBe("2026-01-31T00:00:00.000Z");
});

test("a browser token goes on as the same session in the cookie, and stays valid as a bearer", async () => {
  const world = await startWorld();
  const { token, expires_at } = await world
    .as()
    .call("createBrowserToken", { body: { code: await codeOf(world.admin) } });
  const { cookie, session } = await signIn(world, { token });
  expect(cookie).toBe(`${cookieName}=${token}`);
  expect(session.expires_at).toBe(expires_at);
  expect((await world.admin.call("listBrowserSessions")).sessions).toMatchObject([
    { id: session.id },
  ]);
  expect((await world.as(token).call("getMe")).browser).toBe(true);
  await world.admin.call("endBrowserTokens");
  expect((await signIn(world, { token })).verdict).toBe("401 unauthorized");
});

test("exactly one proof is taken", async () => {
  const world = await startWorld();
  for (const body of [{}, { code: "a", key: "b" }, { confirm_switch: true }, { code: "" }])
    expect((await signIn(world, body)).verdict).toBe("400 invalid_request");
});

test("a change by cookie needs the server's own Origin and the session's token; a bearer needs neither", async () => {
  const world = await startWorld();
  const { page } = await signIn(world, { key: world.admin.token });
  const other = await signIn(world, { key: world.admin.token });
  const make = (headers: Record<string, string>) =>
    page("POST /v1/boards", { body: {}, headers }).then(({ verdict }) => verdict);
  for (const foreign of ["https://evil.example", "null", "http://127.0.0.1:7401", ""])
    expect(await make({ origin: foreign })).toBe("403 origin_not_allowed");
  for (const token of ["", "wrong", other.session.csrf_token])
    expect(await make({ "x-service-csrf": token })).toBe("403 csrf_token_invalid");
  expect((await page("POST /v1/boards", { body: "{", headers: { origin: "x" } })).verdict).toBe(
    "403 origin_not_allowed",
  );
  expect(await make({})).toBe("201");
  expect(
    (await page("GET /v1/boards", { headers: { origin: "https://evil.example" } })).status,
  ).toBe(200);
  const { token } = await world
    .as()
    .call("createBrowserToken", { body: { code: await codeOf(world.admin) } });
  expect((await world.as(token).call("createBoard", { body: { name: "by-bearer" } })).name).toBe(
    "by-bearer",
  );
});

test("the page may be reached by either name of the local host, each with its own origin", async () => {
  const world = await startWorld();
  const { page } = await signIn(world, { key: world.admin.token });
  const localhost = { host: "localhost:7400", origin: "http://localhost:7400" };
  expect((await page("POST /v1/boards", { body: {}, headers: localhost })).verdict).toBe("201");
  expect(
    (await page("POST /v1/boards", { body: {}, headers: { ...localhost, origin } })).verdict,
  ).toBe("403 origin_not_allowed");
});

test("signing in is refused to pages of other sites, and open to programs, which send no Origin", async () => {
  const world = await startWorld();
  const code = await codeOf(world.admin);
  for (const line of ["POST /v1/browser-sessions", "POST /v1/login-codes/preview"]) {
    const foreign = { body: { code }, headers: { origin: "https://evil.example" } };
    expect((await ask(world, line, foreign)).verdict).toBe("403 origin_not_allowed");
  }
  expect((await ask(world, "POST /v1/browser-sessions", { body: { code } })).verdict).toBe("201");
});

test("where there is an Authorization header the cookie is not read", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  const { cookie } = await signIn(world, { key: world.admin.token });
  const both = await ask(world, "GET /v1/me", { token: bo.token, headers: { cookie } });
  expect(JSON.parse(both.text)).toMatchObject({ name: "bo", browser: false });
  const nonsense = { headers: { cookie, authorization: "Basic x" } };
  expect((await ask(world, "GET /v1/me", nonsense)).verdict).toBe("401 unauthorized");
  const inCookie = { headers: { cookie: `${cookieName}=${world.admin.token}` } };
  expect((await ask(world, "GET /v1/me", inCookie)).verdict).toBe("401 unauthorized");
});

test("a browser that is signed in becomes somebody else only when it says so, and the code is not used up", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  const { cookie } = await signIn(world, { key: world.admin.token });
  const code = await codeOf(bo);
  const refused = await signIn(world, { code }, { cookie });
  expect(refused.verdict).toBe("409 browser_session_switch_unconfirmed");
  expect(refused.headers["set-cookie"]).toBeUndefined();
  expect((await signIn(world, { key: bo.token }, { cookie })).verdict).toBe(refused.verdict);
  const switched = await signIn(world, { code, confirm_switch: true }, { cookie });
  expect(switched.session.person.handle).toBe("bo");
  const again = await signIn(world, { key: bo.token }, { cookie: switched.cookie });
  expect(again.verdict).toBe("201");
});

test("a session that has ended does not keep its browser from signing in again", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  const { cookie, page } = await signIn(world, { key: world.admin.token });
  const out = await page("DELETE /v1/me/browser-session");
  expect(out.headers["set-cookie"]).toBe(
    `${cookieName}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`,
  );
  expect((await page("GET /v1/me")).verdict).toBe("401 unauthorized");
  expect((await page("GET /v1/info")).verdict).toBe("200");
  expect((await signIn(world, { key: bo.token }, { cookie })).verdict).toBe("201");
});

test("sessions are listed newest first, and end one by one, all at once, or with their key", async () => {
  const world = await startWorld();
  const phone = await world.admin.call("createKey", { body: { name: "phone" } });
  const [first, second, third] = [
    await signIn(world, { key: world.admin.token }),
    await signIn(world, { key: phone.token }),
    await signIn(world, { key: world.admin.token }),
  ];
  const ids = async (key?: string) =>
    (await world.admin.call("listBrowserSessions", key ? { query: { key } } : {})).sessions.map(
      ({ id }) => id,
    );
  expect(await ids()).toEqual([third.session.id, second.session.id, first.session.id]);
  expect(await ids(phone.id)).toEqual([second.session.id]);
  const end = (session: string) => world.admin.call("endBrowserSession", { params: { session } });
  expect((await end(first.session.id)).id).toBe(first.session.id);
  expect(await verdictOf(end(first.session.id))).toBe("404 browser_session_not_found");
  expect((await first.page("GET /v1/me")).verdict).toBe("401 unauthorized");
  await world.admin.call("revokeKey", { params: { key: phone.id } });
  expect((await second.page("GET /v1/me")).verdict).toBe("401 unauthorized");
  expect(await ids()).toEqual([third.session.id]);
  expect(await world.admin.call("endBrowserTokens")).toEqual({ ended: 1 });
  expect(await world.admin.call("endBrowserTokens")).toEqual({ ended: 0 });
  expect((await third.page("GET /v1/me")).verdict).toBe("401 unauthorized");
});

test("nobody ends or lists the sessions of others, admins included", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  const { session } = await signIn(world, { key: bo.token });
  const end = world.admin.call("endBrowserSession", { params: { session: session.id } });
  expect(await verdictOf(end)).toBe("404 browser_session_not_found");
  const list = world.admin.call("listBrowserSessions", { query: { key: bo.keyId } });
  expect(await verdictOf(list)).toBe("404 key_not_found");
});

test("a browser never makes, lists or revokes keys, asks for codes, or ends other sessions", async () => {
  const world = await startWorld();
  const { page, session } = await signIn(world, { key: world.admin.token });
  for (const [line, body] of [
    ["GET /v1/keys"],
    ["POST /v1/keys", { name: "more" }],
    [`DELETE /v1/keys/${session.key.id}`],
    ["POST /v1/login-codes"],
    ["GET /v1/browser-sessions"],
    [`DELETE /v1/browser-sessions/${session.id}`],
    ["DELETE /v1/browser-tokens"],
    ["POST /v1/invites"],
    ["PATCH /v1/settings", { board_creation: "admins" }],
  ] as const)
    expect([line, (await page(line, body ? { body } : {})).verdict]).toEqual([
      line,
      "403 human_token_required",
    ]);
});

test("a stream of a browser ends when its session is ended, when its key is revoked, and when it is over", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const bearer = async () =>
    (await world.as().call("createBrowserToken", { body: { code: await codeOf(world.admin) } }))
      .token;
  const [one, two] = [await bearer(), await bearer()];
  const [first, second] = [await follow(world.as(one)), await follow(world.as(two))];
  const [, oldest] = (await world.admin.call("listBrowserSessions")).sessions;
  await world.admin.call("endBrowserSession", { params: { session: oldest!.id } });
  await until(() => first.state.ended, "the first stream ends");
  expect(second.state.ended).toBe(false);
  const refused = await refusalOf(world.as(one).call("getMe"));
  expect(refused.status).toBe(401);
  await world.admin.call("endBrowserTokens");
  await until(() => second.state.ended, "the second stream ends");
  const over = await bearer();
  await world.db.write((tx) => {
    const soon = world.at(0.05);
    tx.run("UPDATE browser_session SET expires_at = ? WHERE ended_at IS NULL", soon);
  });
  const third = await follow(world.as(over));
  world.pass(1);
  await until(() => third.state.ended, "the third stream ends");
});

test("on a team server the cookie is Secure and host-only, and the origin is the public URL alone", async () => {
  const world = await startWorld({ mode: "team", url: "https://board.example" });
  const body = { key: world.admin.token };
  const own = "https://board.example";
  const answer = await ask(world, "POST /v1/browser-sessions", { body, headers: { origin: own } });
  const [cookie, ...rest] = answer.headers["set-cookie"]!.split("; ");
  expect(cookie).toMatch(/^__Host-service_session=abb_/);
  expect(rest).toContain("Secure");
  const csrf = (JSON.parse(answer.text) as Current).csrf_token;
  const make = (origin: string, more = {}) =>
    ask(world, "POST /v1/boards", {
      body: {},
      headers: { cookie: cookie!, origin, "x-service-csrf": csrf, ...more },
    });
  expect((await make(own)).verdict).toBe("201");
  for (const foreign of [
    "http://board.example",
    "https://board.example:8443",
    "https://evil.example",
  ])
    expect((await make(foreign, { "x-forwarded-host": "evil.example" })).verdict).toBe(
      "403 origin_not_allowed",
    );
});

test("twenty failures a minute stop further attempts of an address; successes are no failures", async () => {
  const world = await startWorld({ rateScale: 1 });
  for (let i = 0; i < 21; i++)
    expect((await signIn(world, { key: world.admin.token })).verdict).toBe("201");
  for (let i = 0; i < 20; i++)
    expect((await signIn(world, { code: "wrong" })).verdict).toBe("404 login_code_invalid");
  const stopped = await signIn(world, { key: world.admin.token });
  expect([stopped.verdict, stopped.headers["retry-after"]]).toEqual(["429 rate_limited", "60"]);
  expect((await ask(world, "POST /v1/browser-tokens", { body: { code: "x" } })).verdict).toBe(
    "429 rate_limited",
  );
  world.pass(60);
  expect((await signIn(world, { key: world.admin.token })).verdict).toBe("201");
});

test("no answer carries a header that lets another origin read it", async () => {
  const world = await startWorld();
  const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
  for (const line of ["GET /v1/info", "OPTIONS /v1/boards", "POST /v1/browser-sessions", "GET /"]) {
    const answer = await ask(world, line, { headers });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual(
      [],
    );
  }
});
