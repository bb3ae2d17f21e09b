import { expect, test } from "bun:test";
import { handoffIn } from "../../src/client/machine/daemon-wire.ts";
import { post } from "../support/boards/docs-board.ts";
import {
  acknowledged,
  laterHook,
  rung,
  startDaemonOnDocs,
  wholeTurn,
} from "../support/daemon/daemon-on-docs.ts";

test("a message wakes an idle session, and is acknowledged once the model has answered", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const { seq } = await post(there.world.admin, "Please look.");
  await rung(there);
  const bundle = (await there.answerRing())!;
  expect(bundle.text).toBe(`[service ${bundle.id}]\n\n#${seq} Please look.`);
  expect(await there.position()).toBeLessThan(seq);
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id: bundle.id });
  await laterHook();
  expect(await there.position()).toBeLessThan(seq);
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  await acknowledged(there, seq);
});

test("another turn proves nothing: the message is handed again", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const { seq } = await post(there.world.admin, "Once more.");
  await rung(there);
  const first = (await there.answerRing())!;
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id: first.id });
  await laterHook();
  const answer = await there.ask({ op: "turn_start", harness_turn: "t2" });
  expect(answer.bundle).toContain(`#${seq} Once more.`);
  expect(answer.handoff_id).not.toBe(first.id);
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  expect(await there.position()).toBeLessThan(seq);
  await there.ask({ op: "turn_end", harness_turn: "t2" });
  await acknowledged(there, seq);
});

test("a failed turn confirms nothing, and the message is not handed again at once", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const { seq } = await post(there.world.admin, "Hello.");
  await rung(there);
  const bundle = (await there.answerRing())!;
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id: bundle.id });
  const rings = there.rings.length;
  await there.ask({ op: "turn_end", harness_turn: "t1", failed: true });
  await there.ask({ op: "status" });
  expect(there.rings.length).toBe(rings);
  expect(await there.position()).toBeLessThan(seq);
  const next = await there.ask({ op: "turn_start", harness_turn: "t2" });
  expect(next.bundle).toContain(`#${seq} Hello.`);
});

test("a busy session is not woken by an agent, and gets its person's words at a tool and the rest at the turn's end", async () => {
  const there = await startDaemonOnDocs();
  const { world } = there;
  const other = await world.seat(world.admin, "docs", { name: "scout" });
  await there.session();
  await there.ask({ op: "turn_start", harness_turn: "t1" });
  const fromAgent = await post(other, { body: "From an agent.", to: ["@writer"] });
  const fromOwner = await post(world.admin, "From your person.");
  const seen = await waitFor(async () => {
    await laterHook();
    return (await there.ask({ op: "boundary", harness_turn: "t1" })).bundle;
  });
  expect(seen).toContain("From your person.");
  expect(seen).not.toContain("From an agent.");
  expect(there.rings).toEqual([]);
  await laterHook();
  const end = await there.ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  expect(end.bundle).toContain("From an agent.");
  // The person's message is confirmed, and one before it is not.
  expect(await there.position()).toBeLessThan(fromAgent.seq);
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  await acknowledged(there, fromOwner.seq);
});

test("a message to everyone wakes nobody in focused mode, and comes with the next turn", async () => {
  const there = await startDaemonOnDocs();
  const other = await there.world.seat(there.world.admin, "docs", { name: "scout" });
  await there.session();
  const quiet = await post(other, { body: "For all.", to: ["all"] });
  const loud = await post(other, { body: "For you.", to: ["@writer"] });
  await rung(there);
  const bundle = (await there.answerRing())!;
  expect(bundle.text).toContain(`#${quiet.seq} For all.\n#${loud.seq} For you.`);
});

test("a bell's hook that ends before it has the text loses nothing", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const { seq } = await post(there.world.admin, "Still here?");
  await rung(there);
  const lost = (await there.answerRing("one", false))!;
  const before = there.rings.length;
  await rung(there, before);
  const again = (await there.answerRing())!;
  expect(handoffIn(again.text)).not.toBe(lost.id);
  await wholeTurn(there, again, "t1");
  await acknowledged(there, seq);
});

const steps = ["rung", "delivered", "turn begun", "confirmed"] as const;
for (const step of steps)
  test(`a daemon that is restarted when a message is ${step} loses nothing`, async () => {
    const there = await startDaemonOnDocs();
    await there.session();
    const { seq } = await post(there.world.admin, "Keep this.");
    await rung(there);
    let bundle = step === "rung" ? null : await there.answerRing();
    if (step === "turn begun" || step === "confirmed")
      await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id: bundle!.id });
    await laterHook();
    if (step === "confirmed") await there.ask({ op: "turn_end", harness_turn: "t1" });
    else expect(await there.position()).toBeLessThan(seq);
    await there.stop();
    const rings = there.rings.length;
    await there.start();
    if (step === "rung" || step === "delivered") {
      await rung(there, rings);
      bundle = await there.answerRing();
      expect(bundle!.text).toContain("Keep this.");
      expect(await there.position()).toBeLessThan(seq);
      await wholeTurn(there, bundle!, "t9");
    } else {
      // The turn goes on while the daemon is away, and its end proves that the model had the text.
      await there.ask({ op: "turn_end", harness_turn: "t1" });
      expect(there.rings.length).toBe(rings);
    }
    await acknowledged(there, seq);
  });

test("a session that ends leaves its messages to the session that takes the seat next", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const { seq } = await post(there.world.admin, "For whoever comes.");
  await rung(there);
  const first = (await there.answerRing())!;
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id: first.id });
  await there.ask({ op: "end" });
  await there.session("two");
  await rung({ ...there, rings: there.rings.filter((id) => id === "two") }).catch(() => {});
  const bundle = (await there.answerRing("two"))!;
  expect(bundle.text).toContain("For whoever comes.");
  expect(await there.position()).toBeLessThan(seq);
});

/** The first answer that is not undefined. */
async function waitFor<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error("waited in vain");
}
