import { expect, test } from "bun:test";
import { personOnDocs, post } from "../support/boards/docs-board.ts";
import { Unreachable } from "../../src/client/client.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { untilTrue } from "../support/wait-until.ts";

async function startBusy(...given: Parameters<typeof startDaemonOnDocs>) {
  const there = await startDaemonOnDocs(...given);
  const ben = await personOnDocs(there.world, "ben");
  await there.session();
  await there.ask({ op: "turn_start", harness_turn: "t1" });
  const isQueued = async (seq: number) => {
    const params = { board: "docs", seq };
    const { recipients } = await ben.call("getReceipts", { params });
    return recipients.some(({ queued }) => queued?.boundary === "turn_end");
  };
  return { ...there, ben, isQueued };
}

test("what waits for the end of a turn is shown to its sender as queued, until the agent gets it", async () => {
  const there = await startBusy();
  const { seq } = await post(there.ben, { body: "When you are done.", to: ["@writer"] });
  await untilTrue(() => there.isQueued(seq), "a queued message");
  const { bundle } = await there.ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  expect(bundle).toContain("When you are done.");
  await untilTrue(async () => !(await there.isQueued(seq)), "an empty queue");
});

test("a session that ends has no queue", async () => {
  const there = await startBusy();
  const { seq } = await post(there.ben, { body: "When you are done.", to: ["@writer"] });
  await untilTrue(() => there.isQueued(seq), "a queued message");
  await there.ask({ op: "end" });
  await untilTrue(async () => !(await there.isQueued(seq)), "an empty queue");
});

test("a restarted daemon goes on with its claim, and a claim of another is not taken back", async () => {
  const there = await startBusy();
  const first = await post(there.ben, { body: "One.", to: ["@writer"] });
  await untilTrue(() => there.isQueued(first.seq), "a queued message");
  const { epoch } = await there.seat.call("getDeliveryQueue");
  await there.stop();
  await there.start();
  await there.ask({ op: "turn_start", harness_turn: "t2" });
  const second = await post(there.ben, { body: "Two.", to: ["@writer"] });
  await untilTrue(() => there.isQueued(second.seq), "a queued message");
  expect(await there.seat.call("getDeliveryQueue")).toMatchObject({ epoch });
  const body = { session: "other", boot: "b", expected_epoch: epoch };
  await there.seat.call("reportDeliveryQueue", { body });
  await post(there.ben, { body: "Three.", to: ["@writer"] });
  await untilTrue(
    async () => there.logged.some((line) => line.includes("queue of writer")),
    "a conflict",
  );
  expect(await there.seat.call("getDeliveryQueue")).toMatchObject({
    epoch: epoch + 1,
    revision: 0,
  });
});

test("a report that a server did not answer is made again, and what waits is shown as queued then", async () => {
  const clock = movableClock();
  const state = { isAway: true, tries: 0 };
  const there = await startBusy({}, clock, undefined, {
    changeClient: (client) => ({
      ...client,
      call: (async (...given: Parameters<typeof client.call>) => {
        if (given[0] === "reportDeliveryQueue") {
          state.tries++;
          if (state.isAway) throw new Unreachable("the server is away");
        }
        return client.call(...given);
      }) as typeof client.call,
    }),
  });
  const { seq } = await post(there.ben, { body: "When you are done.", to: ["@writer"] });
  await untilTrue(async () => state.tries === 1, "a report");
  await untilTrue(async () => there.logged.some((line) => line.includes("is away")), "its end");
  state.isAway = false;
  clock.pass(30_000);
  await untilTrue(() => there.isQueued(seq), "a queued message");
});

test("a seat whose token is another one now goes on to say what is queued", async () => {
  const there = await startBusy();
  const agent = { server: "local", board: "docs", name: "" };
  await there.ask({ op: "register", session: "two" });
  await there.ask({ op: "join", session: "two", agent });
  await there.ask({ op: "turn_start", session: "two", harness_turn: "t1" });
  const first = await post(there.ben, { body: "One.", to: ["@fake"] });
  await untilTrue(() => there.isQueued(first.seq), "a queued message");
  expect((await there.ask({ op: "join", session: "two", agent })).reused).toBe(true);
  const second = await post(there.ben, { body: "Two.", to: ["@fake"] });
  await untilTrue(() => there.isQueued(second.seq), "a queued message of the new token");
  expect(there.logged.join()).not.toContain("queue of");
});
