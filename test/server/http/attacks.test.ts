import { expect, test } from "bun:test";
import { connect } from "node:net";
import { operationNamed, operationNames } from "../../../src/contract/index.ts";
import { startListening } from "../../support/servers/server-on-port.ts";
import { startWorld, type World } from "../../support/servers/server-in-process.ts";
import { makeDocs } from "../../support/boards/docs-board.ts";
import { ask, stored } from "../../support/raw-requests.ts";
import { setScene } from "../../support/boards/boards-with-one-of-everything.ts";

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
});

test("a change by cookie to something that does not exist is 404 before its Origin is checked", async () => {
  const world = await startWorld();
  const signed = await signIn(world, { key: world.admin.token }, { origin });
  const cookie = signed.headers["set-cookie"]!.split(";")[0]!;
  for (const line of ["POST /v1/nothing", "PATCH /v1/me"])
    expect((await ask(world, line, { headers: { cookie } })).verdict).toBe("404 not_found");
});

test("a page of another site cannot make a browser adopt its session", async () => {
  const world = await startWorld();
  const { code } = await world.admin.call("createLoginCode");
  const { token } = await world.as().call("createBrowserToken", { body: { code } });
  for (const foreign of [
    "https://evil.example",
    "null",
    "http://127.0.0.1:7401",
    "http://localhost:7400",
    "https://127.0.0.1:7400",
    `${origin}/`,
    `${origin}.evil.example`,
    "http://user@127.0.0.1:7400",
    "HTTP://127.0.0.1:7400",
    "",
  ]) {
    const answer = await signIn(world, { token, confirm_switch: true }, { origin: foreign });
    expect([foreign, answer.verdict]).toEqual([foreign, "403 origin_not_allowed"]);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  }
  // What a form can send without being asked first is no JSON.
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
    expect((await signIn(world, { token }, { "content-type": type })).verdict).toBe(
      "400 invalid_request",
    );
});

test("a host that only resembles the server's is foreign", async () => {
  const local = await startWorld();
  const team = await startWorld({ mode: "team", url: "https://board.example" });
  const answered = async (world: World, host: string) =>
    (await ask(world, "GET /v1/info", { headers: { host } })).verdict;
  for (const host of [
    "127.0.0.1",
    "localhost",
    "127.0.0.1:",
    "127.0.0.1:80",
    "127.0.0.1:07400",
    ":7400",
    "localhost.:7400",
    "127.0.0.1.:7400",
    "127.0.0.1:7400.",
    "127.1:7400",
    "2130706433:7400",
    "0x7f.0.0.1:7400",
    "0.0.0.0:7400",
    "[::1]:7400",
    "[::ffff:127.0.0.1]:7400",
    "user@127.0.0.1:7400",
    "127.0.0.1:7400@evil.example",
    "evil.example#127.0.0.1:7400",
    "127.0.0.1:7400/",
    "127.0.0.1:7400, evil.example",
    "evil.example, 127.0.0.1:7400",
    "localhost:7400:7400",
    "http://127.0.0.1:7400",
    "xlocalhost:7400",
    "a.localhost:7400",
  ])
    expect([host, await answered(local, host)]).toEqual([host, "421 host_not_allowed"]);
  for (const host of [
    "board.example.",
    "board.example:443",
    "board.example:80",
    "board.example:",
    "example",
    "a.board.example",
    "board.example.evil.example",
    "user@board.example",
    "board-example",
    "https://board.example",
    "board.example,board.example",
    "127.0.0.1",
  ])
    expect([host, await answered(team, host)]).toEqual([host, "421 host_not_allowed"]);
  for (const host of ["board.example", "Board.Example"])
    expect(await answered(team, host)).toBe("200");
  const portTeam = await startWorld({ mode: "team", url: "https://board.example:8443" });
  expect(await answered(portTeam, "board.example:8443")).toBe("200");
  expect(await answered(portTeam, "board.example")).toBe("421 host_not_allowed");
});

test("who has no account learns of no handle", async () => {
  const world = await startWorld();
  await makeDocs(world);
  await world.person("bo");
  const { code: guest } = await world.admin.call("createJoinCode", {
    params: { board: "docs" },
    body: { role: "member", guest: "gus" },
  });
  await world.as().call("guestJoin", { body: { code: guest, key_name: "box" } });
  await world.admin.call("renamePerson", { params: { handle: "bo" }, body: { handle: "bob" } });
  const told = async (handle: string) => {
    const request = await ask(world, "POST /v1/machine-requests", {
      body: { handle, label: "box" },
    });
    const { secret, code, ...rest } = JSON.parse(request.text) as Record<string, string>;
    const waiting = await ask(world, "POST /v1/machine-requests/collect", { body: { secret } });
    const invited = await ask(world, "POST /v1/connect", {
      body: { invite: `abi_${"x".repeat(43)}`, handle, key_name: "box" },
    });
    return [request.status, typeof code, rest, waiting.status, waiting.text, invited.text];
  };
  // A member's, a guest's, one that a rename reserved, and nobody's.
  const nobody = await told("nobody");
  for (const handle of ["ana", "bob", "gus", "bo"]) expect(await told(handle)).toEqual(nobody);
});

