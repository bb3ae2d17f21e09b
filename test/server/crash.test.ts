import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createClient, type Client } from "../../src/client/client.ts";
import { openDatabase } from "../../src/db/engine/database.ts";
import { brokenAt, genesis, type LogEvent } from "../support/log-chain.ts";
import { docs, eventsOf } from "../support/boards/docs-board.ts";
import { brokenLaws } from "../support/database-laws.ts";
import { builtService, newHome, spawnServer } from "../support/servers/server-as-process.ts";
import { drawFrom } from "../support/hostile/draw.ts";
import { seed, sized } from "../support/tries.ts";

const homes: ReturnType<typeof newHome>[] = [];
const servers: Awaited<ReturnType<typeof spawnServer>>[] = [];
beforeAll(builtService, 60_000);
afterAll(async () => {
  for (const server of servers) if (server.child.exitCode === null) await server.kill();
  for (const each of homes) each.remove();
});

function tracked() {
  const home = newHome();
  homes.push(home);
  const start = async () => {
    const server = await spawnServer(home.home);
    servers.push(server);
    return server;
  };
  return { ...home, start };
}

/** Posts without end under Idempotency-Keys; what got no answer is sent again under its key. */
class Writer {
  /** Acknowledged bodies with their place in the log. */
  readonly acknowledged = new Map<string, { id: string; seq: number }>();
  private readonly client: Client;
  private readonly name: string;
  private sent = 0;
  private pending: string | null = null;

  constructor(client: Client, name: string) {
    this.client = client;
    this.name = name;
  }

  /** Posts until the server is gone; `heard` is called for each answer. */
  async write(heard: () => void): Promise<void> {
    try {
      for (;;) {
        await this.one();
        heard();
      }
    } catch (error) {
      if ((error as { status?: number }).status !== undefined) throw error;
    }
  }

  /** Sends what is pending, else something new, until it is acknowledged. */
  async one(): Promise<void> {
    this.pending ??= `${this.name} ${++this.sent}`;
    const body = this.pending;
    const to = this.sent % 3 ? ["all"] : ["role:member"];
    const options = { idempotencyKey: body, signal: AbortSignal.timeout(10_000) };
    const { id, seq } = await this.client.call(
      "postMessage",
      { ...docs, body: { body, to } },
      options,
    );
    this.acknowledged.set(body, { id, seq });
    this.pending = null;
  }
}

/** Reads on from where a log was read last, and fails if what follows does not belong to it. */
function createVerifier(client: Client) {
  const log: LogEvent[] = [];
  return async () => {
    for (let after: number | null = log.length; after !== null;) {
      const page: Awaited<ReturnType<typeof read>> = await read(after);
      expect(page.head_seq).toBeGreaterThanOrEqual(log.length);
      const [first] = page.events;
      if (first) expect(first.prev_hash).toBe(log.at(-1)?.hash ?? genesis);
      log.push(...page.events);
      after = page.next_after;
    }
    return log;
  };
  function read(after: number) {
    return client.call("listEvents", { ...docs, query: { after, limit: 200 } });
  }
}

/** How often a server is killed while it takes posts, and while it takes files. Each fifth time among posts its successor is too. */
const kills = { posting: sized(30, 600), uploading: sized(14, 280) };
const startsKilledEvery = 5;
const draw = drawFrom(seed);
/** A moment up to so many milliseconds from now. */
const someTime = (most: number) => Bun.sleep(draw.int(most * 1000) / 1000);

test("whatever moment a server is killed at, every acknowledged post is there exactly once and its log is whole", async () => {
  const { database, ownerToken, start } = tracked();
  let server = await start();
  const url = await server.ready();
  const client = (token: string) => createClient({ baseUrl: url, token });
  const owner = client(ownerToken());
  await owner.call("createBoard", { body: { name: "docs", title: "Crash" } });
  const agents: Client[] = [];
  for (const name of ["a", "b", "c"]) {
    const seat = await owner.call("join", { body: { board: "docs", role: "member", name } });
    agents.push(client(seat.token));
  }
  const writers = [owner, ...agents].map((each, n) => new Writer(each, `w${n}`));
  const standing = async () => {
    const { head_seq, message_count, last_message_at, unread, ...board } = await owner.call(
      "getBoard",
      docs,
    );
    return [board, await owner.call("listMembers", docs), await owner.call("listKeys")].map(
      (part) => JSON.stringify(part, (key, value) => (key.includes("use") ? undefined : value)),
    );
  };
  const before = await standing();
  const verify = createVerifier(owner);

  for (let round = 0; round < kills.posting; round++) {
    const heard = Promise.withResolvers<void>();
    const writing = writers.map((writer) => writer.write(heard.resolve));
    await heard.promise;
    await someTime(25);
    await server.kill();
    await Promise.all(writing);
    if (round % startsKilledEvery === 0) {
      // Killed while it starts, recovers or has just begun to serve.
      const starting = await start();
      await someTime(150);
      await starting.kill();
    }
    server = await start();
    expect(await server.ready()).toBe(url);
    await verify();
  }

  for (const writer of writers) await writer.one();
  const log = await verify();
  expect(brokenAt(log)).toBeNull();
  const posted = log.filter(({ type }) => type === "message.posted");
  const found = new Map(
    posted.map(({ data, seq }) => [
      String(data!["body"]),
      { id: String(data!["message_id"]), seq },
    ]),
  );
  expect(found.size).toBe(posted.length);
  const acknowledged = writers.flatMap((writer) => [...writer.acknowledged]);
  expect(acknowledged.length).toBeGreaterThan(kills.posting * 2);
  for (const [body, place] of acknowledged) expect([body, found.get(body)]).toEqual([body, place]);
  expect(found.size).toBe(acknowledged.length);
  expect(await standing()).toEqual(before);
  expect(await eventsOf(owner)).toEqual(log);

  await server.kill();
  const db = openDatabase(database);
  expect(db.read(brokenLaws)).toEqual([]);
  db.close();
  if (process.env["SHOW_FIGURES"])
    console.log({ kills: kills.posting * (1 + 1 / startsKilledEvery), posts: acknowledged.length });
}, 1_800_000);

