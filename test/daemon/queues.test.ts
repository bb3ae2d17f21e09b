import { expect, test } from "bun:test";
import { personOnDocs, post } from "../support/boards/docs-board.ts";
import { startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { untilTrue } from "../support/wait-until.ts";

async function startBusy() {
  const there = await startDaemonOnDocs();
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
