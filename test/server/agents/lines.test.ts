import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { follow } from "../../support/follow-stream.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, guestOn, headOf, setPolicy } from "../../support/boards/docs-board.ts";
import { count } from "../../support/count-rows.ts";
import { verdictOf } from "../../support/raw-requests.ts";

type Line = NonNullable<Given<"setLine">["body"]>;

/** `docs` with ana and bo, and ana's agent a. */
async function team() {
  const { world, id, ana, bo, a } = await startDocs({ a: "ana" });
  /** An agent's line and state as another member is shown them. */
  const shown = async (reader: Client = bo, name = "a") => {
    const { members } = await reader.call("listMembers", {
      ...docs,
      query: { removed: true },
    });
    const { line, state } = members.find((member) => member.name === name)!;
    return { line, state };
  };
  const set = (line: Line, options = {}) => a.call("setLine", { body: line }, options);
  const report = (presence: "working" | "idle" | "waiting" | "no_session") =>
    a.call("setPresence", { body: { presence } });
  const event = { event: "presence" as const, board: "docs", board_id: id };
  const ofA = { ...event, agent: "a", member_id: a.id };
  return { world, ana, bo, a, at: world.at, shown, set, report, ofA };
}
const onDocs = (member: string) => ({ params: { board: "docs", member } });

