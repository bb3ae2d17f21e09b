import { expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { systemClock } from "../../src/daemon/loop/clock.ts";
import { post } from "../support/boards/docs-board.ts";
import { rung, laterHook, startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { playedPush } from "../support/daemon/played-push.ts";
import { until, untilTrue } from "../support/wait-until.ts";

/** A session whose seat is removed from its board, with what its daemon asks the server for that seat. */
async function startAndRemove(before: (there: Started) => Promise<void>) {
  const asked: string[] = [];
  const clock = movableClock();
  const changeClient = (client: Client): Client => ({
    ...client,
    call: (async (operation, ...rest) => {
      asked.push(operation);
      return client.call(operation, ...rest);
    }) as Client["call"],
  });
  const there = await startDaemonOnDocs({}, clock, {}, { changeClient });
  await there.session();
  await before(there);
  const params = { board: "docs", member: there.writer.member_id };
  await there.world.admin.call("removeAgent", { params });
  await untilTrue(
    async () => (await there.ask({ op: "status" })).status!.agents.length === 1,
    "the seat to end",
  );
  asked.length = 0;
  return { ...there, asked, clock };
}
type Started = Awaited<ReturnType<typeof startDaemonOnDocs>>;

test("a session is not woken for messages of a seat that was removed from its board", async () => {
  const there = await startAndRemove(async ({ ask, has, world }) => {
    await ask({ op: "turn_start", harness_turn: "t1" });
    const { seq } = await post(world.admin, "Too late.");
    await has(seq);
  });
  expect((await there.ask({ op: "boundary", harness_turn: "t1" })).bundle).toBeUndefined();
  const end = await there.ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  expect(end).toEqual({ v: 1 });
  await there.ask({ op: "status" });
  expect(there.rings).toEqual([]);
});

test("what was handed before a seat was removed is acknowledged by nobody, and the server is asked no more", async () => {
  const there = await startAndRemove(async (daemon) => {
    await post(daemon.world.admin, "Look.");
    await rung(daemon);
    const { id: handoff_id } = (await daemon.answerRing())!;
    await daemon.ask({ op: "turn_start", harness_turn: "t1", handoff_id });
  });
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  for (let tries = 0; tries < 3; tries++) {
    there.clock.pass(60_000);
    await there.ask({ op: "turn_start", harness_turn: `more-${tries}` });
    await there.ask({ op: "turn_end", harness_turn: `more-${tries}` });
  }
  expect(there.asked).toEqual([]);
});

test("a text that nobody answered for a seat that was removed does not keep back what comes for the session's other seat", async () => {
  const played = playedPush();
  const there = await startDaemonOnDocs({}, systemClock, played.adapter);
  const { world, tokens, ask, writer } = there;
  await world.admin.call("createBoard", { body: { name: "ideas" } });
  const other = await world.seat(world.admin, "ideas", { name: "thinker" });
  const sender = await world.seat(world.admin, "ideas", { name: "scout" });
  tokens.set(other.id, other);
  const agent = { server: "local", board: "ideas", name: "thinker", member_id: other.id };
  await there.session();
  await ask({ op: "bind", agent });
  await there.connected();
  await post(world.admin, "Look.");
  await until(() => played.given.length === 1, "the first text");
  const { id } = played.given[0]!;
  played.is("busy");
  const params = { board: "docs", member: writer.member_id };
  await world.admin.call("removeAgent", { params });
  await untilTrue(
    async () => (await ask({ op: "status" })).status!.agents.length === 1,
    "the seat to end",
  );
  played.fates.set(id, "unanswered");
  played.is("idle");
  const body = { body: "An idea.", to: ["@thinker"] };
  await sender.call("postMessage", { params: { board: "ideas" }, body });
  await until(() => played.given.length === 2, "the text for the other seat");
  expect(played.given[1]!.text).toContain("An idea.");
});

test("a session that starts is not told that it is an agent whose seat has ended", async () => {
  const there = await startAndRemove(async () => {});
  const { world, tokens, ask, writer } = there;
  expect((await ask({ op: "register", source: "resume" })).note).toBeUndefined();
  await world.admin.call("createBoard", { body: { name: "ideas" } });
  const other = await world.seat(world.admin, "ideas", { name: "thinker" });
  tokens.set(other.id, other);
  const agent = { server: "local", board: "ideas", name: "thinker", member_id: other.id };
  await ask({ op: "bind", agent });
  const { note, mode } = await ask({ op: "register", source: "compact" });
  expect(note).toStartWith("You are thinker on the board ideas. Messages from there");
  expect(note).not.toContain(writer.board);
  expect(mode).toBe("focused");
});

test("a seat whose token this machine has no more is over: nothing is tried or logged for it, however long the session goes on", async () => {
  const clock = movableClock();
  const there = await startDaemonOnDocs({}, clock);
  await there.session();
  there.forgotten.add(there.seat.id);
  await there.world.admin.call("removeAgent", {
    params: { board: "docs", member: there.seat.id },
  });
  const { status } = await there.ask({ op: "status" });
  expect(status!.bindings).toHaveLength(1);
  expect((await there.ask({ op: "register", source: "resume" })).note).toBeUndefined();
  await untilTrue(
    async () => (await there.ask({ op: "status" })).status!.agents[0]?.reason === "board_gone",
    "the seat to end",
  );
  there.logged.length = 0;
  for (let turn = 0; turn < 3; turn++) {
    clock.pass(120_000);
    await there.ask({ op: "turn_start", harness_turn: `t${turn}` });
    await there.ask({ op: "turn_end", harness_turn: `t${turn}` });
  }
  expect(there.logged).toEqual([]);
});
