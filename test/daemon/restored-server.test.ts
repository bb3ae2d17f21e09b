import { expect, test } from "bun:test";
import { Unreachable, type Client } from "../../src/client/client.ts";
import { post } from "../support/boards/docs-board.ts";
import {
  acknowledged,
  laterHook,
  rung,
  startDaemonOnDocs,
} from "../support/daemon/daemon-on-docs.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { until, untilTrue } from "../support/wait-until.ts";

/** A daemon whose server can be cut off, and its streams apart from everything else. */
async function startWithCuts() {
  const cut = { streams: false, calls: false };
  const tried: string[] = [];
  const streams = new Set<AbortController>();
  const clock = movableClock();
  const changeClient = (client: Client): Client => ({
    ...client,
    call: (async (operation, ...rest) => {
      tried.push(operation);
      if (cut.calls) throw new Unreachable("the server does not answer");
      return client.call(operation, ...rest);
    }) as Client["call"],
    follow: ((name, input, own: AbortController) => {
      if (cut.streams) throw new Unreachable("the server does not answer");
      streams.add(own);
      return client.follow(name, input, own);
    }) as Client["follow"],
  });
  const there = await startDaemonOnDocs({}, clock, {}, { changeClient });
  const isConnected = async () => {
    const { status } = await there.ask({ op: "status" });
    return status!.servers.every(({ connected }) => connected);
  };
  return {
    ...there,
    cut,
    clock,
    isConnected,
    /** How often an acknowledgement was tried. */
    acks: () => tried.filter((operation) => operation === "ackInbox").length,
    endStreams: () => streams.forEach((one) => one.abort()),
  };
}

test("what was confirmed is acknowledged once the stream says what the server is: its numbers may name other messages after a restore", async () => {
  const there = await startWithCuts();
  await there.session();
  const { seq } = await post(there.world.admin, "Look.");
  await rung(there);
  const { id: handoff_id } = (await there.answerRing())!;
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id });
  Object.assign(there.cut, { streams: true, calls: true });
  there.endStreams();
  await untilTrue(async () => !(await there.isConnected()), "the end of the stream");
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  there.cut.calls = false;
  there.clock.pass(10_000);
  await there.ask({ op: "status" });
  await there.ask({ op: "turn_start", harness_turn: "t2" });
  await there.ask({ op: "turn_end", harness_turn: "t2" });
  expect(await there.position()).toBeLessThan(seq);
  expect(there.acks()).toBe(0);
  there.cut.streams = false;
  there.clock.pass(120_000);
  await until(() => there.acks() > 0, "an acknowledgement");
  await acknowledged(there, seq);
});
