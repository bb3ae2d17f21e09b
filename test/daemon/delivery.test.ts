import { expect, test } from "bun:test";
import { handoffIn } from "../../src/client/machine/daemon-wire.ts";
import { until, untilTrue } from "../support/wait-until.ts";
import { personOnDocs, post } from "../support/boards/docs-board.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
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
  expect(bundle.text).toStartWith(
    `[service ${bundle.id}]\n\n<service-message board="docs" from="@ana" sender="owner" seq="${seq}">\nPlease look.\n</service-message>`,
  );
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
  expect(answer.bundle).toContain(`seq="${seq}">\nOnce more.`);
  expect(answer.handoff_id).not.toBe(first.id);
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  expect(await there.position()).toBeLessThan(seq);
  await there.ask({ op: "turn_end", harness_turn: "t2" });
  await acknowledged(there, seq);
});

test("a wake that begins its turn is confirmed by the end of a batch of tools", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const { seq } = await post(there.world.admin, "Look.");
  await rung(there);
  const { id: handoff_id } = (await there.answerRing())!;
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id });
  await laterHook();
  await there.ask({ op: "boundary", harness_turn: "t1", at: "after_tools" });
  await acknowledged(there, seq);
});

/** A wake whose prompt came while the turn t1 ran. */
async function joinedWake() {
  const there = await startDaemonOnDocs();
  await there.session();
  const { seq } = await post(there.world.admin, "Look.");
  await rung(there);
  const { id: handoff_id } = (await there.answerRing())!;
  await there.ask({ op: "turn_start", harness_turn: "t1" });
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id });
  await laterHook();
  return { ...there, seq };
}

test("a wake that meets a running turn is not confirmed by that turn's next batch of tools, and by its end after that", async () => {
  const there = await joinedWake();
  await there.ask({ op: "boundary", harness_turn: "t1", at: "after_tools" });
  expect(await there.position()).toBeLessThan(there.seq);
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  await acknowledged(there, there.seq);
});

test("a wake that meets a running turn without tools waits for its own turn, which confirms it", async () => {
  const there = await joinedWake();
  await there.ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  await laterHook();
  expect(await there.position()).toBeLessThan(there.seq);
  // The harness begins it by itself, without the hook of a prompt.
  await there.ask({ op: "turn_end", harness_turn: "t2", takes_bundle: true });
  await acknowledged(there, there.seq);
});

test("a wake that met a turn and never had its own is handed again at the end of the next one", async () => {
  const there = await joinedWake();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  // This prompt may have come while the wake's own turn ran.
  const typed = await there.ask({ op: "turn_start", harness_turn: "t2" });
  expect(typed.bundle).toBeUndefined();
  await laterHook();
  const end = { op: "turn_end", harness_turn: "t2", takes_bundle: true } as const;
  const { bundle } = await there.ask(end);
  expect(bundle).toContain(`seq="${there.seq}">\nLook.`);
});

/** Whether a receipt shows that the daemon holds a message for the end of a turn. */
async function isQueued({ world }: Awaited<ReturnType<typeof startDaemonOnDocs>>, seq: number) {
  const { recipients } = await world.admin.call("getReceipts", { params: { board: "docs", seq } });
  return recipients.some(({ queued }) => queued?.boundary === "turn_end");
}

