import { expect, jest, test } from "bun:test";
import { createInboxStreams, longestIdle } from "../../../src/server/live/inbox-streams.ts";
import { followInbox, restOf } from "../../support/follow-inbox.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, guestOn, post } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";
import { until } from "../../support/wait-until.ts";

/** `docs` with ana and bo, ana's agents a and b, and bo's agent c. */
const team = () => startDocs({ a: "ana", b: "ana", c: "bo" });
type Team = Awaited<ReturnType<typeof team>>;

const end = (code: string) => [{ event: "end" as const, data: { code } }];

/** bo's agent s, whose token hangs on a key of its own. */
async function onSecondKey({ world, bo }: Team) {
  const { id, token } = await bo.call("createKey", { body: { name: "second" } });
  return { key: id, s: await world.seat(world.as(token), "docs", { name: "s" }) };
}

const removing: readonly [string, string, (team: Team) => Promise<unknown>][] = [
  ["its person removes it", "agent_removed", ({ bo }) => remove(bo)],
  ["an owner of the board removes it", "agent_removed", ({ ana }) => remove(ana)],
  ["it leaves", "agent_removed", ({ c }) => c.call("leaveAsAgent")],
  [
    "its person is taken off the board",
    "agent_removed",
    ({ ana }) => ana.call("removePerson", { params: { board: "docs", handle: "bo" } }),
  ],
  [
    "its person is removed from the server",
    "agent_removed",
    ({ ana }) => ana.call("removeFromServer", { params: { handle: "bo" } }),
  ],
  [
    "the board is deleted",
    "board_not_found",
    async ({ ana }) => {
      await ana.call("archiveBoard", docs);
      await ana.call("deleteBoard", docs);
    },
  ],
  [
    "the key behind its token is revoked",
    "unauthorized",
    ({ bo }) => bo.call("revokeKey", { params: { key: bo.keyId } }),
  ],
];
const remove = (client: Team["ana"] | Team["bo"]) =>
  client.call("removeAgent", { params: { board: "docs", member: "c" } });

test.each(removing)(
  "a stream ends within a second, with one `end`, when %s: %s",
  async (_, code, act) => {
    const scene = await team();
    const { world, c, ana } = scene;
    const streams = [await followInbox(c), await followInbox(c)];
    // A reader who takes nothing learns it too.
    const still = c.follow("streamInbox");
    await still.next();
    await until(() => world.inboxStreams.count === 3, "all are open");
    const began = performance.now();
    await act(scene);
    for (const each of streams)
      expect((await restOf(each)).filter(({ event }) => event !== "board")).toEqual(end(code));
    expect(performance.now() - began).toBeLessThan(1000);
    expect(await still.next()).toMatchObject({ value: { event: "end", data: { code } } });
    expect(await still.next()).toMatchObject({ done: true });
    expect(await verdictOf(c.follow("streamInbox").next())).toEndWith(code);
    expect(world.inboxStreams.count).toBe(0);
    if (code !== "board_not_found") expect(await post(ana, "on")).toMatchObject({ board: "docs" });
  },
);

test("a stream ends at the moment when the key behind its token expires", async () => {
  const scene = await team();
  const { world } = scene;
  const { key, s } = await onSecondKey(scene);
  const expiry = world.at(0.05);
  await world.db.write((tx) =>
    tx.run("UPDATE access_key SET expires_at = ? WHERE id = ?", expiry, key),
  );
  const stream = await followInbox(s);
  world.pass(1);
  expect(await restOf(stream)).toEqual(end("unauthorized"));
  expect(world.inboxStreams.count).toBe(0);
});

test("a stream goes on when the use of its key has moved the end of that key", async () => {
  const scene = await team();
  const { world, ana } = scene;
  const { key, s } = await onSecondKey(scene);
  const set = (expiry: string) =>
    world.db.write((tx) =>
      tx.run("UPDATE access_key SET expires_at = ? WHERE id = ?", expiry, key),
    );
  await set(world.at(0.02));
  const stream = await followInbox(s);
  await set(world.at(3600));
  world.pass(1);
  await Bun.sleep(30);
  await post(ana, "still there");
  expect(await stream.bodies()).toEqual(["still there"]);
});

test("a stream ends when its seat gets another token, and the new one goes on from its last id", async () => {
  const { world, ana, bo } = await team();
  const { token } = await bo.call("createDelegation", { body: { name: "laptop" } });
  const body = { board: "docs", role: "member", name: "taken", session: "codex:1" };
  const join = () => world.as(token).call("join", { body });
  const before = await followInbox(world.as((await join()).token));
  const { seq } = await post(ana, "one");
  expect(await before.bodies()).toEqual(["one"]);
  const after = world.as((await join()).token);
  expect(await restOf(before)).toEqual(end("unauthorized"));
  await post(ana, "two");
  const stream = await followInbox(after, { lastEventId: String(seq) });
  expect(await stream.bodies()).toEqual(["two"]);
});