test("no GET changes anything but when a key was used", async () => {
  const { world, ana, sample, docs, writer, browser } = await setScene();
  const tokens = { key: ana.token, agent: writer, browser, delegation: "" };
  for (const token of Object.values(tokens)) await ask(world, "GET /v1/me", { token });
  // A search that finds the index behind the log brings it up, as the server does by itself.
  while (await world.indexing.fill());
  const before = await stored(world);
  const reads = operationNames.filter((name) => operationNamed(name).method === "GET");
  expect(reads.length).toBeGreaterThan(15);
  for (const name of reads) {
    const { callers } = operationNamed(name);
    const kind = (["key", "agent", "browser"] as const).find((each) =>
      callers.accepts.includes(each),
    );
    const { status } = await sample(name, docs, kind ? { token: tokens[kind] } : {});
    // Ana came by no invitation, so her key has no receipt.
    expect([name, status]).toEqual([name, name === "getOnboardingReceipt" ? 404 : 200]);
    expect(await stored(world)).toEqual(before);
  }
});

/** A server that listens, and a way to send it bytes. */
async function startSpeaking() {
  const { port, ...listening } = await startListening();
  /** Status lines of what the server answers to some bytes until it hangs up, or is asked a last thing. */
  const statuses = (text: string) =>
    new Promise<string[]>((resolve) => {
      let heard = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      const patience = setTimeout(() => socket.destroy(), 300);
      socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
      socket.on("error", () => {});
      socket.on("close", () => {
        clearTimeout(patience);
        resolve([...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = ""]) => status));
      });
    });
  return { ...listening, statuses };
}

test("no request is hidden in another one", async () => {
  const { server, host, key, logged, statuses } = await startSpeaking();
  const head = `Host: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const hidden = `POST /v1/boards HTTP/1.1\r\n${head}Content-Length: 17\r\n\r\n{"name":"hidden"}`;
  const length = `Content-Length: ${hidden.length + 5}\r\n`;
  const chunked = "Transfer-Encoding: chunked\r\n";
  const start = `POST /v1/boards/nowhere/ack HTTP/1.1\r\n${head}`;
  for (const [headers, body] of [
    [length + chunked, `0\r\n\r\n${hidden}`],
    [chunked + length, `0\r\n\r\n${hidden}`],
    [`${length}Transfer-Encoding: xchunked\r\n`, `0\r\n\r\n${hidden}`],
    [`${length}Transfer-Encoding : chunked\r\n`, `0\r\n\r\n${hidden}`],
    [`${length}Transfer-Encoding:\tchunked\r\n`, `0\r\n\r\n${hidden}`],
    [`${length} Transfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`],
    [`Content-Length: 0\r\n${length}`, `0\r\n\r\n${hidden}`],
    [`Content-Length: 0, ${hidden.length + 5}\r\n`, `0\r\n\r\n${hidden}`],
    ["Content-Length: +0\r\n", hidden],
    ["Content-Length: -1\r\n", hidden],
    ["Content-Length: 0x0\r\n", hidden],
    ["Transfer-Encoding: identity\r\n", hidden],
    ["Transfer-Encoding: chunked, identity\r\n", `0\r\n\r\n${hidden}`],
    ["Transfer-Encoding: identity, chunked\r\n", `0\r\n\r\n${hidden}`],
    [chunked, `0;x=\n${hidden}`],
    [chunked, `-1\r\n${hidden}`],
    [chunked, `ffffffffffffffff1\r\n${hidden}`],
    [`X: y\nContent-Length: 0\r\n`, hidden],
    [`X: y\0\r\n`, hidden],
  ] as const) {
    const found = await statuses(`${start}${headers}\r\n${body}`);
    const boards = server.db.read((tx) => tx.all("SELECT name FROM board"));
    expect([headers, found.slice(1), boards]).toEqual([headers, [], []]);
  }
  // One that is not hidden is answered by itself.
  expect(await statuses(`${start}Content-Length: 0\r\n\r\n${hidden}`)).toEqual(["400", "201"]);
  expect(logged).toEqual([]);
}, 30_000);

test("the Host header decides: two, none or a foreign one are not answered for, whatever the target says", async () => {
  const { host, key, logged, statuses } = await startSpeaking();
  const bearer = `Authorization: Bearer ${key}\r\nConnection: close\r\n`;
  expect(await statuses(`GET /v1/me HTTP/1.1\r\nHost: ${host}\r\n${bearer}\r\n`)).toEqual(["200"]);
  for (const lines of [
    "",
    `Host: evil.example\r\n`,
    `Host: ${host}\r\nHost: evil.example\r\n`,
    `Host: evil.example\r\nHost: ${host}\r\n`,
    `X-Forwarded-Host: ${host}\r\n`,
    `Host:\r\n`,
  ]) {
    const [status = "hung up"] = await statuses(`GET /v1/me HTTP/1.1\r\n${lines}${bearer}\r\n`);
    expect([lines, status]).toBeOneOf([
      [lines, "421"],
      [lines, "400"],
      [lines, "hung up"],
    ]);
  }
  const target = `GET http://${host}/v1/me HTTP/1.1\r\nHost: evil.example\r\n${bearer}\r\n`;
  expect(await statuses(target)).toEqual(["421"]);
  // What stands where an address belongs need not be one.
  const noAddress = `CONNECT no_address:443 HTTP/1.1\r\nHost: ${host}\r\n${bearer}\r\n`;
  expect(await statuses(noAddress)).toEqual(["404"]);
  expect(logged).toEqual([]);
}, 30_000);
