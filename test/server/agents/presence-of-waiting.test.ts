import { describe, expect, test } from "bun:test";
import type { Given } from "../../../src/client/client.ts";
import { follow } from "../../support/follow-stream.ts";
import { followInbox } from "../../support/follow-inbox.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";

/** `docs` with ana and bo, and ana's agent a. */
async function team() {
  const { world, ana, bo, a } = await startDocs({ a: "ana" });
  const report = (presence: NonNullable<Given<"setPresence">["body"]>["presence"]) =>
    a.call("setPresence", { body: { presence } });
  /** The agent's presence as bo is shown it, since when, and its state. */
  const shown = async () => {
    const { members } = await bo.call("listMembers", docs);
    const { presence, presence_since, state } = members.find(({ name }) => name === "a")!;
    return [presence, presence_since, state];
  };
  return { world, ana, bo, a, report, shown, at: world.at };
}
type Team = Awaited<ReturnType<typeof team>>;

/** An agent waits in either way. Each gives what ends the wait. */
const ways: readonly [string, (team: Team) => Promise<() => Promise<unknown>>][] = [
  [
    "an inbox call",
    async ({ world, a }) => {
      const leaving = new AbortController();
      const { signal } = leaving;
      const answer = a.call("getInbox", { query: { wait: 600, after: 1000 } }, { signal });
      const ended = answer.catch(() => {});
      await until(() => world.hub.waiting === 1, "it waits");
      return () => (leaving.abort(), ended);
    },
  ],
  [
    "an inbox stream",
    async ({ world, a }) => {
      const stream = await followInbox(a);
      return async () => {
        stream.leave();
        await until(() => world.inboxStreams.count === 0, "the stream is closed");
      };
    },
  ],
];

describe.each(ways)("an agent that holds %s", (_, wait) => {
  test("reads as idle while it lasts and for a minute after", async () => {
    const scene = await team();
    const { world, shown, at } = scene;
    const start = at();
    const end = await wait(scene);
    expect(await shown()).toEqual(["idle", start, "idle"]);
    world.pass(3600);
    await world.sweep();
    expect(await shown()).toEqual(["idle", start, "idle"]);
    await end();
    world.pass(59);
    expect(await shown()).toEqual(["idle", start, "idle"]);
    world.pass(1);
    expect(await shown()).toEqual(["no_session", null, "disconnected"]);
  });

  test("reads as idle whatever it reported before, and as what it reports from then on", async () => {
    const scene = await team();
    const { world, report, shown, at } = scene;
    await report("working");
    world.pass(10);
    const start = at();
    const end = await wait(scene);
    expect(await shown()).toEqual(["idle", start, "idle"]);
    world.pass(10);
    for (const presence of ["working", "no_session"] as const) {
      expect(await report(presence)).toMatchObject({ presence_since: at() });
      expect((await shown()).slice(0, 2)).toEqual([presence, at()]);
    }
    await end();
    expect((await shown())[0]).toBe("no_session");
  });

  test("keeps the start of an idle that it reported itself", async () => {
    const scene = await team();
    const { world, report, shown, at } = scene;
    const start = at();
    await report("idle");
    world.pass(100);
    const end = await wait(scene);
    expect(await shown()).toEqual(["idle", start, "idle"]);
    world.pass(100);
    // The report has run out, and the agent waits.
    expect(await shown()).toEqual(["idle", world.at(-100), "idle"]);
    await end();
  });

  test("is shown to those who follow the board when it begins, and when a minute is over", async () => {
    const scene = await team();
    const { world, bo } = scene;
    const stream = await follow(bo);
    await stream.next(2);
    const end = await wait(scene);
    expect(await stream.next(1)).toMatchObject([{ event: "presence", presence: "idle" }]);
    await end();
    await (
      await wait(scene)
    )();
    world.pass(60);
    await world.sweep();
    await world.sweep();
    expect(await stream.next(1)).toMatchObject([{ event: "presence", presence: "no_session" }]);
    await post(bo, "nothing more");
    expect((await stream.next(2)).map(({ event }) => event)).toEqual(["head", "unread"]);
  });

  test("is not shown again when an older report runs out, nor at the end if it reads as idle all the same", async () => {
    const scene = await team();
    const { world, bo, report } = scene;
    await report("working");
    world.pass(1);
    const stream = await follow(bo);
    await stream.next(2);
    const end = await wait(scene);
    expect(await stream.next(1)).toMatchObject([{ event: "presence", presence: "idle" }]);
    world.pass(200);
    await world.sweep();
    await end();
    world.pass(60);
    await world.sweep();
    expect(await stream.next(1)).toMatchObject([{ event: "presence", presence: "no_session" }]);
    await report("idle");
    expect(await stream.next(1)).toMatchObject([{ event: "presence", presence: "idle" }]);
    world.pass(1);
    await (
      await wait(scene)
    )();
    world.pass(61);
    await world.sweep();
    await post(bo, "nothing more");
    expect((await stream.next(2)).map(({ event }) => event)).toEqual(["head", "unread"]);
  });

  test("is not pruned, however long ago it reported that its session ended", async () => {
    const scene = await team();
    const { world, ana, a, report } = scene;
    await report("no_session");
    world.pass(7200);
    const prune = async () =>
      (await ana.call("pruneAgents", { body: { disconnected_for: 3600, dry_run: true } })).agents;
    expect(await prune()).toMatchObject([{ id: a.id }]);
    const end = await wait(scene);
    expect(await prune()).toEqual([]);
    await end();
    world.pass(61);
    expect(await prune()).toMatchObject([{ id: a.id }]);
  });
});

test("a call that is answered at once is no wait", async () => {
  const { ana, a, shown } = await team();
  await post(ana, "hello");
  await a.call("getInbox", { query: { wait: 600 } });
  await a.call("getInbox", { query: { after: 1000 } });
  expect(await shown()).toEqual(["no_session", null, "disconnected"]);
});

test("calls with less than a minute between them are one wait", async () => {
  const { world, a, shown, at } = await team();
  const start = at();
  for (let n = 0; n < 3; n++) {
    const stream = await followInbox(a);
    world.pass(30);
    stream.leave();
    await until(() => world.inboxStreams.count === 0, "it is closed");
    world.pass(30);
  }
  expect(await shown()).toEqual(["idle", start, "idle"]);
});
