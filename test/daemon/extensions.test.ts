import { expect, test } from "bun:test";
import { connectToDaemon } from "../../src/client/machine/daemon-client.ts";
import { systemClock } from "../../src/daemon/loop/clock.ts";
import { personOnDocs, post } from "../support/boards/docs-board.ts";
import { acknowledged } from "../support/daemon/daemon-on-docs.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { playedExtension, startWithExtension } from "../support/daemon/played-extension.ts";
import { until, untilTrue } from "../support/wait-until.ts";

/** A daemon, and an extension that has opened the session `one` with the agent writer. */
async function startOpened(clock = systemClock) {
  const there = await startWithExtension(clock);
  const extension = await playedExtension(there.machine);
  await extension.opened();
  await there.ask({ op: "bind", agent: there.writer });
  return { ...there, extension };
}

type There = Awaited<ReturnType<typeof startOpened>>;
const openSessions = async ({ ask }: Pick<There, "ask">) =>
  (await ask({ op: "status" })).status!.open_sessions;

test("a text comes on the connection, and only an answer that names it moves the position", async () => {
  const there = await startOpened();
  const given = there.extension.nextText();
  const { seq } = await post(there.world.admin, "Please look.");
  const { session, handoff_id, delivery_class, bundle } = await given;
  expect([session, delivery_class]).toEqual(["one", "owner_only"]);
  expect(bundle).toStartWith(`[service ${handoff_id}]\n\n<service-message board="docs" `);
  expect(bundle).toContain(` seq="${seq}">\nPlease look.\n</service-message>`);
  there.extension.send({ op: "busy", session });
  there.extension.send({ op: "answered", session, handoff_id: `hnd_${"0".repeat(32)}` });
  there.extension.send({ op: "boundary", session, ask: 1 });
  await there.extension.next("notice");
  expect(await there.position()).toBeLessThan(seq);
  there.extension.send({ op: "answered", session, handoff_id });
  await acknowledged(there, seq);
});

test("while a turn runs the owner's words come at once, a notice names the rest, and that comes at the end", async () => {
  const there = await startOpened();
  const { extension, world } = there;
  const ben = await personOnDocs(world, "ben");
  extension.send({ op: "busy", session: "one" });
  const given = extension.nextText();
  const later = await post(ben, { body: "Later.", to: ["@writer"] });
  await post(world.admin, "Now.");
  const now = await given;
  expect(now.bundle).toContain("Now.");
  expect(now.bundle).not.toContain("Later.");
  extension.send({ op: "boundary", session: "one", ask: 7 });
  const { ask, notice } = await extension.next("notice");
  expect(ask).toBe(7);
  expect(notice).toContain(`#${later.seq} from ben (other_person)`);
  expect(notice).not.toContain("Later.");
  extension.fates.set(now.handoff_id, "answered");
  const rest = extension.nextText();
  extension.send({ op: "idle", session: "one" });
  const last = await rest;
  expect(last.delivery_class).toBe("mixed");
  expect(last.bundle).toContain("Later.");
});

test("a reminder comes with the notice at a tool, and never wakes", async () => {
  const clock = movableClock();
  const there = await startOpened(clock);
  const { extension, world, seat } = there;
  extension.send({ op: "busy", session: "one" });
  const until = world.at(60);
  await seat.call("setLine", { body: { kind: "paused", text: "Lunch", until } });
  clock.jump(61_000);
  const said = async () => {
    const count = extension.all("notice").length;
    extension.send({ op: "boundary", session: "one", ask: count });
    return (await extension.next("notice", count)).notice;
  };
  await untilTrue(
    async () => (await said())?.startsWith("Your pause on docs ended") === true,
    "it",
  );
  expect(await said()).toBeUndefined();
  expect(extension.all("deliver")).toEqual([]);
});

test("what a session is reminded of at the start of a turn comes with the text that wakes it, once", async () => {
  const there = await startOpened();
  const { extension, world, seat } = there;
  // The server's time is long ago.
  await seat.call("setLine", { body: { kind: "working", text: "Printing" } });
  const given = extension.nextText();
  await post(world.admin, "Hello.");
  const { handoff_id, bundle } = await given;
  const [first, reminder, message] = bundle.split("\n\n");
  expect(first).toBe(`[service ${handoff_id}]`);
  expect(reminder).toMatch(/^Your status line on docs is .* old\. Say what you do now: /);
  expect(message).toStartWith("<service-message board=");
  extension.send({ op: "busy", session: "one" });
  extension.send({ op: "answered", session: "one", handoff_id });
  extension.fates.set(handoff_id, "answered");
  extension.send({ op: "idle", session: "one" });
  const again = extension.nextText();
  await post(world.admin, "Again.");
  expect((await again).bundle).not.toContain("status line");
});

