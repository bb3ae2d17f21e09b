import { expect, test } from "bun:test";
import { startWorld, type World } from "../support/world.ts";
import { ask } from "./raw.ts";

const origin = "http://127.0.0.1:7400";
const cookieName = "service_session_7400";
const signIn = (world: World, body: object, headers: Record<string, string> = {}) =>
  ask(world, "POST /v1/browser-sessions", { body, headers });

test("a cookie that holds anything else than a session is one that has ended", async () => {
  const world = await startWorld();
  for (const value of ["", "x", '"quoted"', "abb_", world.admin.token, "x".repeat(5000)]) {
    const headers = { cookie: `${cookieName}=${value}`, origin };
    expect((await ask(world, "GET /v1/me", { headers })).verdict).toBe("401 unauthorized");
    expect((await ask(world, "GET /v1/nothing", { headers })).verdict).toBe("401 unauthorized");
    expect((await ask(world, "GET /v1/info", { headers })).verdict).toBe("200");
    const { code } = await world.admin.call("createLoginCode");
    const preview = await ask(world, "POST /v1/login-codes/preview", { body: { code }, headers });
    expect(preview.verdict).toBe("200");
    expect((await signIn(world, { code }, headers)).verdict).toBe("201");
  }
  world.check();
});

test("a cookie beside the session's is not taken for it", async () => {
  const world = await startWorld();
  const signed = await signIn(world, { key: world.admin.token }, { origin });
  const cookie = signed.headers["set-cookie"]!.split(";")[0]!;
  const as = async (header: string) =>
    (await ask(world, "GET /v1/me", { headers: { cookie: header } })).verdict;
  expect(await as(`other=1; ${cookie}; more=2`)).toBe("200");
  const secret = cookie.slice(cookie.indexOf("=") + 1);
  for (const name of [
    `x${cookieName}`,
    `${cookieName}1`,
    "service_session_7401",
    "service_session",
  ])
    expect(await as(`${name}=${secret}`)).toBe("401 unauthorized");
  expect(await as(`other=${cookieName}=${secret}`)).toBe("401 unauthorized");
  expect(await as(`${cookieName}=${secret}x`)).toBe("401 unauthorized");
  world.check();
});

test("a change by cookie to what is not there is 404 before its page is looked at", async () => {
  const world = await startWorld();
  const signed = await signIn(world, { key: world.admin.token }, { origin });
  const cookie = signed.headers["set-cookie"]!.split(";")[0]!;
  for (const line of ["POST /v1/nothing", "PATCH /v1/me"])
    expect((await ask(world, line, { headers: { cookie } })).verdict).toBe("404 not_found");
  world.check();
});