describe("a line", () => {
  test("is none before one is set, and nothing for people", async () => {
    const { world, shown } = await team();
    expect(await shown()).toEqual({ line: null, state: "disconnected" });
    expect(await shown(world.admin, "bo")).toEqual({ line: null, state: null });
    expect((await world.admin.call("getInfo")).features).toContain("lines");
  });

  test("is set by its agent, shown to everybody on the board, and taken away again", async () => {
    const { world, a, at, shown, set, bo, report } = await team();
    await report("idle");
    const scout = await world.seat(bo, "docs", { name: "scout" });
    await setPolicy(world, { visibility: "addressed", show_harness: false });
    const line = {
      kind: "working" as const,
      text: "Fixing the parser",
      until: null,
      task: null,
      set_by: "a",
      source: "command" as const,
      at: at(),
    };
    expect(await set({ kind: "working", text: "Fixing the parser" })).toMatchObject({
      id: a.id,
      name: "a",
      board: "docs",
      status: "active",
      line,
      state: "working",
    });
    for (const reader of [bo, scout, a, world.admin])
      expect(await shown(reader)).toEqual({ line, state: "working" });
    const none = { line: null, state: "idle" as const };
    expect(await a.call("clearLine")).toMatchObject(none);
    expect(await a.call("clearLine")).toMatchObject(none);
    expect(await shown()).toEqual(none);
  });

  test("is what was set last, by the agent, its person or the plan of its harness", async () => {
    const { world, ana, a, at, shown, set } = await team();
    await set({ kind: "working", text: "One" });
    world.pass(1);
    const byAna = { kind: "paused" as const, text: "Two", until: at(60) };
    const answer = await ana.call("setMemberLine", { ...onDocs("a"), body: byAna });
    expect(answer).toMatchObject({
      name: "a",
      line: { ...byAna, set_by: "ana", source: "command", at: at() },
      state: "paused",
    });
    await set({ kind: "working", text: "Three", source: "plan" });
    expect((await shown()).line).toMatchObject({ text: "Three", set_by: "a", source: "plan" });
    await ana.call("setMemberLine", { ...onDocs(a.id), body: byAna });
    expect((await shown()).line).toMatchObject({ text: "Two", set_by: "ana" });
    expect(await ana.call("clearMemberLine", onDocs(a.id))).toMatchObject({ line: null });
    expect(await ana.call("clearMemberLine", onDocs("a"))).toMatchObject({ line: null });
    expect((await shown()).line).toBeNull();
  });

  test("names the person who set it by the name of now", async () => {
    const { ana, shown } = await team();
    await ana.call("setMemberLine", { ...onDocs("a"), body: { kind: "working", text: "One" } });
    await ana.call("renamePerson", { params: { handle: "ana" }, body: { handle: "anna" } });
    expect((await shown()).line).toMatchObject({ set_by: "anna" });
  });

  test("has 1 to 120 characters, counted as code points, kept as they are", async () => {
    const { set, shown } = await team();
    const long = "🎉".repeat(120);
    await set({ kind: "working", text: long });
    expect((await shown()).line?.text).toBe(long);
    for (const text of ["", `${long}x`])
      expect(await verdictOf(set({ kind: "working", text }))).toBe("400 invalid_request");
    expect(await verdictOf(set({ kind: "working", text: " \n" }))).toBe("422 invalid_request");
    expect((await shown()).line?.text).toBe(long);
  });

  test("that is paused needs a time ahead, which is shown in UTC", async () => {
    const { at, set, shown } = await team();
    const paused = (until?: string) =>
      set({ kind: "paused", text: "Lunch", ...(until !== undefined && { until }) });
    expect(await refusalOf(paused())).toMatchObject({
      status: 422,
      code: "invalid_request",
      message: expect.stringContaining("until"),
    });
    for (const until of [at(), at(-1), "2025-12-31T23:59:59Z", "2026-01-01T00:59:00+01:00"])
      expect(await verdictOf(paused(until))).toBe("422 line_until_past");
    const none = ["2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-02-01T00:00:00+99:00"];
    for (const until of [...none, "9999-12-31T23:59:59-12:00", "tomorrow", "2026-02-01"])
      expect(await verdictOf(paused(until))).toBe("400 invalid_request");
    expect((await shown()).line).toBeNull();
    for (const [until, told] of [
      ["2026-01-01T01:30:00+01:00", "2026-01-01T00:30:00.000Z"],
      ["2026-01-01T00:30:00.1239Z", "2026-01-01T00:30:00.123Z"],
      ["2028-02-29T12:00:00Z", "2028-02-29T12:00:00.000Z"],
    ] as const) {
      await paused(until);
      expect((await shown()).line?.until).toBe(told);
    }
  });

  test("that works may have a time too, which must be ahead and makes nobody late", async () => {
    const { world, at, set, shown, report } = await team();
    await report("idle");
    const until = at(60);
    await set({ kind: "working", text: "A demo", until });
    world.pass(61);
    expect(await shown()).toMatchObject({ line: { until }, state: "working" });
    const past = set({ kind: "working", text: "A demo", until: at(-1) });
    expect(await verdictOf(past)).toBe("422 line_until_past");
  });

  test("is no event, and its repeat under one key sets nothing a second time", async () => {
    const { world, ana, set, shown } = await team();
    const [head, events] = [await headOf(ana), await eventsOf(ana)];
    const once = { idempotencyKey: "once" };
    const first = await set({ kind: "working", text: "One" }, once);
    await set({ kind: "working", text: "Two" });
    world.pass(1);
    expect(await set({ kind: "working", text: "One" }, once)).toEqual(first);
    expect((await shown()).line).toMatchObject({ text: "Two" });
    expect(await verdictOf(set({ kind: "working", text: "Three" }, once))).toBe(
      "422 idempotency_conflict",
    );
    expect([await headOf(ana), await eventsOf(ana)]).toEqual([head, events]);
  });

  test("is set and taken away on an archived board, and on no deleted one", async () => {
    const { ana, a, set, shown } = await team();
    await ana.call("archiveBoard", docs);
    await set({ kind: "working", text: "Packing" });
    expect(await shown()).toMatchObject({ line: { text: "Packing" }, state: "disconnected" });
    await ana.call("clearMemberLine", onDocs("a"));
    await ana.call("setMemberLine", { ...onDocs("a"), body: { kind: "working", text: "Gone" } });
    expect(await a.call("clearLine")).toMatchObject({ line: null });
    await ana.call("deleteBoard", docs);
    for (const attempt of [
      set({ kind: "working", text: "x" }),
      a.call("clearLine"),
      ana.call("clearMemberLine", onDocs("a")),
    ])
      expect(await verdictOf(attempt)).toBe("404 board_not_found");
  });

  test("ends with its seat", async () => {
    const { world, ana, a, at, set, shown, report, bo, ofA } = await team();
    await report("working");
    await set({ kind: "paused", text: "Lunch", until: at(10) });
    const stream = await follow(bo);
    await stream.next(2);
    await ana.call("removeAgent", onDocs("a"));
    await stream.next(1);
    expect(await shown()).toEqual({ line: null, state: "disconnected" });
    expect(await verdictOf(set({ kind: "working", text: "x" }))).toBe("403 agent_removed");
    for (const attempt of [
      ana.call("setMemberLine", { ...onDocs("a"), body: { kind: "working", text: "x" } }),
      ana.call("clearMemberLine", onDocs(a.id)),
    ])
      expect(await verdictOf(attempt)).toBe("404 agent_not_found");
    world.pass(3600);
    await world.sweep();
    await ana.call("updateBoard", { ...docs, body: { title: "New" } });
    expect(await stream.next(1)).not.toContainEqual(expect.objectContaining(ofA));
  });

  test("is its own person's to set: not others', owners and admins included, and no person has one", async () => {
    const { world, ana, bo, a } = await team();
    const c = await world.seat(bo, "docs", { name: "c" });
    const plans = await bo.call("createBoard", { body: { name: "plans" } });
    const elsewhere = await world.seat(bo, plans.name, { name: "d" });
    for (const [client, member, verdict] of [
      [bo, "a", "403 agent_owner_required"],
      [ana, "c", "403 agent_owner_required"],
      [ana, c.id, "403 agent_owner_required"],
      [a, "a", "403 human_token_required"],
      [ana, "ana", "404 agent_not_found"],
      [ana, "nobody", "404 agent_not_found"],
      [ana, "No Body", "404 agent_not_found"],
      [bo, "d", "404 agent_not_found"],
      [bo, elsewhere.id, "404 agent_not_found"],
    ] as const) {
      const body = { kind: "working" as const, text: "x" };
      for (const attempt of [
        client.call("setMemberLine", { ...onDocs(member), body }),
        client.call("clearMemberLine", onDocs(member)),
      ])
        expect([member, await verdictOf(attempt)]).toEqual([member, verdict]);
    }
    expect(await verdictOf(ana.call("clearLine"))).toBe("403 agent_token_required");
  });

  test("is a guest's to set, and their agent's", async () => {
    const { world, shown } = await team();
    const gus = await guestOn(world, "gus");
    await gus.agent.call("setLine", { body: { kind: "working", text: "Looking round" } });
    expect((await shown(gus, gus.agent.name)).line).toMatchObject({ set_by: gus.agent.name });
    const body = { kind: "working" as const, text: "Looking" };
    await gus.call("setMemberLine", { ...onDocs(gus.agent.name), body });
    expect((await shown(gus, gus.agent.name)).line).toMatchObject({ set_by: "gus" });
    expect(await gus.agent.call("clearLine")).toMatchObject({ line: null });
    const others = gus.call("setMemberLine", { ...onDocs("a"), body });
    expect(await verdictOf(others)).toBe("403 agent_owner_required");
  });
});

