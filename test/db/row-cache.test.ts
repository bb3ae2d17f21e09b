import { expect, test } from "bun:test";
import fc from "fast-check";
import { seatWithDigest } from "../../src/db/credentials.ts";
import type { ReadTx } from "../../src/db/engine/database.ts";
import type { Client } from "../../src/client/client.ts";
import type { RowCache } from "../../src/db/engine/row-cache.ts";
import { refusalOf, startWorld, type World } from "../support/servers/server-in-process.ts";
import { makeSecrets, speaker } from "../support/secrets/make-every-secret.ts";
import { startWalk, step } from "../support/random-walk/random-walk.ts";
import { tries } from "../support/tries.ts";

const docs = { params: { board: "docs" } };

test("a revoked key is refused at the very next request, though it was read a moment before", async () => {
  const world = await startWorld();
  await world.admin.call("createBoard", { body: { name: "docs" } });
  const { id, token } = await world.admin.call("createKey", { body: { name: "second" } });
  const seat = await world.seat(world.as(token), "docs");
  for (const each of [world.as(token), seat]) await each.call("getMe");
  await world.admin.call("revokeKey", { params: { key: id } });
  for (const each of [world.as(token), seat])
    expect(await refusalOf(each.call("getMe"))).toMatchObject({ code: "unauthorized" });
});

test("a key ends at its moment, though nothing was written since it was read", async () => {
  const world = await startWorld();
  const { token } = await world.admin.call("createKey", {
    body: { name: "short", ttl_seconds: 3600 },
  });
  const short = world.as(token);
  await short.call("getMe");
  world.pass(3599);
  await short.call("getMe");
  world.pass(1);
  expect(await refusalOf(short.call("getMe"))).toMatchObject({ code: "unauthorized" });
});

test("a change is seen by what follows it in its own commit", async () => {
  const world = await startWorld();
  await world.admin.call("createBoard", { body: { name: "docs" } });
  const seat = await world.seat(world.admin, "docs");
  const digest = world.secrets.digest(seat.token);
  const status = () => world.db.write((tx) => seatWithDigest(tx, digest)?.seat?.status);
  const end = () =>
    world.db.write((tx) => tx.run("UPDATE member SET status = 'left' WHERE kind = 'agent'"));
  const { commits } = world.db.counters;
  const [before, , after, later] = await Promise.all([status(), end(), status(), status()]);
  expect(world.db.counters.commits).toBe(commits + 1);
  expect([before, after, later]).toEqual(["active", "left", "left"]);
});

