import { describe, expect, test } from "bun:test";
import { startDocs } from "../support/boards/docs-board-with-people.ts";
import { makeDocs } from "../support/boards/docs-board.ts";
import { startWorld } from "../support/servers/server-in-process.ts";
import { lines, overHttp } from "../support/mcp/tool-clients.ts";
import { startListening } from "../support/servers/server-on-port.ts";
import { createClient } from "../../src/client/client.ts";
import { until } from "../support/wait-until.ts";
import { timesMore } from "../support/tries.ts";

const listing = { jsonrpc: "2.0", id: 0, method: "tools/list", params: {} };

interface Sent {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly body?: unknown;
  readonly method?: string;
}

async function startDoor() {
  const docs = await startDocs({ writer: "ana", scout: "bo" });
  const { url, handle } = docs.world;
  /** Sends a request to the door as it is, and gives status and body. */
  async function send({ token, headers, query = "", body = listing, method = "POST" }: Sent) {
    const response = await handle(
      new Request(`${url}/mcp${query}`, {
        method,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const answer: any = text ? JSON.parse(text) : null;
    return { status: response.status, code: answer?.error?.code as unknown, answer, text };
  }
  const connect = ({ token }: { token: string }) => overHttp("new", { url, token, fetch: handle });
  return { ...docs, send, connect };
}

describe("POST /mcp", () => {
  test("takes an agent's token and nothing else", async () => {
    const { send, writer, ana, world } = await startDoor();
    expect((await send({ token: writer.token })).answer.result.tools).toHaveLength(8);
    expect(await send({})).toMatchObject({ status: 401, code: "unauthorized" });
    const person = await send({ token: ana.token });
    expect(person).toMatchObject({ status: 403, code: "agent_token_required" });
    const code = await ana.call("createLoginCode");
    const session = await world.handle(
      new Request(`${world.url}/v1/browser-sessions`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: world.url },
        body: JSON.stringify({ code: code.code }),
      }),
    );
    const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
    const browser = await send({ headers: { cookie, origin: world.url } });
    expect(browser).toMatchObject({ status: 403, code: "agent_token_required" });
    const delegation = await ana.call("createDelegation", { body: { name: "box" } });
    expect((await send({ token: delegation.token })).status).toBe(403);
  });

  test("refuses the token of an agent that was removed, whatever the body is", async () => {
    const { send, writer, ana } = await startDoor();
    await ana.call("removeAgent", { params: { board: "docs", member: "writer" } });
    const ended = { status: 403, code: "agent_removed" };
    expect(await send({ token: writer.token })).toMatchObject(ended);
    expect(await send({ token: writer.token, body: "{" })).toMatchObject(ended);
  });

  test("refuses foreign hosts and pages, and a token in the address", async () => {
    const { send, writer } = await startDoor();
    const { token } = writer;
    expect((await send({ token, headers: { host: "evil.example" } })).status).toBe(421);
    const page = await send({ token, headers: { origin: "https://evil.example" } });
    expect(page).toMatchObject({ status: 403, code: "origin_not_allowed" });
    for (const sent of [
      { query: `?token=${token}` },
      { token, query: `?access_token=${token}` },
      { token, query: `?t=%61${token.slice(1)}` },
    ]) {
      const refused = await send(sent);
      expect(refused).toMatchObject({ status: 400, code: "invalid_request" });
      expect(refused.text).not.toContain(token);
    }
  });

  test("takes one message, of a bounded size and depth, and offers no stream", async () => {
    const { send, writer } = await startDoor();
    const { token } = writer;
    for (const body of [[listing, listing], "{", "[]", "3", "[".repeat(100) + "]".repeat(100)])
      expect(await send({ token, body })).toMatchObject({ status: 400, code: "invalid_request" });
    const large = { ...listing, params: { pad: "x".repeat(1024 * 1024) } };
    expect((await send({ token, body: large })).status).toBe(413);
    for (const method of ["GET", "DELETE"])
      expect((await send({ token, method })).status).toBe(405);
  });

  test("repeats an answer for a key of the client's, and makes each call anew without one", async () => {
    const { connect, writer, scout, ana } = await startDoor();
    const [one, again] = [await connect(writer), await connect(writer)];
    const key = { idempotencyKey: "k-1" };
    const first = await one.use("say", { text: "once" }, key);
    const repeat = await again.use("say", { text: "once" }, key);
    expect(repeat.data.message.id).toBe(first.data.message.id);
    const other = await one.use("say", { text: "another" }, key);
    expect(other.data.error.code).toBe("idempotency_conflict");
    const third = await (await connect(scout)).use("say", { text: "once" }, key);
    expect(third.data.message.id).not.toBe(first.data.message.id);
    for (const text of ["twice", "twice"]) await one.use("say", { text });
    const { messages } = await ana.call("listMessages", { params: { board: "docs" } });
    expect(messages.map(({ body }) => body)).toEqual(["once", "once", "twice", "twice"]);
    const bad = await one.use("say", { text: "x" }, { idempotencyKey: "k".repeat(129) });
    expect(bad.data.error.code).toBe("invalid_request");
  });

  test("holds the rules of the board for tools as for the API", async () => {
    const { connect, scout, ana } = await startDoor();
    const client = await connect(scout);
    await ana.call("archiveBoard", { params: { board: "docs" } });
    const { isError, data } = await client.use("say", { text: "late" });
    expect([isError, data.error.code]).toEqual([true, "board_archived"]);
  });
});

test("posts by tools count against the limit on posts of their credential", async () => {
  // A thirtieth of the limits: twenty posts a minute.
  const world = await startWorld({ mode: "team", url: "https://b.example", rateScale: 1 / 30 });
  await makeDocs(world);
  const { token } = await world.seat(world.admin, "docs", { name: "writer" });
  const client = await overHttp("new", { url: world.url, token, fetch: world.handle });
  const codes: unknown[] = [];
  for (let i = 0; i < 21; i++)
    codes.push((await client.use("say", { text: `post ${i}` })).data.error?.code);
  expect(codes).toEqual([...Array(20).fill(undefined), "rate_limited"]);
});

test.each(lines)("a wait ends on the server with its client: %s", async (line) => {
  const { world, writer } = await startDocs({ writer: "ana" });
  const { url, handle, hub } = world;
  const client = await overHttp(line, { url, token: writer.token, fetch: handle });
  const giveUp = new AbortController();
  const waiting = client
    .use("inbox", { wait: 50 }, undefined, giveUp.signal)
    .catch(() => "given up");
  await until(() => hub.waiting === 1, "the inbox waits");
  giveUp.abort();
  expect(await waiting).toBe("given up");
  // The old clients only stop listening to a call that they give up; their end closes its connection.
  await client.close();
  await until(() => hub.waiting === 0, "nothing waits");
});

test("many clients at once each get their own answers", async () => {
  const { server, key } = await startListening();
  const ana = createClient({ baseUrl: server.url, token: key });
  await ana.call("createBoard", { body: { name: "docs" } });
  const many = timesMore(50) > 50 ? 250 : 50;
  const names = Array.from({ length: many }, (_, i) => `a${i}`);
  const clients = await Promise.all(
    names.map(async (name, i) => {
      const body = { board: "docs", name, role: "member" } as never;
      const { token } = await ana.call("join", { body });
      return overHttp(lines[i % lines.length]!, { url: server.url, token });
    }),
  );
  const said = await Promise.all(
    clients.map((client, i) => client.use("say", { text: `by ${names[i]}`, to: ["@ana"] })),
  );
  expect(said.map(({ data }) => data.message.from.name)).toEqual(names);
  expect(new Set(said.map(({ data }) => data.message.seq)).size).toBe(many);
  const waits = clients.map((client) => client.use("inbox", { wait: 50 }));
  await ana.call("postMessage", { params: { board: "docs" }, body: { body: "all of you" } });
  for (const { text } of await Promise.all(waits)) expect(text).toContain("\nall of you\n");
  await Promise.all(clients.map((client) => client.close()));
}, 60_000);