describe("the state", () => {
  test("is the first that holds: waiting, paused or late, disconnected, working, idle", async () => {
    const { world, a, at, set, shown, report } = await team();
    const states = async () => {
      const found = [];
      for (const presence of ["working", "idle", "waiting", "no_session"] as const) {
        await report(presence);
        found.push((await shown()).state);
      }
      return found;
    };
    expect(await states()).toEqual(["working", "idle", "waiting", "disconnected"]);
    await set({ kind: "working", text: "One" });
    expect(await states()).toEqual(["working", "working", "waiting", "disconnected"]);
    await set({ kind: "paused", text: "Two", until: at(10) });
    expect(await states()).toEqual(["paused", "paused", "waiting", "paused"]);
    world.pass(9);
    expect(await states()).toEqual(["paused", "paused", "waiting", "paused"]);
    world.pass(1);
    expect(await states()).toEqual(["late", "late", "waiting", "late"]);
    await a.call("clearLine");
    expect(await states()).toEqual(["working", "idle", "waiting", "disconnected"]);
  });

  test("is disconnected once a report has run out, whatever the line says but paused", async () => {
    const { world, at, set, shown, report } = await team();
    await report("idle");
    await set({ kind: "working", text: "One" });
    world.pass(179);
    expect((await shown()).state).toBe("working");
    world.pass(1);
    expect((await shown()).state).toBe("disconnected");
    await set({ kind: "paused", text: "Two", until: at(10) });
    expect((await shown()).state).toBe("paused");
  });
});