test("a change that is undone leaves what was true", async () => {
  const world = await startWorld();
  await world.admin.call("createBoard", { body: { name: "docs" } });
  const seat = await world.seat(world.admin, "docs");
  await seat.call("getMe");
  const undone = world.db.write((tx) => {
    tx.run("UPDATE member SET status = 'removed' WHERE kind = 'agent'");
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect((await seat.call("getMe")).name).toBe("member");
});

test("titles, policies and roles of a board are those of now", async () => {
  const world = await startWorld();
  await world.admin.call("createBoard", { body: { name: "docs" } });
  const seat = await world.seat(world.admin, "docs");
  const say = () => seat.send("postMessage", { ...docs, body: { body: "to all" } });
  for (const [broadcast, status] of [
    ["everyone", 201],
    ["granted", 201],
  ] as const) {
    await world.admin.call("updateBoard", { ...docs, body: { policy: { broadcast } } });
    expect((await say()).status).toBe(status);
  }
  await world.db.write(
    (tx) => void tx.run("UPDATE board_role SET can = '[\"post\"]' WHERE name = 'member'"),
  );
  expect((await say()).status).toBe(403);
  await world.admin.call("updateBoard", { ...docs, body: { title: "Second" } });
  expect((await seat.call("getBoard", docs)).title).toBe("Second");
});

test("an agent that wrote much itself has an empty inbox, and then what another writes", async () => {
  const world = await startWorld();
  await world.admin.call("createBoard", { body: { name: "docs" } });
  const seat = await world.seat(world.admin, "docs");
  for (let n = 0; n < 20; n++) await seat.call("postMessage", { ...docs, body: { body: `${n}` } });
  expect((await seat.call("getInbox")).messages).toEqual([]);
  const { seq } = await world.admin.call("postMessage", { ...docs, body: { body: "hello" } });
  expect((await seat.call("getInbox")).messages.map((message) => message.seq)).toEqual([seq]);
  expect((await seat.call("getInbox", { query: { after: seq } })).messages).toEqual([]);
});

/** Reads again at every use what was kept, and tells where it is another thing by now. */
function readAgain({ db }: World) {
  const found = { uses: 0, works: 0, presences: 0, reads: 0, heads: 0, stale: [] as string[] };
  const { read, write } = db;
  const again = (cache: RowCache, uses: "uses" | "works" | "presences" | "reads"): RowCache => ({
    get version() {
      return cache.version;
    },
    get<V>(kind: string, key: string | number, readNow: () => V): V {
      const kept = cache.get(kind, key, readNow);
      found[uses]++;
      if (!Bun.deepEquals(kept, readNow())) found.stale.push(`${kind} ${key}`);
      return kept;
    },
  });
  const checked = <T extends ReadTx>(tx: T): T => ({
    ...tx,
    rowCache: again(tx.rowCache, "uses"),
    caches: {
      ...tx.caches,
      work: again(tx.caches.work, "works"),
      presence: again(tx.caches.presence, "presences"),
      sinceChange: again(tx.caches.sinceChange, "reads"),
    },
    heads: {
      ...tx.heads,
      get(boardRow, readNow) {
        const kept = tx.heads.get(boardRow, readNow);
        found.heads++;
        if (!Bun.deepEquals(kept, readNow())) found.stale.push(`head ${boardRow}`);
        return kept;
      },
    },
  });
  db.read = (work) => read((tx) => work(checked(tx)));
  db.write = (work) => write((tx) => work(checked(tx)));
  return found;
}

test("the cache of credentials equals the tables while all of them are made, used and ended", async () => {
  const world = await startWorld();
  const found = readAgain(world);
  const { get, say } = speaker(world);
  const { token } = world.admin;
  const { planted, bo } = await makeSecrets(world, { get, say, heard: [] }, token);
  const machine = planted.find(({ what }) => what === "a delegation")!.text;
  const again = { token: machine, body: { board: "docs", session: "codex:1" } };
  const tokens = planted.map(({ text }) => text).concat((await get("POST /v1/join", again)).token);
  const everyone = async () => {
    for (const each of tokens) await say("GET /v1/me", { token: each });
  };
  await everyone();
  // The first use of a key is written after its answer, and lets everything go.
  await world.db.write(() => null);
  await everyone();
  for (const [line, body, by = token] of [
    ["POST /v1/join", { board: "docs", session: "codex:1" }, machine],
    ["POST /v1/delegations", { name: "laptop" }, bo],
    ["DELETE /v1/browser-tokens", undefined, bo],
    ["POST /v1/people/bo/rename", { handle: "rob" }],
    ["PATCH /v1/people/cy", { server_role: "admin" }],
    ["DELETE /v1/boards/docs/people/gus"],
    ["POST /v1/boards/docs/archive"],
    ["DELETE /v1/people/rob"],
  ] as const) {
    await get(line, { token: by, ...(body && { body }) });
    await everyone();
  }
  world.pass(91 * 86_400);
  await everyone();
  expect(found.uses).toBeGreaterThan(300);
  expect(found.stale).toEqual([]);
});

/** Changes that are undone again. */
const undone = [
  "UPDATE board SET title = 'undone'",
  "UPDATE member SET status = 'left'",
  "UPDATE agent_line SET text = 'undone'",
  "UPDATE person SET handle = 'undone-' || row",
  "DELETE FROM board_role",
];

/** What a walk leaves out, and how often it came about: keys that are used and end, an agent's line, changes that are undone. */
async function besideWalk(
  world: World,
  came: { [what in "revoked" | "expired" | "lines" | "undone"]: number },
) {
  let keys: { id: string; client: Client; expires: string | null; revoked: boolean }[] = [];
  const seat = await world.seat(world.admin, "docs");
  const acts = [
    async function makeKey(how: number) {
      const body = { name: `key-${how}`, ...(how % 2 && { ttl_seconds: 3600 }) };
      const { status, data } = await world.admin.send("createKey", { body });
      if (status !== 201 || !("token" in data)) return;
      const client = world.as(data.token as string);
      keys.push({ id: data.id, client, expires: data.expires_at, revoked: false });
    },
    async function revokeKey(how: number) {
      const key = keys[how % (keys.length || 1)];
      if (!key) return;
      const { status } = await world.admin.send("revokeKey", { params: { key: key.id } });
      if (status >= 300) return;
      key.revoked = true;
      came.revoked++;
    },
    async function letTimePass() {
      world.pass(900);
    },
    async function writeLine(how: number) {
      const body = { kind: "working", text: `L${how}`, until: world.at(100) } as const;
      const { status } = await (how % 4
        ? seat.send("setLine", { body })
        : seat.send("clearLine", {}));
      if (status < 300) came.lines++;
    },
    async function fail() {
      const change = world.db.write((tx) => {
        for (const statement of undone) tx.run(statement);
        seatWithDigest(tx, world.secrets.digest(seat.token));
        throw new Error("undone");
      });
      await expect(change).rejects.toThrow("undone");
      came.undone++;
    },
  ];
  return async (what: number, how: number) => {
    await acts[what % acts.length]!(how);
    await seat.send("getInbox", {});
    const isOver = ({ expires }: (typeof keys)[0]) => expires !== null && expires <= world.at(0);
    for (const key of keys) {
      const { status } = await key.client.send("getMe", {});
      if (key.revoked || isOver(key)) expect(status).toBe(401);
      if (!key.revoked && isOver(key)) came.expired++;
    }
    keys = keys.filter((key) => !isOver(key));
  };
}

test("the cache holds what the tables hold after any sequence of actions", async () => {
  /** How often each of the other caches was asked. A walk may have few agents, or none that reads all. */
  const inboxes = { works: 0, presences: 0, reads: 0 };
  const came = { revoked: 0, expired: 0, lines: 0, undone: 0 };
  const check = fc.asyncProperty(
    fc.array(step, { minLength: 60, maxLength: 80, size: "max" }),
    async (steps) => {
      const walk = await startWalk();
      const found = readAgain(walk.world);
      const goOn = await besideWalk(walk.world, came);
      for (const each of steps) {
        await walk.make(each);
        await goOn(each.what, each.how);
        await walk.readInboxes();
      }
      expect(found.uses).toBeGreaterThan(100);
      expect(found.heads).toBeGreaterThan(10);
      inboxes.works += found.works;
      inboxes.presences += found.presences;
      inboxes.reads += found.reads;
      expect(found.stale).toEqual([]);
      walk.world.stop();
    },
  );
  await fc.assert(check, tries(5));
  expect(Math.min(...Object.values(inboxes))).toBeGreaterThan(5);
  expect(Math.min(...Object.values(came)), JSON.stringify(came)).toBeGreaterThan(0);
}, 300_000);
