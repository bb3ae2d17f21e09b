import { describe, expect, test } from "bun:test";
import { personOnDocs, post } from "../boards/docs-board.ts";
import { acknowledged, startDaemonOnDocs } from "./daemon-on-docs.ts";
import type { HarnessUnderTest } from "./harness-under-test.ts";
import { movableClock } from "./movable-clock.ts";

async function start(harness: HarnessUnderTest, gatherMs = 0) {
  const clock = movableClock();
  const { adapter, drive } = harness.make();
  const there = await startDaemonOnDocs({}, clock, adapter, { gatherMs });
  const driver = drive(there);
  const { world, ask, writer } = there;
  const text = (session = "one") => driver.read(session).join("\n");
  return {
    there,
    driver,
    clock,
    world,
    writer,
    text,
    /** A session that has the seat, and whose stream is open. */
    async seated(session = "one", agent = writer) {
      await driver.open(session);
      await ask({ op: "bind", session, agent });
      await there.connected();
    },
    /** How often the model of a session has read a message. */
    times: (body: string, session = "one") => text(session).split(body).length - 1,
    /** Plays turns until a message of the writer is acknowledged. */
    async finish(seq: number, session = "one") {
      while ((await there.position()) < seq) {
        if (driver.isBusy(session)) await driver.answer(session);
        else await Promise.race([driver.woken(session), acknowledged(there, seq).catch(() => {})]);
      }
    },
  };
}

/**
 * Tries what every adapter must do, with sessions that a driver plays: nothing gets lost, and the read position moves only
 * for what a turn had that the model answered.
 */