test("one connection holds several sessions, each with its own seat and its own turns", async () => {
  const there = await startOpened();
  const { extension, world, tokens } = there;
  const seat = await world.seat(world.admin, "docs", { name: "scout" });
  tokens.set(seat.id, seat);
  await extension.opened("two");
  const scout = { ...there.writer, name: "scout", member_id: seat.id };
  await there.ask({ op: "bind", session: "two", agent: scout });
  extension.send({ op: "busy", session: "one" });
  const given = extension.nextText();
  await post(world.admin, { body: "For scout.", to: ["@scout"] });
  expect(await given).toMatchObject({ session: "two", delivery_class: "owner_only" });
  extension.send({ op: "closed", session: "two" });
  await untilTrue(async () => (await openSessions(there)) === 1, "one open session");
  expect(extension.state.ended).toBe(false);
});

test("two seats of one session come in one text", async () => {
  const there = await startOpened();
  const { extension, world, tokens } = there;
  await world.admin.call("createBoard", { body: { name: "notes" } });
  const seat = await world.seat(world.admin, "notes", { name: "noter" });
  tokens.set(seat.id, seat);
  extension.send({ op: "busy", session: "one" });
  const noter = { server: "local", board: "notes", name: "noter", member_id: seat.id };
  await there.ask({ op: "bind", agent: noter });
  const helper = await world.seat(world.admin, "docs", { name: "helper" });
  const other = await world.seat(world.admin, "notes", { name: "other" });
  await post(helper, { body: "On docs.", to: ["@writer"] });
  const body = { body: "On notes.", to: ["@noter"] };
  await other.call("postMessage", { params: { board: "notes" }, body });
  await untilTrue(async () => {
    const count = extension.all("notice").length;
    extension.send({ op: "boundary", session: "one", ask: count });
    await extension.next("notice", count);
    const notices = extension.all("notice").map(({ notice = "" }) => notice);
    return ["docs", "notes"].every((board) => notices.some((one) => one.includes(`"${board}"`)));
  }, "both messages");
  const given = extension.nextText();
  extension.send({ op: "idle", session: "one" });
  const { bundle } = await given;
  expect(bundle).toContain("On docs.");
  expect(bundle).toContain("On notes.");
});

test("a connection that closes closes its sessions, and the next one is asked what became of their texts", async () => {
  const there = await startOpened();
  const given = there.extension.nextText();
  const { seq } = await post(there.world.admin, "Still here?");
  const { handoff_id } = await given;
  await there.extension.close();
  await untilTrue(async () => (await openSessions(there)) === 0, "no open session");
  const next = await playedExtension(there.machine, "boot_2");
  next.fates.set(handoff_id, "unanswered");
  const { agents, reopened, note } = await next.opened();
  expect(agents).toEqual([there.writer]);
  expect(reopened).toBe(true);
  expect(note).toContain("writer on the board docs");
  const again = await next.next("deliver");
  expect(again.handoff_id).toBe(handoff_id);
  expect(again.bundle).toContain("Still here?");
  expect(await there.position()).toBeLessThan(seq);
  next.send({ op: "answered", session: "one", handoff_id });
  await acknowledged(there, seq);
});

test("goodbye closes the sessions of its connection", async () => {
  const there = await startOpened();
  there.extension.send({ op: "goodbye" });
  await untilTrue(async () => (await openSessions(there)) === 0, "no open session");
});

test("a session that another connection opens is released by the first, whose words about it prove nothing", async () => {
  const there = await startOpened();
  const { extension } = there;
  const given = extension.nextText();
  const { seq } = await post(there.world.admin, "Whose is this?");
  const { handoff_id } = await given;
  const second = await playedExtension(there.machine, "boot_2");
  second.fates.set(handoff_id, "waiting");
  await second.opened();
  expect(await extension.next("release")).toEqual({
    v: 1,
    event: "release",
    session: "one",
  } as never);
  extension.send({ op: "answered", session: "one", handoff_id });
  extension.send({ op: "closed", session: "one" });
  await extension.opened("three");
  expect(await there.position()).toBeLessThan(seq);
  await extension.close();
  await untilTrue(async () => (await openSessions(there)) === 1, "the second one's session");
  second.send({ op: "answered", session: "one", handoff_id });
  await acknowledged(there, seq);
});

test("a text that the harness does not take is given again, under another id if it is absent", async () => {
  const there = await startOpened();
  const { extension } = there;
  extension.state.takes = false;
  const given = extension.nextText();
  const { seq } = await post(there.world.admin, "Take this.");
  const { session, handoff_id } = await given;
  const again = extension.nextText();
  extension.state.takes = true;
  extension.send({ op: "refused", session, handoff_id, reason: "no\nsuch agent" });
  extension.send({ op: "idle", session });
  const second = await again;
  expect(second.handoff_id).not.toBe(handoff_id);
  expect(second.bundle).toContain("Take this.");
  expect(there.logged.join("\n")).toContain("no such agent");
  extension.send({ op: "answered", session, handoff_id: second.handoff_id });
  await acknowledged(there, seq);
});

test("a subagent's hello and session are refused, and the connection of its root goes on", async () => {
  const there = await startOpened();
  const { extension } = there;
  extension.send({ op: "open", session: "child", subagent: "child" });
  const { session, code } = await extension.next("refused");
  expect([session, code]).toEqual(["child", "subagent_session"]);
  expect(await openSessions(there)).toBe(1);
  const other = await playedExtension(there.machine);
  other.send({ ...other.hello, subagent: "child" });
  await other.ended();
  expect(other.state.error).toBe("subagent_session");
});