describe("the stream", () => {
  test("tells of a line that is set, changed and taken away, to everybody on the board, not of one that is renewed", async () => {
    const { world, ana, bo, a, at, set, ofA, report } = await team();
    await report("idle");
    const streams = [await follow(ana), await follow(bo)];
    for (const each of streams) await each.next(2);
    const start = at();
    const idle = { ...ofA, presence: "idle" as const, presence_since: start, delivery: null };
    const line = {
      kind: "working" as const,
      text: "One",
      until: null,
      task: null,
      set_by: "a",
      source: "command" as const,
      at: start,
    };
    await set({ kind: "working", text: "One" });
    for (const each of streams)
      expect(await each.next(1)).toEqual([{ ...idle, line, state: "working" }]);
    world.pass(5);
    await set({ kind: "working", text: "One" });
    await ana.call("setMemberLine", {
      ...onDocs("a"),
      body: { kind: "working", text: "One" },
    });
    const byAna = { ...line, set_by: "ana", at: at() };
    for (const each of streams)
      expect(await each.next(1)).toEqual([{ ...idle, line: byAna, state: "working" }]);
    await a.call("clearLine");
    await a.call("clearLine");
    for (const each of streams)
      expect(await each.next(1)).toEqual([{ ...idle, line: null, state: "idle" }]);
    const { head_seq } = await ana.call("updateBoard", { ...docs, body: { title: "New" } });
    for (const each of streams)
      expect(await each.next(1)).toMatchObject([{ event: "head", seq: head_seq }]);
  });

  test("tells once that a paused agent is late, and again after another pause", async () => {
    const { world, bo, at, set, ofA } = await team();
    const stream = await follow(bo);
    await stream.next(2);
    for (const text of ["One", "Two"]) {
      const until = at(30);
      await set({ kind: "paused", text, until });
      const line = { text, until };
      expect(await stream.next(1)).toMatchObject([{ ...ofA, line, state: "paused" }]);
      world.pass(29);
      await world.sweep();
      world.pass(1);
      await world.sweep();
      await world.sweep();
      expect(await stream.next(1)).toMatchObject([{ ...ofA, line, state: "late" }]);
    }
    await set({ kind: "working", text: "Three" });
    world.pass(60);
    await world.sweep();
    await world.admin.call("updateBoard", { ...docs, body: { title: "New" } });
    expect(await stream.next(2)).toMatchObject([
      { ...ofA, line: { text: "Three" }, state: "disconnected" },
      { event: "head" },
    ]);
  });

  test("tells nothing of a pause that is made longer while it is found to have passed", async () => {
    const { world, bo, at, set, ofA } = await team();
    await set({ kind: "paused", text: "One", until: at(30) });
    const stream = await follow(bo);
    await stream.next(2);
    world.pass(30);
    const later = at(60);
    const longer = world.db.write((tx) => tx.run("UPDATE agent_line SET until = ?", later));
    await Promise.all([longer, world.sweep()]);
    const untold = world.db.read((tx) =>
      count(tx, "SELECT count(*) AS n FROM agent_line WHERE late_told = 0"),
    );
    expect(untold).toBe(1);
    world.pass(60);
    await world.sweep();
    expect(await stream.next(1)).toMatchObject([{ ...ofA, state: "late" }]);
  });
});