test("a server that is told to stop ends its streams, answers what is in flight and folds its log into its file", async () => {
  const { database, ownerToken, start } = tracked();
  const server = await start();
  const url = await server.ready();
  const owner = createClient({ baseUrl: url, token: ownerToken() });
  await owner.call("createBoard", { body: { name: "docs" } });
  const { token } = await owner.call("join", { body: { board: "docs", role: "member" } });
  const waiting = createClient({ baseUrl: url, token }).call("getInbox", { query: { wait: 600 } });
  const stream = owner.stream();
  for (let n = 0; n < 4; n++) await stream.next();

  const body = JSON.stringify({ body: "in flight" });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes: Buffer) => (answer += bytes.toString()));
  const answered = new Promise((done) => socket.on("close", done));
  const head = `POST /v1/boards/docs/messages HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  await new Promise<void>((sent) => socket.write(head + body.slice(0, 5), () => sent()));
  await owner.call("getMe");

  server.child.kill("SIGTERM");
  // The agent reads as idle while it waits, and what needs its person is counted: both may be told before the end.
  for await (const { event } of stream) expect(event).toBeOneOf(["presence", "attention"]);
  expect((await waiting).messages).toEqual([]);
  socket.write(body.slice(5));
  await answered;
  expect(answer).toStartWith("HTTP/1.1 201");
  expect(await server.child.exited).toBe(0);
  const wal = Bun.file(`${database}-wal`);
  expect((await wal.exists()) ? wal.size : 0).toBe(0);
  const db = openDatabase(database);
  expect(db.read((tx) => tx.all("SELECT 1 FROM event WHERE data LIKE '%in flight%'"))).toHaveLength(
    1,
  );
  db.close();
}, 30_000);

test("of servers that are first started at once one serves, the others say so, and its keys work after a restart", async () => {
  for (let round = 0; round < 3; round++) {
    const { ownerToken, start } = tracked();
    const starting = await Promise.all([start(), start(), start(), start()]);
    const became = await Promise.allSettled(starting.map((server) => server.ready()));
    const refused = became.flatMap((each) =>
      each.status === "rejected" ? String(each.reason) : [],
    );
    expect(refused).toHaveLength(3);
    for (const reason of refused) expect(reason).toContain("server_already_running");
    await Promise.all(starting.map((server) => server.kill()));
    const again = await start();
    const owner = createClient({ baseUrl: await again.ready(), token: ownerToken() });
    expect(await owner.call("getMe")).toMatchObject({ name: "ana", server_role: "admin" });
    await again.kill();
  }
}, 30_000);

test("whatever moment a server is killed at, every version that it recorded has its bytes, and nothing half-stored is left", async () => {
  const { home, database, ownerToken, start } = tracked();
  let server = await start();
  const url = await server.ready();
  const owner = createClient({ baseUrl: url, token: ownerToken() });
  await owner.call("createBoard", { body: { name: "docs" } });
  const files = join(home, "data/files");
  /** Texts that were acknowledged, by the name that they were written under. */
  const acknowledged = new Map<string, string>();
  let sent = 0;

  /** Writes files until the server is gone; `heard` is called for each that is acknowledged. */
  async function write(heard: () => void): Promise<void> {
    for (;;) {
      const name = `${++sent}.txt`;
      const text = `${name} ${crypto.randomUUID()} `.repeat(1 + (sent % 3) * 20_000);
      try {
        await owner.upload({ ...docs, query: { name } }, new Blob([text]));
      } catch (error) {
        if ((error as { status?: number }).status !== undefined) throw error;
        return;
      }
      acknowledged.set(name, text);
      heard();
    }
  }

  for (let round = 0; round < kills.uploading; round++) {
    const heard = Promise.withResolvers<void>();
    const writing = [1, 2, 3].map(() => write(heard.resolve));
    await heard.promise;
    await someTime(40);
    await server.kill();
    await Promise.all(writing);
    server = await start();
    expect(await server.ready()).toBe(url);
    const left = existsSync(join(files, "incoming")) ? readdirSync(join(files, "incoming")) : [];
    expect(left).toEqual([]);
  }
  expect(acknowledged.size).toBeGreaterThan(10);
  for (const [name, text] of acknowledged) {
    const params = { board: "docs", file: name, version: "1" };
    expect(await new Response((await owner.download({ params })).body).text()).toBe(text);
  }
  await server.kill();
  const digestOf = (path: string) =>
    Bun.CryptoHasher.hash("sha256", readFileSync(join(files, path)), "hex");
  const stored = readdirSync(files, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^..\/[0-9a-f]{64}$/.test(path),
  );
  for (const path of stored) expect(digestOf(path)).toBe(path.slice(3));
  const db = openDatabase(database);
  const cited = db.read((tx) => tx.all<{ sha256: string }>("SELECT sha256 FROM file_version"));
  expect(cited.length).toBeGreaterThanOrEqual(acknowledged.size);
  expect(stored.map((path) => path.slice(3))).toEqual(
    expect.arrayContaining(cited.map(({ sha256 }) => sha256)),
  );
  db.close();
  if (process.env["SHOW_FIGURES"])
    console.log({ kills: kills.uploading, files: acknowledged.size });
}, 1_800_000);
