import { expect, jest, test } from "bun:test";
import { createStreams } from "../../../src/server/live/streams.ts";
import { follow } from "../../support/follow-stream.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { post } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";

/** `docs` with ana and bo, and ana's agent a. */
async function team() {
  const { world, id, bo, a } = await startDocs({ a: "ana" });
  return { world, ana: world.admin, bo, a, board: { board: "docs", board_id: id } };
}

test("a stream ends when its key is revoked, and only then; connecting again gets 401", async () => {
  const { world, bo } = await team();
  const { id, token } = await bo.call("createKey", { body: { name: "second" } });
  const second = world.as(token);
  const [ending, staying] = [await follow(second), await follow(bo)];
  await staying.next(2);
  await bo.call("revokeKey", { params: { key: id } });
  await until(() => ending.state.ended, "the stream ends");
  expect(ending.state.error).toBeNull();
  const again = await follow(second);
  expect(again.state.error).toMatchObject({ status: 401, code: "unauthorized" });
  expect([staying.state.ended, world.streams.count]).toEqual([false, 1]);
});

test("a stream ends at the moment its key expires", async () => {
  const { world, bo } = await team();
  const { id, token } = await bo.call("createKey", { body: { name: "second" } });
  const expiry = world.at(0.05);
  await world.db.write((tx) =>
    tx.run("UPDATE access_key SET expires_at = ? WHERE id = ?", expiry, id),
  );
  const stream = await follow(world.as(token));
  world.pass(1);
  await until(() => stream.state.ended, "the stream ends");
  expect(world.streams.count).toBe(0);
});

test("a stream ends when its client leaves, and another stream of the same key goes on", async () => {
  const { world, ana, bo } = await team();
  const [leaving, staying] = [await follow(bo), await follow(bo)];
  await staying.next(2);
  leaving.leave();
  await until(() => world.streams.count === 1, "one stream is left");
  await post(ana, "hello");
  expect(await staying.next(2)).toHaveLength(2);
  staying.leave();
  await until(() => world.streams.count === 0, "no stream is left");
});

test("a stream ends when its reader falls half a megabyte behind, without holding up the others", async () => {
  const { world, ana, bo, a } = await team();
  const asleep = await world.handle(
    new Request(`${world.url}/v1/stream`, { headers: { authorization: `Bearer ${bo.token}` } }),
  );
  const awake = await follow(ana);
  await awake.next(2);
  let told = 0;
  for (let turn = 0; world.streams.count === 2 && turn < 5000; turn++) {
    await a.call("setPresence", { body: { presence: turn % 2 ? "idle" : "working" } });
    told += (await awake.next(1)).length;
  }
  expect(world.streams.count).toBe(1);
  expect(told).toBeGreaterThan(1000);
  // Broken off, and without an error: Bun prints one, with its stack, into the operator's log.
  expect(await asleep.text().then(String, (reason: unknown) => ({ reason }))).toEqual({
    reason: undefined,
  });
});

test("an error between a commit and its events breaks the streams off, and the server goes on", async () => {
  const { world, ana, bo } = await team();
  const stream = await follow(bo);
  await stream.next(2);
  const { read } = world.db;
  // The post reads once before it commits. The second read is that of the streams.
  let reads = 0;
  world.db.read = (work) => {
    if (++reads === 2) throw new Error("disk I/O error");
    return read(work);
  };
  const { seq } = await post(ana, "hello");
  await until(() => stream.state.ended, "the stream ends");
  world.db.read = read;
  expect(world.faults.splice(0)).toEqual([{ message: "disk I/O error" }]);
  expect(stream.state.error).toBeNull();
  const again = await follow(bo);
  expect(await again.next(2)).toMatchObject([{ event: "head", seq }, { unread: 1 }]);
});

test("a comment keeps an idle stream open every 25 seconds", async () => {
  const { world, bo } = await team();
  jest.useFakeTimers();
  try {
    const streams = createStreams(
      world.db,
      world.hub,
      () => world.clock.now,
      () => {},
    );
    const sent: string[] = [];
    const sink = {
      send: (bytes: Uint8Array) => sent.push(new TextDecoder().decode(bytes)) > 0,
      end: () => {},
    };
    streams.open({ kind: "key", digest: world.secrets.digest(bo.token) }, sink);
    jest.advanceTimersByTime(24_999);
    expect(sent).toHaveLength(1);
    jest.advanceTimersByTime(1);
    jest.advanceTimersByTime(25_000);
    expect(sent.slice(1)).toEqual([": keepalive\n\n", ": keepalive\n\n"]);
    streams.endAll();
  } finally {
    jest.useRealTimers();
  }
});