test("a hello without a boot, of a harness without extensions, and a line without a session end the connection", async () => {
  const there = await startWithExtension();
  const refusals = [{ boot: "" }, { harness: "claude-code" }, { v: 2 }];
  const codes: string[] = [];
  for (const wrong of refusals) {
    const extension = await playedExtension(there.machine);
    extension.send({ ...extension.hello, ...wrong });
    await extension.ended();
    codes.push(extension.state.error);
  }
  expect(codes).toEqual(["invalid_request", "invalid_request", "daemon_protocol_mismatch"]);
  const extension = await playedExtension(there.machine);
  extension.send(extension.hello);
  extension.send({ op: "busy", session: "" });
  await extension.ended();
  expect(extension.state.error).toBe("invalid_request");
});

test("unknown lines and fields are passed over, and what an extension logs stands on one line of the log", async () => {
  const there = await startOpened();
  const { extension } = there;
  extension.send({ op: "dance", session: "one", colour: "red" } as never);
  extension.send({ op: "ping" } as never);
  extension.send({ op: "log", text: "it\nfailed" });
  extension.send({ op: "log", text: "x".repeat(5_000) });
  extension.send({ op: "boundary", session: "one", ask: 3 });
  await extension.next("notice");
  expect(there.told).toEqual(["fake: it failed", `fake: ${"x".repeat(300)}`]);
});

test("the versions that a hello names stand in the log", async () => {
  const there = await startOpened();
  const versions = { harness_version: "1.18.33", extension_version: "0.1.0\nforged" };
  const connection = await connectToDaemon(there.machine);
  connection.send({ op: "hello", harness: "fake", boot: "other", ...versions });
  await connection.next();
  connection.close();
  expect(there.told).toEqual(["fake: version 1.18.33, extension 0.1.0 forged"]);
});

test("a bundle of 32 KiB fits into one line", async () => {
  const there = await startOpened();
  const given = there.extension.nextText();
  await post(there.world.admin, `"\\\n`.repeat(10_000));
  const { bundle } = await given;
  expect(Buffer.byteLength(bundle)).toBeGreaterThan(29_000);
});

test("a command's session that no extension has opened is not known, and one that opens meanwhile is", async () => {
  // What is due in some seconds comes at once.
  const hurried = {
    ...systemClock,
    after: (milliseconds: number, act: () => void) =>
      systemClock.after(milliseconds === 4_000 ? 1 : milliseconds, act),
  };
  const there = await startWithExtension(hurried);
  const { ask, writer } = there;
  await expect(ask({ op: "bind", agent: writer })).rejects.toMatchObject({
    code: "session_unknown",
    hint: expect.stringContaining("service init"),
  });
  const patient = await startWithExtension();
  const bound = patient.ask({ op: "bind", agent: patient.writer });
  const extension = await playedExtension(patient.machine);
  await extension.opened();
  expect((await bound).agents).toEqual([patient.writer]);
});

test("a daemon that stops says so, and the next one knows the session only from its extension", async () => {
  const there = await startOpened();
  const given = there.extension.nextText();
  const { seq } = await post(there.world.admin, "Before the end.");
  const { handoff_id } = await given;
  await there.stop();
  await there.extension.next("stopping");
  await there.extension.ended();
  await there.start();
  expect(await openSessions(there)).toBe(0);
  const next = await playedExtension(there.machine);
  next.fates.set(handoff_id, "answered");
  await next.opened();
  await acknowledged(there, seq);
  expect(next.all("deliver")).toEqual([]);
});

test("a session that is busy when it opens gets nothing of others before its turn ends", async () => {
  const there = await startOpened();
  const { extension, world } = there;
  await extension.close();
  await untilTrue(async () => (await openSessions(there)) === 0, "no open session");
  const ben = await personOnDocs(world, "ben");
  const { seq } = await post(ben, { body: "Whenever.", to: ["@writer"] });
  const next = await playedExtension(there.machine);
  await next.opened("one", "busy");
  await untilTrue(async () => {
    const count = next.all("notice").length;
    next.send({ op: "boundary", session: "one", ask: count });
    return (await next.next("notice", count)).notice?.includes(`#${seq}`) === true;
  }, "a notice");
  expect(next.all("deliver")).toEqual([]);
  next.send({ op: "idle", session: "one" });
  await until(() => next.all("deliver").length === 1, "the text");
});

test("the pause after failures grows only while one follows another", async () => {
  const clock = movableClock();
  const there = await startOpened(clock);
  const { extension } = there;
  const session = "one";
  for (const op of ["busy", "failed", "busy", "idle", "busy", "failed"] as const)
    extension.send({ op, session });
  await extension.opened();
  const { seq } = await post(there.world.admin, "After the pause.");
  await there.has(seq);
  expect(extension.all("deliver")).toEqual([]);
  const given = extension.nextText();
  clock.pass(16_000);
  expect((await given).bundle).toContain("After the pause.");
});
