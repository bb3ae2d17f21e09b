import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { follow } from "../../support/follow-stream.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, headOf, seatOnDocs } from "../../support/boards/docs-board.ts";

/** `docs` with ana and bo, and ana's agent a. */
async function team() {
  const { world, bo, a } = await startDocs({ a: "ana" });
  const report = (body: NonNullable<Given<"setPresence">["body"]>) =>
    a.call("setPresence", { body });
  /** The agent's presence as another member is shown it. */
  const shown = async (reader: Client = bo) => {
    const { members } = await reader.call("listMembers", docs);
    const { presence, presence_since, delivery } = members.find(({ name }) => name === "a")!;
    return [presence, presence_since, delivery];
  };
  return { world, ana: world.admin, bo, a, report, shown, at: world.at };
}

describe("presence", () => {
  test("is `no_session` since never before the first report, and nothing for people", async () => {
    const { shown, bo } = await team();
    expect(await shown()).toEqual(["no_session", null, null]);
    const { members } = await bo.call("listMembers", docs);
    expect(members.find(({ name }) => name === "ana")).toMatchObject({
      presence: null,
      presence_since: null,
      delivery: null,
      delivery_mode: null,
      delivery_revision: null,
      current_task: null,
    });
  });

  test("keeps its start while it is renewed, and begins anew with another value", async () => {
    const { world, a, report, shown, at } = await team();
    const start = at();
    expect(await report({ presence: "working", delivery: "all" })).toEqual({
      board: "docs",
      agent: a.name,
      presence: "working",
      presence_since: start,
    });
    world.pass(170);
    expect(await report({ presence: "working" })).toMatchObject({ presence_since: start });
    world.pass(170);
    expect(await shown()).toEqual(["working", start, "all"]);
    expect(await report({ presence: "idle" })).toMatchObject({ presence_since: at() });
    expect(await shown()).toEqual(["idle", at(), "all"]);
  });

  test("runs out when a report is three minutes old: `no_session` since the last report", async () => {
    const { world, report, shown, at } = await team();
    await report({ presence: "waiting" });
    world.pass(60);
    await report({ presence: "waiting", delivery: "all" });
    const last = at();
    world.pass(179);
    expect((await shown())[0]).toBe("waiting");
    world.pass(1);
    expect(await shown()).toEqual(["no_session", last, "all"]);
    expect(await report({ presence: "waiting" })).toMatchObject({ presence_since: at() });
    expect(await shown()).toEqual(["waiting", at(), "all"]);
  });

  test("takes `auto` as the old name of the delivery mode `all`, and never shows it", async () => {
    const { ana, report, shown, at } = await team();
    const stream = await follow(ana);
    await stream.next(2);
    await report({ presence: "idle", delivery: "auto" });
    expect(await shown()).toEqual(["idle", at(), "all"]);
    expect(await stream.next(1)).toMatchObject([{ event: "presence", delivery: "all" }]);
  });

  test("that is reported ended after it ran out, ended now; and stays ended since then", async () => {
    const { world, report, shown, at } = await team();
    await report({ presence: "working" });
    world.pass(600);
    expect(await report({ presence: "no_session" })).toMatchObject({ presence_since: at() });
    const end = at();
    world.pass(600);
    expect(await shown()).toEqual(["no_session", end, null]);
    expect(await report({ presence: "no_session" })).toMatchObject({ presence_since: end });
  });

  test("is no event, and for agents alone to report", async () => {
    const { ana, report } = await team();
    const head = await headOf(ana);
    await report({ presence: "working" });
    expect(await headOf(ana)).toBe(head);
    const attempt = ana.call("setPresence", { body: { presence: "idle" } });
    expect(await refusalOf(attempt)).toMatchObject({ status: 403, code: "agent_token_required" });
    expect(await refusalOf(report({ presence: "away" as "idle" }))).toMatchObject({ status: 400 });
  });
});

describe("the delivery mode", () => {
  const setMode = (client: Client, mode: "focused" | "all" | "humans" | "off", member = "a") =>
    client.call("setDeliveryMode", { params: { board: "docs", member }, body: { mode } });

  test("is set by the agent's person, and its revision is the seq of the event that set it", async () => {
    const { ana, a } = await team();
    const answer = await setMode(ana, "humans");
    const event = (await eventsOf(ana)).at(-1)!;
    expect(event).toMatchObject({
      type: "agent.delivery_changed",
      data: { member_id: a.id, name: "a", before: "focused", after: "humans" },
    });
    expect(answer).toEqual({
      board: "docs",
      agent: "a",
      mode: "humans",
      revision: event.seq,
      changed: true,
    });
    expect(await a.call("getMe")).toMatchObject({
      delivery_mode: "humans",
      delivery_revision: event.seq,
    });
    expect(await setMode(ana, "humans")).toEqual({ ...answer, changed: false });
    expect(await headOf(ana)).toBe(event.seq);
  });

  test("that is the default already is no change", async () => {
    const { ana } = await team();
    expect(await setMode(ana, "focused")).toMatchObject({ revision: 0, changed: false });
  });

  test("is not for other people, owners and admins included, nor for agents, nor for people's own member", async () => {
    const { world, ana, bo, a } = await team();
    await world.seat(bo, "docs", { name: "c" });
    const gone = await seatOnDocs(world, "gone");
    await gone.call("leaveAsAgent");
    for (const [client, member, status, code] of [
      [bo, "a", 403, "agent_owner_required"],
      [ana, "c", 403, "agent_owner_required"],
      [a, "a", 403, "human_token_required"],
      [ana, "ana", 404, "agent_not_found"],
      [ana, "nobody", 404, "agent_not_found"],
      [ana, "gone", 404, "agent_not_found"],
    ] as const)
      expect(await refusalOf(setMode(client, "off", member))).toMatchObject({ status, code });
  });
});
