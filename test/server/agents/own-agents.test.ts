import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { follow } from "../../support/follow-stream.ts";
import {
  docs,
  eventsOf,
  guestCodeFor,
  guestOn,
  makeDocs,
  personOnDocs,
  seatOnDocs,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { ask, verdictOf } from "../../support/raw-requests.ts";
import { browserOf, delegate } from "../../support/other-callers.ts";

const place = { harness: "codex", session_id: "7f3a", folder: "/home/ana/app" };

/** `docs` and ana's private board `den`, with her agents a and b on one and c on the other, and bo's scout on docs. */
async function team() {
  const world = await startWorld();
  const { admin: ana } = world;
  await makeDocs(world);
  await ana.call("createBoard", { body: { name: "den", visibility: "private" } });
  const bo = await personOnDocs(world, "bo");
  const c = await world.seat(ana, "den", { name: "c", harness: "codex" });
  const [b, a] = [await seatOnDocs(world, "b"), await seatOnDocs(world, "a")];
  const scout = await world.seat(bo, "docs", { name: "scout", harness: "codex" });
  return { world, ana, bo, a, b, c, scout };
}
const locate = (agent: Client, body = place, options = {}) =>
  agent.call("setAgentLocation", { body }, options);
const agentsOf = async (client: Client) => (await client.call("listOwnAgents")).agents;
const namesOf = async (client: Client) =>
  (await agentsOf(client)).map(({ board, name }) => `${board}/${name}`);
/** Where a member of docs is, as a reader is shown it. */
async function shown(reader: Client, name: string) {
  const { members } = await reader.call("listMembers", {
    ...docs,
    query: { removed: true },
  });
  return members.find((member) => member.name === name)?.location;
}

describe("one's own agents", () => {
  test("are listed over all boards, by board and then by joining, for the person and for each of them", async () => {
    const { world, ana, bo, a, c, scout } = await team();
    const browser = world.as(await browserOf(world, ana.token));
    for (const client of [ana, browser, a, c])
      expect(await namesOf(client)).toEqual(["docs/b", "docs/a", "den/c"]);
    for (const client of [bo, scout]) expect(await namesOf(client)).toEqual(["docs/scout"]);
    expect(await namesOf(await world.person("cy"))).toEqual([]);
  });

  test("are as the list of members tells them, an agent's harness as its own board lets it be seen", async () => {
    const { world, ana, a, b, c, scout } = await team();
    await c.call("setPresence", { body: { presence: "working" } });
    const { members } = await ana.call("listMembers", { params: { board: "den" } });
    const { can_remove: _, ...member } = members.find(({ id }) => id === c.id)!;
    expect((await agentsOf(ana))[2]).toEqual(member);
    await setPolicy(world, { show_harness: false });
    expect((await agentsOf(a))[2]).toMatchObject({ name: "c", harness: "codex" });
    expect((await agentsOf(scout))[0]).toMatchObject({ harness: "codex" });
    await ana.call("updateBoard", {
      params: { board: "den" },
      body: { policy: { show_harness: false } },
    });
    expect((await agentsOf(b))[2]).toMatchObject({ name: "c", harness: null });
    expect((await agentsOf(ana))[2]).toMatchObject({ harness: "codex" });
  });

  test("are those that are active: not of an ended seat, of a board that was left or of a deleted one", async () => {
    const { ana, bo, a, c } = await team();
    const inDen = { params: { board: "den" } };
    await a.call("leaveAsAgent");
    await ana.call("archiveBoard", inDen);
    expect(await namesOf(ana)).toEqual(["docs/b", "den/c"]);
    expect(await namesOf(c)).toEqual(["docs/b", "den/c"]);
    await ana.call("deleteBoard", inDen);
    expect(await namesOf(ana)).toEqual(["docs/b"]);
    expect(await verdictOf(agentsOf(c))).toBe("404 board_not_found");
    await bo.call("leaveBoard", docs);
    expect(await namesOf(bo)).toEqual([]);
    expect(await verdictOf(agentsOf(a))).toBe("403 agent_removed");
  });

  test("of a guest are those on their boards, and of a guest's agent those on its own", async () => {
    const { world, ana } = await team();
    const gus = await guestOn(world, "gus");
    await ana.call("createBoard", { body: { name: "lab" } });
    const { code } = await guestCodeFor(ana, "gus", { board: "lab" });
    const { token } = await gus.call("join", { body: { code, name: "second" } });
    await locate(world.as(token));
    const docsAgent = `docs/${gus.agent.name}`;
    expect(await namesOf(gus)).toEqual([docsAgent, "lab/second"]);
    expect(await namesOf(gus.agent)).toEqual([docsAgent]);
    expect(await namesOf(world.as(token))).toEqual(["lab/second"]);
    expect((await agentsOf(gus))[1]!.location).toMatchObject(place);
  });

  test("are not a delegation's to read", async () => {
    const { world, ana } = await team();
    const machine = world.as(await delegate(world, ana.token));
    expect(await verdictOf(agentsOf(machine))).toBe("403 forbidden");
  });
});

describe("where an agent is", () => {
  test("is none until it says so, then what it said, on the machine that its key is named after", async () => {
    const { world, ana, a } = await team();
    expect((await agentsOf(ana))[1]).not.toContainKey("location");
    const location = {
      ...place,
      machine: "laptop",
      last_active: world.clock.now.toISOString(),
    };
    expect(await locate(a)).toEqual(location);
    expect((await agentsOf(ana))[1]!.location).toEqual(location);
    world.pass(90);
    const moved = { ...place, folder: "/home/ana/docs" };
    const later = { ...location, ...moved, last_active: world.clock.now.toISOString() };
    expect(await locate(a, moved)).toEqual(later);
    expect(await shown(ana, "a")).toEqual(later);
  });

  test("is shown to its person and their active agents, and to nobody else, not even owners and admins", async () => {
    const { world, ana, bo, a, b, c, scout } = await team();
    await ana.call("setServerRole", {
      params: { handle: "bo" },
      body: { server_role: "admin" },
    });
    await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
    const gus = await guestOn(world, "gus");
    for (const agent of [a, scout]) await locate(agent);
    for (const reader of [ana, a, b]) {
      expect(await shown(reader, "a")).toMatchObject(place);
      expect(await shown(reader, "scout")).toBeUndefined();
    }
    for (const reader of [bo, scout, gus, gus.agent])
      expect(await shown(reader, "a")).toBeUndefined();
    expect(await shown(bo, "scout")).toMatchObject(place);
    expect((await agentsOf(c))[1]!.location).toMatchObject(place);
  });

  test("is in the answers about one's own agent, and in no event, stream or list of people", async () => {
    const { ana, a } = await team();
    const stream = await follow(ana, 2);
    await stream.next(4);
    const events = await eventsOf(ana);
    await locate(a);
    const body = { kind: "working", text: "Reading" } as const;
    expect((await a.call("setLine", { body })).location).toMatchObject(place);
    const params = { board: "docs", member: "a" };
    expect((await ana.call("setMemberLine", { params, body })).location).toMatchObject(place);
    const told = await stream.next(2);
    expect(told.map(({ event }) => event)).toEqual(["presence", "presence"]);
    const elsewhere = [told, await ana.call("listPeople", docs), await a.call("getMe")];
    expect(JSON.stringify(elsewhere)).not.toContain(place.folder);
    expect(await eventsOf(ana)).toEqual(events);
    stream.leave();
  });

  test("is no longer shown once its seat has ended", async () => {
    const { ana, a } = await team();
    await locate(a);
    await a.call("leaveAsAgent");
    const { members } = await ana.call("listMembers", { ...docs, query: { removed: true } });
    expect(members.find(({ name }) => name === "a")).toMatchObject({ status: "left" });
    expect(await shown(ana, "a")).toBeUndefined();
    expect(await verdictOf(locate(a))).toBe("403 agent_removed");
  });

  test("names the machine that said it, also when the seat has moved to another since", async () => {
    const { world, ana } = await team();
    const join = async (key: string) => {
      const machine = world.as(await delegate(world, key));
      const body = { board: "docs", session: "codex:7", name: "mover" } as never;
      return world.as((await machine.call("join", { body })).token);
    };
    const { token: phone } = await ana.call("createKey", { body: { name: "phone" } });
    await locate(await join(ana.token));
    const moved = await join(phone);
    expect(await shown(ana, "mover")).toMatchObject({ machine: "laptop" });
    expect(await locate(moved)).toMatchObject({ machine: "phone" });
    expect(await shown(ana, "mover")).toMatchObject({ machine: "phone" });
  });

  test("is reported on an archived board, and by nobody but an agent of itself", async () => {
    const { world, ana, a } = await team();
    await ana.call("archiveBoard", docs);
    await locate(a);
    expect(await shown(ana, "a")).toMatchObject(place);
    const browser = world.as(await browserOf(world, ana.token));
    for (const person of [ana, browser])
      expect(await verdictOf(locate(person))).toBe("403 agent_token_required");
    await ana.call("deleteBoard", docs);
    expect(await verdictOf(locate(a))).toBe("404 board_not_found");
  });

  test("has bounds, counted as code points, and no other fields", async () => {
    const { world, ana, a } = await team();
    const tried = async (change: object) =>
      (
        await ask(world, "PUT /v1/me/location", {
          token: a.token,
          body: { ...place, ...change },
        })
      ).verdict;
    for (const change of [
      { harness: "" },
      { harness: "x".repeat(41) },
      { harness: undefined },
      { session_id: "" },
      { session_id: "x".repeat(513) },
      { session_id: 7 },
      { folder: "" },
      { folder: "x".repeat(4097) },
      { folder: null },
      { machine: "phone" },
      { last_active: "2026-01-01T00:00:00.000Z" },
    ])
      expect(await tried(change)).toBe("400 invalid_request");
    expect(await shown(ana, "a")).toBeUndefined();
    const longest = {
      harness: "🎉".repeat(40),
      session_id: "🎉".repeat(512),
      folder: "🎉".repeat(4096),
    };
    expect(await tried(longest)).toBe("200");
    expect(await shown(ana, "a")).toMatchObject(longest);
  });

  test("is not renewed by a repeat with the same Idempotency-Key", async () => {
    const { world, ana, a } = await team();
    const once = { idempotencyKey: "once" };
    const first = await locate(a, place, once);
    world.pass(60);
    expect(await locate(a, place, once)).toEqual(first);
    expect((await shown(ana, "a"))!.last_active).toBe(first.last_active);
  });
});