export function testHarness(harness: HarnessUnderTest): void {
  describe(harness.name, () => {
    test("a message wakes an idle session, and only the model's answer moves the position", async () => {
      const { there, driver, world, seated, times } = await start(harness);
      await seated();
      const { seq } = await post(world.admin, "Please look.");
      await driver.woken("one");
      expect(times("Please look.")).toBe(1);
      expect(await there.position()).toBeLessThan(seq);
      await driver.answer("one");
      await acknowledged(there, seq);
      expect(times("Please look.")).toBe(1);
    });

    test("a burst is one bundle", async () => {
      const { there, driver, clock, world, seated, times } = await start(harness, 2_000);
      await seated();
      const woken = driver.woken("one");
      clock.hold();
      for (let number = 1; number <= 5; number++) {
        const { seq } = await post(world.admin, `Part ${number}.`);
        await there.has(seq);
      }
      await there.ask({ op: "status" });
      expect(driver.read("one")).toEqual([]);
      clock.go();
      clock.pass(2_000);
      await woken;
      expect(driver.read("one")).toHaveLength(1);
      for (let number = 1; number <= 5; number++) expect(times(`Part ${number}.`)).toBe(1);
    });

    test("another agent's words wait for the end of a turn", async () => {
      const { there, driver, world, seated, times, finish } = await start(harness);
      const other = await world.seat(world.admin, "docs", { name: "scout" });
      await seated();
      await driver.type("one");
      const { seq } = await post(other, { body: "From an agent.", to: ["@writer"] });
      await there.has(seq);
      await driver.tool("one");
      expect(times("From an agent.")).toBe(0);
      await finish(seq);
      expect(times("From an agent.")).toBe(1);
    });

    test("the owner's words come while a turn runs", async () => {
      const { there, driver, world, seated, times, finish } = await start(harness);
      await seated();
      await driver.type("one");
      const { seq } = await post(world.admin, "Stop that.");
      await there.has(seq);
      while (times("Stop that.") === 0) await driver.tool("one");
      expect(await there.position()).toBeLessThan(seq);
      await finish(seq);
      expect(times("Stop that.")).toBe(1);
    });

    test("a text that is lost before its turn begins is handed again", async () => {
      const { there, driver, world, seated, times, finish } = await start(harness);
      await seated();
      driver.loseNext("one");
      const { seq } = await post(world.admin, "Once more.");
      await driver.woken("one");
      expect(times("Once more.")).toBe(1);
      expect(await there.position()).toBeLessThan(seq);
      await finish(seq);
    });

    test("a turn that fails proves nothing, and the message is handed again after a pause", async () => {
      const { there, driver, clock, world, seated, times, finish } = await start(harness);
      await seated();
      const { seq } = await post(world.admin, "Try this.");
      await driver.woken("one");
      await driver.fail("one");
      expect(await there.position()).toBeLessThan(seq);
      expect(driver.isBusy("one")).toBe(false);
      const again = driver.woken("one");
      clock.pass(20_000);
      await again;
      await finish(seq);
      expect(times("Try this.")).toBe(2);
    });

    for (const when of ["before the wake", "while its turn runs"])
      test(`a daemon that restarts ${when} loses nothing`, async () => {
        const { there, driver, world, seated, times, finish } = await start(harness);
        await seated();
        const isFirst = when === "before the wake";
        if (isFirst) await there.stop();
        const { seq } = await post(world.admin, "Keep this.");
        if (!isFirst) {
          await driver.woken("one");
          await there.stop();
        }
        await there.start();
        expect(await there.position()).toBeLessThan(seq);
        await finish(seq);
        expect(times("Keep this.")).toBe(1);
      });

    test("a session that is closed in its turn gets the message again when it is resumed", async () => {
      const { there, driver, world, seated, times, finish } = await start(harness);
      await seated();
      const { seq } = await post(world.admin, "For later.");
      await driver.woken("one");
      await driver.close("one");
      expect(await there.position()).toBeLessThan(seq);
      await driver.open("one");
      await driver.woken("one");
      expect(times("For later.")).toBe(2);
      expect(await there.position()).toBeLessThan(seq);
      await finish(seq);
    });

    test("a seat that moves takes its unanswered messages along, and the old session proves nothing", async () => {
      const { there, driver, world, writer, seated, times, finish } = await start(harness);
      await seated();
      const { seq } = await post(world.admin, "Whose is this?");
      await driver.woken("one");
      await seated("two", writer);
      await driver.answer("one");
      await driver.woken("two");
      expect(times("Whose is this?", "two")).toBe(1);
      expect(await there.position()).toBeLessThan(seq);
      await finish(seq, "two");
    });

    test("two seats on two boards have one bundle, and each is acknowledged with its own number", async () => {
      const { there, driver, world, seated, times } = await start(harness);
      await world.admin.call("createBoard", { body: { name: "plans" } });
      const seat = await world.seat(world.admin, "plans", { name: "planner" });
      there.tokens.set(seat.id, seat);
      await seated();
      await driver.type("one");
      const planner = { server: "local", board: "plans", name: "planner", member_id: seat.id };
      await there.ask({ op: "bind", agent: planner });
      const toPlans = { params: { board: "plans" }, body: { body: "On plans.", to: ["@planner"] } };
      const toDocs = { body: "On docs.", to: ["@writer"] };
      const bo = await personOnDocs(world, "bo");
      await world.admin.call("addPerson", { params: { board: "plans" }, body: { handle: "bo" } });
      const one = await post(bo, toDocs);
      const other = await bo.call("postMessage", toPlans);
      // The same number on both boards names two messages.
      expect(other.seq).toBe(one.seq);
      await there.has(one.seq);
      await there.has(other.seq, planner);
      const failing = there.tokens.get(seat.id)!;
      there.tokens.delete(seat.id);
      await driver.answer("one");
      if (times("On docs.") === 0) await driver.woken("one");
      expect(times("On docs.")).toBe(1);

      expect(times("On plans.")).toBeGreaterThan(0);
      if (driver.isBusy("one")) await driver.answer("one");
      await acknowledged(there, one.seq);
      const position = async () => (await seat.call("getInbox")).cursor;
      expect(await position()).toBeLessThan(other.seq);
      there.tokens.set(seat.id, failing);
      const { seq } = await bo.call("postMessage", toPlans);
      await there.has(seq, planner);
      await acknowledged({ position }, other.seq);
    });

    test("a seat that is off gets nothing, and everything once it is not", async () => {
      const { there, driver, world, seated, times, finish } = await start(harness);
      const setMode = (mode: "off" | "focused") =>
        world.admin.call("setDeliveryMode", {
          params: { board: "docs", member: "writer" },
          body: { mode },
        });
      await setMode("off");
      await seated();
      const { seq } = await post(world.admin, "Not now.");
      await there.has(seq);
      await driver.type("one");
      await driver.tool("one");
      await driver.answer("one");
      expect(times("Not now.")).toBe(0);
      await setMode("focused");
      await driver.woken("one");
      await finish(seq);
      expect(times("Not now.")).toBe(1);
    });
  });
}
