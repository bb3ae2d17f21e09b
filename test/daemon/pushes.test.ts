import { expect, test } from "bun:test";
import { systemClock } from "../../src/daemon/loop/clock.ts";
import { personOnDocs, post } from "../support/boards/docs-board.ts";
import { acknowledged, laterHook, startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { playedPush } from "../support/daemon/played-push.ts";
import { until, untilTrue } from "../support/wait-until.ts";

async function startPush(joinsTurn = false, clock = systemClock) {
  const played = playedPush(joinsTurn);
  const there = await startDaemonOnDocs({}, clock, played.adapter);
  /** The text that it is given next. */
  const next = async () => {
    const count = played.given.length;
    await until(() => played.given.length > count, "a text");
    return played.given[count]!;
  };
  return { ...there, ...played, next };
}

test("that a harness took a text proves nothing: only the model's answer moves the position", async () => {
  const there = await startPush();
  await there.session();
  const given = there.next();
  const { seq } = await post(there.world.admin, "Please look.");
  const { id, text, ownersOnly } = await given;
  expect(text).toStartWith(`[service ${id}]\n\n<service-message board="docs" from="@ana" `);
  expect(text).toContain(` seq="${seq}">\nPlease look.\n</service-message>`);
  expect(ownersOnly).toBe(true);
  there.is("busy");
  await there.ask({ op: "status" });
  expect(await there.position()).toBeLessThan(seq);
  there.answered(id);
  await acknowledged(there, seq);
});

test("the harness is asked before a text is handed again: one that it lost comes under a new id", async () => {
  const there = await startPush();
  await there.session();
  const given = there.next();
  const { seq } = await post(there.world.admin, "Once.");
  const { id } = await given;
  there.is("busy");
  there.fates.set(id, "absent");
  const again = there.next();
  there.is("idle");
  const second = await again;
  expect(second.id).not.toBe(id);
  expect(second.text).toContain("Once.");
  there.answered(id);
  there.fates.set(second.id, "answered");
  there.is("idle");
  await acknowledged(there, seq);
});

test("a text that its harness keeps unanswered is handed again under the same id, after a pause for the failure", async () => {
  const state = { ahead: 0 };
  const clock = {
    ...systemClock,
    now: () => Date.now() + state.ahead,
    elapsed: () => systemClock.elapsed() + state.ahead,
  };
  const there = await startPush(false, clock);
  await there.session();
  const given = there.next();
  const { seq } = await post(there.world.admin, "Try this.");
  const { id } = await given;
  there.fates.set(id, "unanswered");
  there.is("failed");
  await there.ask({ op: "bind", agent: there.writer });
  expect(there.given).toHaveLength(1);
  state.ahead = 20_000;
  const again = there.next();
  there.is("idle");
  expect((await again).id).toBe(id);
  there.answered(id);
  await acknowledged(there, seq);
});

test("a text that nobody answered, and that wakes nobody since the mode changed, waits for the next turn", async () => {
  const clock = movableClock();
  const there = await startPush(false, clock);
  const { world, next } = there;
  const scout = await world.seat(world.admin, "docs", { name: "scout" });
  const params = { board: "docs", member: "writer" };
  const setMode = async (mode: "all" | "focused") => {
    await world.admin.call("setDeliveryMode", { params, body: { mode } });
    const applied = async () => (await there.ask({ op: "agents" })).seats![0]!.mode === mode;
    await untilTrue(applied, "the mode");
  };
  await there.session();
  await setMode("all");
  const given = next();
  const quiet = await post(scout, "For all.");
  const { id } = await given;
  there.is("busy");
  there.fates.set(id, "unanswered");
  await setMode("focused");
  there.is("failed");
  await there.ask({ op: "status" });
  clock.pass(60_000);
  const { asked } = there.state;
  there.is("idle");
  await until(() => there.state.asked > asked, "a look at it");
  await there.ask({ op: "bind", agent: there.writer });
  expect(there.given).toHaveLength(1);
  // What wakes comes alone, and the turn that answers it has the other text in its conversation.
  const second = next();
  const { seq } = await post(world.admin, "For you.");
  const { text, id: other } = await second;
  expect(text).not.toContain("For all.");
  there.is("busy");
  for (const answered of [id, other]) there.answered(answered);
  await acknowledged(there, seq);
  expect(seq).toBeGreaterThan(quiet.seq);
});

test("while a harness holds a text nothing else is handed but the owner's own words", async () => {
  const there = await startPush();
  const { world } = there;
  const ben = await personOnDocs(world, "ben");
  await there.session();
  const given = there.next();
  await post(ben, { body: "First.", to: ["@writer"] });
  const first = await given;
  expect(first.ownersOnly).toBe(false);
  const { asked } = there.state;
  await post(ben, { body: "Second.", to: ["@writer"] });
  await until(() => there.state.asked > asked, "a look at the first");
  expect(there.given).toHaveLength(1);
  const owners = there.next();
  await post(world.admin, "Go on.");
  const { text, ownersOnly } = await owners;
  expect(ownersOnly).toBe(true);
  expect(text).toContain("Go on.");
  expect(text).not.toContain("Second.");
});

test("a harness whose running turn takes a text gets the owner's words at once, and others at its end", async () => {
  const there = await startPush(true);
  const { world } = there;
  const ben = await personOnDocs(world, "ben");
  await there.session();
  there.is("busy");
  const given = there.next();
  await post(ben, { body: "Later.", to: ["@writer"] });
  const { seq } = await post(world.admin, "Now.");
  const { id, text } = await given;
  expect(text).toContain("Now.");
  expect(text).not.toContain("Later.");
  const rest = there.next();
  there.fates.set(id, "answered");
  there.is("idle");
  const last = await rest;
  expect(last.text).toContain("Later.");
  expect(await there.position()).toBeLessThan(seq);
  there.answered(last.id);
  await acknowledged(there, seq);
});

test("after a restart the daemon asks what became of a text, and confirms what was answered meanwhile", async () => {
  const there = await startPush();
  await there.session();
  const given = there.next();
  const { seq } = await post(there.world.admin, "Before the end.");
  const { id } = await given;
  await there.stop();
  there.fates.set(id, "answered");
  await there.start();
  await acknowledged(there, seq);
  expect(there.given).toHaveLength(1);
});

test("a harness that fails five times in a row is left alone until the session shows itself", async () => {
  const state = { ahead: 0 };
  // Pauses pass at once.
  const clock = {
    ...systemClock,
    now: () => Date.now() + state.ahead,
    elapsed: () => systemClock.elapsed() + state.ahead,
    after(milliseconds: number, act: () => void) {
      if (milliseconds < 1_000) return systemClock.after(milliseconds, act);
      return systemClock.after(0, () => {
        state.ahead += milliseconds;
        act();
      });
    },
  };
  const there = await startPush(false, clock);
  await there.session();
  there.state.fails = true;
  const { seq } = await post(there.world.admin, "Hello?");
  await until(() => there.given.length === 5, "five tries");
  await there.ask({ op: "bind", agent: there.writer });
  expect(there.given).toHaveLength(5);
  const { attention } = (await there.ask({ op: "status" })).status!;
  expect(attention).toEqual([
    { agent: there.writer, seqs: [seq], reason: "the harness is out of reach" },
  ]);
  there.state.fails = false;
  const again = there.next();
  there.is("idle");
  expect((await again).text).toContain("Hello?");
});

test("a session that no hook told of is known when its harness knows it", async () => {
  const there = await startPush();
  const { boot, agents } = await there.ask({ op: "bind", agent: there.writer });
  expect(boot).toStartWith("boot_");
  expect(agents).toEqual([there.writer]);
  const given = there.next();
  const { seq } = await post(there.world.admin, "Without hooks.");
  const { id } = await given;
  await laterHook();
  there.answered(id);
  await acknowledged(there, seq);
});

const writerOnDocs = { board: "docs", member: "writer" };

test("a text that lies at its harness is taken back when its mode is turned off, and handed when it is on again", async () => {
  const there = await startPush();
  await there.session();
  const given = there.next();
  const { seq } = await post(there.world.admin, "Not now.");
  const { id } = await given;
  const setMode = (mode: "off" | "focused") =>
    there.world.admin.call("setDeliveryMode", { params: writerOnDocs, body: { mode } });
  await setMode("off");
  await until(() => there.taken.includes(id), "its return");
  const again = there.next();
  await setMode("focused");
  const second = await again;
  expect(second.id).not.toBe(id);
  there.answered(second.id);
  await acknowledged(there, seq);
});

test("a text whose messages were all read elsewhere is taken back, and one that holds another message is not", async () => {
  const there = await startPush();
  await there.session();
  const given = there.next();
  const first = await post(there.world.admin, "One.");
  const { id } = await given;
  const owners = there.next();
  const second = await post(there.world.admin, "Two.");
  const { id: other } = await owners;
  await there.seat.call("ackInbox", { body: { up_to: first.seq } });
  await until(() => there.taken.includes(id), "its return");
  expect(there.taken).toEqual([id]);
  await there.seat.call("ackInbox", { body: { up_to: second.seq } });
  await until(() => there.taken.includes(other), "the other's return");
});

test("a seat that moves takes its texts along: the old session's is taken back, and the new session gets it", async () => {
  for (const isOpen of [true, false]) {
    const there = await startPush();
    await there.session();
    const given = there.next();
    const { seq } = await post(there.world.admin, "Wherever you are.");
    const { id } = await given;
    if (!isOpen) await there.ask({ op: "end" });
    const again = there.next();
    await there.ask({ op: "bind", session: "two", agent: there.writer });
    await until(() => there.taken.includes(id), "its return");
    const second = await again;
    expect(second.text).toContain("Wherever you are.");
    there.answered(second.id, "two");
    await acknowledged(there, seq);
  }
});

test("a text with which a turn has begun is not taken back, and its answer counts", async () => {
  const there = await startPush();
  await there.session();
  const given = there.next();
  const { seq } = await post(there.world.admin, "Already seen.");
  const { id } = await given;
  there.state.hasBegun = true;
  const body = { mode: "off" as const };
  await there.world.admin.call("setDeliveryMode", { params: writerOnDocs, body });
  await until(() => there.taken.includes(id), "a try");
  there.answered(id);
  await acknowledged(there, seq);
});

test("what a text that is given again has no room for comes with the next one", async () => {
  const state = { ahead: 0 };
  const clock = {
    ...systemClock,
    now: () => Date.now() + state.ahead,
    elapsed: () => systemClock.elapsed() + state.ahead,
  };
  const there = await startPush(false, clock);
  const { world, ask } = there;
  const scout = await world.seat(world.admin, "docs", { name: "scout" });
  await there.session();
  await ask({ op: "bind", agent: there.writer });
  there.is("busy");
  const first = there.next();
  for (let i = 1; i <= 20; i++) await post(scout, `Number ${i}. ${"x".repeat(3_000)}`);
  const { seq } = await post(scout, { body: "For you.", to: ["@writer"] });
  await there.has(seq);
  there.is("idle");
  const { id, text } = await first;
  expect(text).toContain('<service-digest board="docs" count="20">');
  there.fates.set(id, "unanswered");
  there.is("failed");
  await world.admin.call("setDeliveryMode", {
    params: { board: "docs", member: "writer" },
    body: { mode: "all" },
  });
  const { seq: last } = await post(scout, "The last.");
  await there.has(last);
  state.ahead = 20_000;
  const again = there.next();
  there.is("idle");
  const second = await again;
  expect(second.id).toBe(id);
  // A mode of all has no digest, so the text is cut short.
  expect(second.text).toContain("Number 1. ");
  expect(second.text).not.toContain("Number 20. ");
  const rest = there.next();
  there.fates.set(id, "answered");
  there.is("idle");
  const third = await rest;
  expect(third.text).toContain("Number 20. ");
  expect(await there.position()).toBeLessThan(seq);
  there.answered(third.id);
  await acknowledged(there, last);
});

test("a session whose turns its harness tells counts as one that has run a turn, and a text that begins none as stalled", async () => {
  const clock = movableClock();
  const there = await startPush(false, clock);
  await there.session();
  there.is("busy");
  there.is("idle");
  const status = async () => (await there.ask({ op: "status" })).status!;
  expect((await status()).bindings).toMatchObject([{ turned: true }]);
  const given = there.next();
  const { seq } = await post(there.world.admin, "Look.");
  const { id } = await given;
  expect((await status()).stalled).toEqual([]);
  clock.pass(10_001);
  const trouble = { agent: there.writer, seqs: [seq], reason: "no_turn_started" };
  expect((await status()).stalled).toEqual([trouble]);
  there.is("busy");
  expect((await status()).stalled).toEqual([]);
  there.answered(id);
  await acknowledged(there, seq);
});

test("what was gathered while the session was busy goes as soon as it is idle, and what came at the end is gathered first", async () => {
  const clock = movableClock();
  const played = playedPush();
  const gathering = 60_000;
  const there = await startDaemonOnDocs({}, clock, played.adapter, { gatherMs: gathering });
  const scout = await there.world.seat(there.world.admin, "docs", { name: "scout" });
  const say = async (text: string) => {
    const { seq } = await post(scout, { body: text, to: ["@writer"] });
    await there.has(seq);
  };
  const isReported = async (presence: string) => {
    const { members } = await there.world.admin.call("listMembers", { params: { board: "docs" } });
    return members.some((one) => one.name === "writer" && one.presence === presence);
  };
  await there.session();
  played.is("busy");
  await untilTrue(() => isReported("working"), "a busy session");
  await say("One.");
  clock.pass(gathering);
  played.is("idle");
  await until(() => played.given.length === 1, "the first text");
  played.is("busy");
  played.answered(played.given[0]!.id);
  await untilTrue(() => isReported("working"), "a busy session");
  await say("Two.");
  played.is("idle");
  await untilTrue(() => isReported("idle"), "an idle session");
  await say("Three.");
  expect(played.given).toHaveLength(1);
  clock.pass(gathering);
  await until(() => played.given.length === 2, "the second text");
  expect(played.given[1]!.text).toMatch(/Two[^]*Three/);
});
