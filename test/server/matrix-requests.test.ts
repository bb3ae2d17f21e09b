import { expect, test } from "bun:test";
import { operationNamed, operationNames } from "../../src/contract/index.ts";
import { who } from "../support/access-matrix/operations-by-class.ts";
import { ask } from "../support/raw-requests.ts";
import { wholeOf } from "./operations.ts";
import { lineOf, setScene, type Scene } from "../support/boards/boards-with-one-of-everything.ts";

const agentsOnly = who.agents;
const tokenFor = (name: string, { ana, writer, browser, machine }: Scene, pairing: string) => {
  if (who.pairings.includes(name)) return pairing;
  if (who.anyone.includes(name)) return undefined;
  if (who.browsers.includes(name)) return browser;
  if (name === "createDelegatedBoard") return machine;
  return agentsOnly.includes(name) ? writer : ana.token;
};
const presented = (token: string | undefined) => (token === undefined ? {} : { token });

/** Whether a path is one of an operation: `/v1/boards/import` is also that of a board with this name. */
const fitsPath = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/:\w+/g, "[^/]+")}$`).test(path.split("?")[0]!);

test("a method that a path does not have is 404 not_found", async () => {
  const scene = await setScene();
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
  for (const name of operationNames) {
    const path = lineOf(name, scene.docs).split(" ")[1]!;
    const known = operationNames
      .filter((each) => fitsPath(operationNamed(each).path, path))
      .map((each) => operationNamed(each).method as string);
    for (const method of methods.filter((each) => !known.includes(each))) {
      const line = `${method} ${path}`;
      const { status, code } = await ask(scene.world, line, { token: scene.ana.token });
      // The answer to a HEAD has no body.
      const verdict = method === "HEAD" ? { status } : { status, code };
      expect({ line, ...verdict }).toEqual({
        line,
        status: 404,
        ...(method !== "HEAD" && { code: "not_found" }),
      });
    }
  }
});

test("a property that an operation does not have is 400 and named, in every operation that takes a body", async () => {
  const scene = await setScene();
  const pairing = await scene.pair();
  const writing = operationNames.filter((name) => {
    const { method, shape } = operationNamed(name);
    return method !== "GET" && shape !== "upload";
  });
  for (const name of writing) {
    const body = { ...wholeOf(name, scene.docs).body, surprise: 1 };
    const token = presented(tokenFor(name, scene, pairing));
    const { verdict, text } = await scene.sample(name, scene.docs, { ...token, body });
    expect(`${name} ${verdict}`).toBe(`${name} 400 invalid_request`);
    expect(text).toContain("surprise");
  }
});

test("a query parameter that an operation does not have is 400 and named, in every operation", async () => {
  const scene = await setScene();
  const pairing = await scene.pair();
  for (const name of operationNames)
    for (const unknown of ["surprise", "constructor", "__proto__"]) {
      const token = presented(tokenFor(name, scene, pairing));
      const answer = await scene.sample(name, scene.docs, { ...token, more: `${unknown}=1` });
      expect(`${name} ${answer.verdict}`).toBe(`${name} 400 invalid_request`);
      expect(answer.text).toContain(unknown);
    }
});

test("a query parameter given twice is 400, each of every operation", async () => {
  const scene = await setScene();
  const pairing = await scene.pair();
  const valid: Record<string, string> = {
    handle: "bo",
    all: "true",
    removed: "true",
    newest: "true",
    to_me: "true",
    after: "1",
    before: "9",
    limit: "5",
    wait: "0",
    from: "ana",
    role: "member",
    task: "1",
    lifecycle: "all",
    dry_run: "true",
    state: "all",
    owner: "ana",
    mine: "true",
    q: "hello",
    cursor: "9-0",
    name: "new.txt",
    base: "0",
    file_id: `fil_${"0".repeat(26)}`,
    brief: "false",
    replace_format: "false",
    maintained: "true",
    media_type: "text/plain",
  };
  // Those whose schema asks for no more than their type.
  const plainly = { string: "x", integer: "1", boolean: "true" };
  for (const name of operationNames)
    for (const [parameter, schema] of Object.entries(
      operationNamed(name).query?.properties ?? {},
    )) {
      // A list is given one by one.
      if (schema["type"] === "array") continue;
      const value = valid[parameter] ?? plainly[schema["type"] as keyof typeof plainly];
      const twice = `${parameter}=${value}&${parameter}=${value}`;
      const line = lineOf(name, scene.docs).replace(/\?.*/, "");
      const { verdict } = await ask(
        scene.world,
        `${line}?${twice}`,
        presented(tokenFor(name, scene, pairing)),
      );
      expect(`${name} ${parameter} ${verdict}`).toBe(`${name} ${parameter} 400 invalid_request`);
    }
});

test("a foreign Host is 421 before anything else, a dead credential included", async () => {
  const scene = await setScene();
  const { world, docs } = scene;
  const dead = { authorization: `Bearer abh_${"x".repeat(43)}` };
  const lines = [
    ...operationNames.map((name) => lineOf(name, docs)),
    "GET /v1/nothing",
    "GET /docs",
    "GET /",
    "GET /v1/openapi.json",
    "DELETE /v1/info",
  ];
  for (const host of [
    "example.org",
    "127.0.0.1",
    "127.0.0.1:7401",
    "localhost.evil:7400",
    "[::1]:7400",
  ])
    for (const line of lines)
      for (const headers of [{ host }, { host, ...dead }]) {
        const body = line.startsWith("GET") ? undefined : "{";
        const { verdict } = await ask(world, line, { headers, body });
        expect(`${line} ${verdict}`).toBe(`${line} 421 host_not_allowed`);
      }
});

test("both names of the loopback address are answered, forwarding headers are not read", async () => {
  const { world } = await setScene();
  for (const host of ["127.0.0.1:7400", "localhost:7400", "LocalHost:7400"]) {
    const headers = { host, "x-forwarded-host": "example.org", forwarded: "host=example.org" };
    expect((await ask(world, "GET /v1/info", { headers })).verdict).toBe("200");
  }
  const headers = { host: "example.org", "x-forwarded-host": "127.0.0.1:7400" };
  expect((await ask(world, "GET /v1/info", { headers })).verdict).toBe("421 host_not_allowed");
});

test("a bad credential is refused before a missing thing, and a missing thing before a bad field", async () => {
  const { world, cy, ana, docs } = await setScene();
  const dead = `abh_${"x".repeat(43)}`;
  const tried = async (line: string, asking: Parameters<typeof ask>[2] = {}) =>
    (await ask(world, line, asking)).verdict;
  expect(await tried("GET /v1/nothing", { token: dead })).toBe("401 unauthorized");
  expect(await tried("PATCH /v1/me", { token: dead, body: "{" })).toBe("401 unauthorized");
  expect(await tried("GET /v1/openapi.json", { token: dead })).toBe("401 unauthorized");
  expect(await tried("GET /v1/nothing")).toBe("404 not_found");
  expect(await tried("POST /v1/boards", { body: "{" })).toBe("401 unauthorized");
  expect(await tried("PATCH /v1/boards/secret", { token: cy.token, body: {} })).toBe(
    "400 invalid_request",
  );
  expect(await tried("PATCH /v1/boards/docs", { token: cy.token, body: {} })).toBe(
    "400 invalid_request",
  );
  expect(await tried(`GET ${lineOf("getBoard", docs).split(" ")[1]!}/`, { token: ana.token })).toBe(
    "404 not_found",
  );
});

test("a team server answers for its public address alone", async () => {
  const { startWorld } = await import("../support/servers/server-in-process.ts");
  const world = await startWorld({ mode: "team", url: "https://boards.example.org" });
  const answered = async (host: string) =>
    (await ask(world, "GET /v1/info", { headers: { host } })).verdict;
  expect(await answered("boards.example.org")).toBe("200");
  for (const host of ["boards.example.org:444", "example.org", "127.0.0.1:7400", "localhost"])
    expect(await answered(host)).toBe("421 host_not_allowed");
});
