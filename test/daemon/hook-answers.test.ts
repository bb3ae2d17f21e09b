import { expect, test } from "bun:test";
import { connectToDaemon } from "../../src/client/machine/daemon-client.ts";
import { post } from "../support/boards/docs-board.ts";
import { acknowledged, laterHook, startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { untilTrue } from "../support/wait-until.ts";

/** A session whose turn runs, and a hook of it that gets a message of the owner. */
async function startTold() {
  const there = await startDaemonOnDocs();
  await there.session();
  await there.ask({ op: "turn_start", harness_turn: "t1" });
  const { seq } = await post(there.world.admin, "While you work.");
  await there.has(seq);
  const hook = await connectToDaemon(there.machine);
  const about = { harness: "fake", session: "one" };
  const request = { op: "boundary", harness_turn: "t1", at: "after_tools", says_received: true };
  hook.send({ ...about, ...request });
  const { bundle, handoff_id } = await hook.next();
  expect(bundle).toContain("While you work.");
  const says = () => hook.send({ ...about, op: "received", handoff_id });
  return { ...there, hook, says, seq };
}

test("messages that a hook has printed are confirmed by the end of their turn", async () => {
  const there = await startTold();
  there.says();
  there.hook.close();
  await there.ask({ op: "status" });
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  await acknowledged(there, there.seq);
});

test("messages of a hook that ends before it has printed them are handed again, and nothing confirms the first time", async () => {
  const there = await startTold();
  there.hook.close();
  await laterHook();
  await untilTrue(async () => {
    const { bundle } = await there.ask({ op: "boundary", harness_turn: "t1", at: "after_tools" });
    return bundle?.includes("While you work.") ?? false;
  }, "the message once more");
  expect(await there.position()).toBeLessThan(there.seq);
});

test("a daemon that stops waits for a hook that prints, serves nobody else, and forgets nothing of what was printed", async () => {
  const there = await startTold();
  const stopped = there.stop();
  const code = (op: string) =>
    there.ask({ op } as never).then(
      () => "answered",
      (error: { code: string }) => error.code,
    );
  for (const op of ["status", "wait", "received", "turn_end", "inbox"])
    expect([op, await code(op)]).toEqual([op, "daemon_not_running"]);
  there.says();
  there.hook.close();
  await stopped;
  await there.start();
  await there.connected();
  await laterHook();
  const again = await there.ask({ op: "boundary", harness_turn: "t1", at: "after_tools" });
  expect(again.bundle).toBeUndefined();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  await acknowledged(there, there.seq);
});