test("a guest's agent follows its inbox until the guest is taken off the board", async () => {
  const { world, ana } = await team();
  const { agent } = await guestOn(world, "gus");
  const stream = await followInbox(agent);
  await post(ana, "welcome");
  expect(await stream.bodies()).toEqual(["welcome"]);
  await ana.call("removePerson", { params: { board: "docs", handle: "gus" } });
  expect(await restOf(stream)).toEqual(end("agent_removed"));
});

test("one client that leaves takes nothing from another stream of the same seat", async () => {
  const { world, ana, a } = await team();
  const [leaving, staying] = [await followInbox(a), await followInbox(a)];
  leaving.leave();
  await until(() => world.inboxStreams.count === 1, "one stream is left");
  await post(ana, "hello");
  expect(await staying.bodies()).toEqual(["hello"]);
  staying.leave();
  await until(() => world.inboxStreams.count === 0, "no stream is left");
});

test("a server that stops ends its streams without a code", async () => {
  const { world, a, b } = await team();
  const streams = [await followInbox(a), await followInbox(b)];
  world.inboxStreams.endAll();
  for (const each of streams) {
    expect(await restOf(each)).toEqual([]);
    expect(each.state.error).toBeNull();
  }
  expect(world.inboxStreams.count).toBe(0);
});

test("a server that stops just after a commit reads nothing for streams that have ended", async () => {
  const { world, ana, a } = await team();
  const stream = await followInbox(a);
  const posting = post(ana, "last words");
  // A listener of commits runs before the streams are told.
  world.db.onCommit(() => world.stop());
  await posting;
  expect(await restOf(stream)).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(world.faults).toEqual([]);
});

test("an error between a commit and its event breaks the stream off, and nothing is missing after its last id", async () => {
  const { world, ana, a, b } = await team();
  const stream = await followInbox(a);
  const { seq } = await post(ana, { body: "one", to: ["@a"] });
  expect(await stream.bodies()).toEqual(["one"]);
  const { read } = world.db;
  // The post reads once before it commits. The second read is that of the stream.
  let reads = 0;
  world.db.read = (work) => {
    if (++reads === 2) throw new Error("disk I/O error");
    return read(work);
  };
  await post(ana, { body: "two", to: ["@a"] });
  expect(await restOf(stream)).toEqual([]);
  world.db.read = read;
  expect(world.faults.splice(0)).toEqual([{ message: "disk I/O error" }]);
  await post(ana, "three");
  const again = await followInbox(a, { lastEventId: String(seq) });
  expect(await again.bodies()).toEqual(["two", "three"]);
  const other = await followInbox(b);
  expect(await other.bodies()).toEqual(["three"]);
});

/** The streams of a world under fake timers, and one whose reader takes something when it is told to. */
async function timed<T>(
  act: (stream: { sent: string[]; ended: () => boolean; take: () => void }) => T,
) {
  const { world, a } = await team();
  jest.useFakeTimers();
  try {
    const streams = createInboxStreams(
      world.db,
      () => world.clock.now,
      () => {},
    );
    const sent: string[] = [];
    let ended = false;
    const sink = {
      send: (bytes: Uint8Array) => sent.push(new TextDecoder().decode(bytes)) > 0,
      end: () => void (ended = true),
    };
    const presented = { kind: "agent", digest: world.secrets.digest(a.token) } as const;
    const stream = streams.open(presented, undefined, sink);
    act({ sent, ended: () => ended, take: () => stream.wanted!() });
    streams.endAll();
  } finally {
    jest.useRealTimers();
  }
}

test("a comment keeps an idle stream open every 25 seconds, while its reader takes it", async () => {
  await timed(({ sent, take }) => {
    take();
    expect(sent.splice(0)).toHaveLength(1);
    take();
    jest.advanceTimersByTime(24_999);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(1);
    // The one before was not taken.
    jest.advanceTimersByTime(25_000);
    expect(sent.splice(0)).toEqual([": keepalive\n\n"]);
    take();
    jest.advanceTimersByTime(25_000);
    expect(sent).toEqual([": keepalive\n\n"]);
  });
});

test("a stream ends when its reader has taken nothing for 60 seconds", async () => {
  expect(longestIdle).toBe(60);
  await timed(({ ended, take }) => {
    jest.advanceTimersByTime(55_000);
    take();
    jest.advanceTimersByTime(59_000);
    expect(ended()).toBe(false);
    jest.advanceTimersByTime(6_000);
    expect(ended()).toBe(true);
  });
});

test("a stream that waits for messages does not end, however long nothing comes", async () => {
  await timed(({ ended, take }) => {
    for (let n = 0; n < 20; n++) {
      take();
      jest.advanceTimersByTime(50_000);
    }
    expect(ended()).toBe(false);
  });
});