test("a prompt that is typed while a turn runs gets nothing: the end of that turn would confirm it", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  const body = { body: "While you work.", to: ["@writer"] };
  const { seq } = await post(there.world.admin, body);
  await untilTrue(() => isQueued(there, seq), "a queued message");
  expect((await ask({ op: "turn_start", harness_turn: "t1" })).bundle).toBeUndefined();
  const { bundle } = await ask({ op: "turn_end", harness_turn: "t1", takes_bundle: true });
  expect(bundle).toContain("While you work.");
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
  expect(next.bundle).toContain(`seq="${seq}">\nHello.`);
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

test("nothing is handed before a tool: the hook of another tool would confirm it", async () => {
  const there = await startDaemonOnDocs();
  const { ask } = there;
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  const { seq } = await post(there.world.admin, { body: "Stop that.", to: ["@writer"] });
  await untilTrue(() => isQueued(there, seq), "a queued message");
  const boundary = (at: "before_tool" | "after_tools") =>
    ask({ op: "boundary", harness_turn: "t1", at });
  expect(await boundary("before_tool")).toEqual({ v: 1 });
  expect((await boundary("after_tools")).bundle).toContain("Stop that.");
});

test("a notice names what waits for the end of the turn, once, and has no word of it", async () => {
  const there = await startDaemonOnDocs();
  const { world, ask } = there;
  const bo = await personOnDocs(world, "bo");
  const helper = await world.seat(bo, "docs", { name: "helper" });
  await there.session();
  await ask({ op: "turn_start", harness_turn: "t1" });
  const boundary = () => ask({ op: "boundary", harness_turn: "t1" });
  const first = await post(helper, { body: "secret words", to: ["@writer"] });
  const notice = await waitFor(async () => (await boundary()).notice);
  expect(notice).toBe(
    `<service-notice board="docs" waiting="1">1 waiting on docs: #${first.seq} from bo's helper (other_agent); read them with /opt/service inbox</service-notice>`,
  );
  expect((await boundary()).notice).toBeUndefined();
  const second = await post(bo, { body: "more words", to: ["@writer"] });
  expect(await waitFor(async () => (await boundary()).notice)).toBe(
    `<service-notice board="docs" waiting="2">2 waiting on docs: #${second.seq} from bo (other_person), and 1 that you know of; read them with /opt/service inbox</service-notice>`,
  );
});

test("a message to everyone wakes nobody in focused mode, and comes with the next turn", async () => {
  const there = await startDaemonOnDocs();
  const other = await there.world.seat(there.world.admin, "docs", { name: "scout" });
  await there.session();
  const quiet = await post(other, { body: "For all.", to: ["all"] });
  const loud = await post(other, { body: "For you.", to: ["@writer"] });
  await rung(there);
  const bundle = (await there.answerRing())!;
  const loudly = bundle.text.indexOf(`seq="${loud.seq}">\nFor you.`);
  expect(loudly).toBeGreaterThan(0);
  expect(bundle.text.indexOf(`seq="${quiet.seq}">\nFor all.`)).toBeGreaterThan(loudly);
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

test("a server that goes away and comes back loses nothing, and is asked again after a pause", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const { tokens, seat } = there;
  tokens.delete(seat.id);
  // The stream that is open goes on. What needs a token now fails, and is tried again.
  const { seq } = await post(there.world.admin, "While you were away.");
  await rung(there);
  const bundle = (await there.answerRing())!;
  await wholeTurn(there, bundle, "t1");
  await until(() => there.logged.some((line) => line.includes("acknowledging")), "a failed one");
  expect(await there.position()).toBeLessThan(seq);
  tokens.set(seat.id, seat);
  await post(there.world.admin, "And now.");
  await acknowledged(there, seq);
});

test("a seat whose token has ended stops, is named in the status, and begins again when it is bound", async () => {
  const there = await startDaemonOnDocs();
  const { world, ask, writer, tokens } = there;
  await there.session();
  tokens.set(writer.member_id, world.as("abt_wrong"));
  await ask({ op: "end" });
  await ask({ op: "register" });
  const status = await waitFor(async () => {
    const { agents } = (await ask({ op: "status" })).status!;
    return agents[0];
  });
  expect(status).toEqual({ agent: writer, reason: "unauthorized" });
  tokens.set(writer.member_id, there.seat);
  await there.session();
  expect((await ask({ op: "status" })).status!.agents).toEqual([]);
  await post(world.admin, "Welcome back.");
  await rung(there);
  expect((await there.answerRing())!.text).toContain("Welcome back.");
});

test("a mode that lets nothing wake is applied before the bundle is made", async () => {
  const there = await startDaemonOnDocs();
  const { world } = there;
  await there.session();
  await post(world.admin, "Never mind.");
  await rung(there);
  const member = "writer";
  const mode = { params: { board: "docs", member }, body: { mode: "off" } } as const;
  await world.admin.call("setDeliveryMode", mode);
  const answer = await waitFor(async () => {
    const bundle = await there.answerRing("one", false);
    return bundle === null ? "released" : undefined;
  });
  expect(answer).toBe("released");
  const next = await there.ask({ op: "turn_start", harness_turn: "t1" });
  expect(next.bundle).not.toContain("Never mind.");
  expect(next.handoff_id).toBeUndefined();
});

test("a session whose process is gone is closed at the start of the daemon, and its messages wait", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  await there.ask({ op: "register", process: { pid: 4_000_000, start: "1" } });
  await there.stop();
  there.gone.add(4_000_000);
  await there.start();
  expect((await there.ask({ op: "status" })).status).toMatchObject({ open_sessions: 0 });
  await post(there.world.admin, "Anybody there?");
  expect(await there.ask({ op: "register", source: "resume" })).toMatchObject({ reopened: true });
  await rung(there);
  expect((await there.answerRing())!.text).toContain("Anybody there?");
});

test("a bundle has as much as fits, urgent messages first, and one that is too long is cut", async () => {
  const there = await startDaemonOnDocs({ wakeBytes: 400, contextBytes: 400 });
  const { world, ask } = there;
  const long = await post(world.admin, "long ".repeat(200));
  const second = await post(world.admin, "second");
  const urgent = await post(world.admin, { body: "urgent", urgent: true });
  await there.session();
  await rung(there);
  const first = (await there.answerRing())!;
  expect(first.text).toContain(`seq="${urgent.seq}" urgent="true">\nurgent`);
  expect(first.text).not.toContain("second");
  const next = await ask({ op: "turn_start", harness_turn: "t1", handoff_id: first.id });
  expect(next.bundle).toContain(`The whole message: /opt/service message ${long.seq}`);
  expect(Buffer.byteLength(next.bundle!)).toBeLessThanOrEqual(400);
  await laterHook();
  const rings = there.rings.length;
  await ask({ op: "turn_end", harness_turn: "t1" });
  await rung(there, rings);
  const last = (await there.answerRing())!;
  expect(last.text).toContain(`seq="${second.seq}">\nsecond`);
  await wholeTurn(there, last, "t3");
  await acknowledged(there, urgent.seq);
});

test("a turn whose beginning nobody told takes the place of the turn before", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  await post(there.world.admin, "In the first turn.");
  await rung(there);
  const first = (await there.answerRing())!;
  await there.ask({ op: "turn_start", harness_turn: "t1", handoff_id: first.id });
  await laterHook();
  const end = await there.ask({ op: "turn_end", harness_turn: "t2", takes_bundle: true });
  expect(end.bundle).toContain("In the first turn.");
});

test("a wake whose turn nobody saw is handed again after a minute", async () => {
  const clock = movableClock();
  const there = await startDaemonOnDocs({}, clock);
  await there.session();
  await post(there.world.admin, "Hello?");
  await rung(there);
  const before = there.rings.length;
  await there.answerRing();
  await there.ask({ op: "turn_end", harness_turn: "t1" });
  await there.ask({ op: "status" });
  expect(there.rings.length).toBe(before);
  clock.pass(61_000);
  await rung(there, before);
  expect((await there.answerRing())!.text).toContain("Hello?");
});

/** The first answer that is not undefined. */
async function waitFor<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error("waited in vain");
}
