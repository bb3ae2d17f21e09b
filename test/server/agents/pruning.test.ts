import { expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, headOf } from "../../support/boards/docs-board.ts";
import { ask, verdictOf } from "../../support/raw-requests.ts";

type Asked = Partial<Given<"pruneAgents">["body"]>;
const hour = 3600;
const prune = (client: Client, body: Asked = {}) =>
  client.call("pruneAgents", { body: { disconnected_for: hour, ...body } });
const list = async (client: Client, body: Asked = {}) =>
  (await prune(client, { dry_run: true, ...body })).agents.map(({ name, disconnected_since }) => [
    name,
    disconnected_since,
  ]);

/** Docs, ana who owns it and bo who is on it: their agents report by name. */
async function start() {
  const { world, bo } = await startDocs();
  const seat = async (owner: Client, name: string, board = "docs") => {
    const agent = await world.seat(owner, board, { name });
    const report = (presence: "working" | "idle" | "no_session") =>
      agent.call("setPresence", { body: { presence } });
    return { ...agent, report };
  };
  const at = () => world.clock.now.toISOString();
  return { world, ana: world.admin, bo, seat, at };
}

test("an agent counts as disconnected from the report of its end, or from the last report that ran out", async () => {
  const { world, ana, seat, at } = await start();
  const [ended, lost, silent] = [
    await seat(ana, "ended"),
    await seat(ana, "lost"),
    await seat(ana, "silent"),
  ];
  await lost.report("working");
  const lostAt = at();
  world.pass(10);
  await ended.report("working");
  await ended.report("no_session");
  const endedAt = at();
  // Repeating the end, also after it has lapsed, does not begin it anew.
  world.pass(600);
  await ended.report("no_session");
  world.pass(hour - 610 - 0.001);
  expect(await list(ana)).toEqual([]);
  world.pass(0.001);
  expect(await list(ana)).toEqual([["lost", lostAt]]);
  world.pass(10);
  expect(await list(ana)).toEqual([
    ["lost", lostAt],
    ["ended", endedAt],
  ]);
  await lost.report("idle");
  expect(await list(ana)).toEqual([["ended", endedAt]]);
  world.pass(180);
  expect(await list(ana, { disconnected_for: 2 * hour })).toEqual([]);
  expect((await silent.call("getMe")).name).toBe("silent");
});

test("those that are named are removed, each looked at again; the others are kept", async () => {
  const { world, ana, bo, seat, at } = await start();
  const [old, back, theirs] = [
    await seat(ana, "old"),
    await seat(ana, "back"),
    await seat(bo, "theirs"),
  ];
  for (const agent of [old, back, theirs]) await agent.report("idle");
  const since = at();
  const { code } = await old.call("createJoinCode", { ...docs, body: { role: "member" } });
  world.pass(hour);
  const found = await prune(ana, { dry_run: true });
  expect(found.agents.map(({ id }) => id)).toEqual([old.id, back.id]);
  const head = await headOf(ana);
  await back.report("working");
  const unknown = `mem_${"0".repeat(26)}`;
  const answer = await prune(ana, { agents: [back.id, old.id, theirs.id, unknown, old.id] });
  const board = await ana.call("getBoard", docs);
  expect(answer).toEqual({
    disconnected_for: hour,
    all: false,
    dry_run: false,
    agents: [
      {
        id: old.id,
        name: "old",
        board: "docs",
        board_id: board.id,
        owner: "ana",
        owner_id: expect.stringMatching(/^hum_/),
        disconnected_since: since,
      },
    ],
    kept: [back.id, theirs.id, unknown],
  });
  const [removed, revoked, ...rest] = (await eventsOf(ana)).slice(head);
  expect(rest).toEqual([]);
  expect(removed).toMatchObject({ type: "agent.removed", actor: { kind: "human", name: "ana" } });
  expect(removed!.data).toEqual({
    member_id: old.id,
    name: "old",
    person_id: answer.agents[0]!.owner_id,
    owner: "ana",
    removed_by: "person",
    pruned: true,
    disconnected_since: since,
  });
  expect(revoked!.type).toBe("joincode.revoked");
  expect(await verdictOf(old.call("getMe"))).toBe("403 agent_removed");
  expect(await verdictOf(ana.call("join", { body: { code } }))).toBe("404 join_code_invalid");
  expect((await prune(ana, { agents: [old.id] })).kept).toEqual([old.id]);
});

test("a server admin prunes everybody's, unnamed where the admin may not know the board", async () => {
  const { world, ana, bo, seat } = await start();
  await bo.call("createBoard", { body: { name: "secret", visibility: "private" } });
  await bo.call("createBoard", { body: { name: "plaza" } });
  const agents = [
    await seat(bo, "hidden", "secret"),
    await seat(bo, "seen", "plaza"),
    await seat(ana, "own"),
  ];
  for (const agent of agents) {
    await agent.report("no_session");
    world.pass(1);
  }
  world.pass(hour);
  expect(await verdictOf(prune(bo, { all: true, dry_run: true }))).toBe(
    "403 server_admin_required",
  );
  expect(await list(ana)).toMatchObject([["own", expect.any(String)]]);
  const answer = await prune(ana, { all: true, agents: agents.map(({ id }) => id) });
  expect(answer.agents.map(({ name, board, owner }) => [name, board, owner])).toEqual([
    [null, null, "bo"],
    ["seen", "plaza", "bo"],
    ["own", "docs", "ana"],
  ]);
  expect((await eventsOf(bo, "secret")).at(-1)).toMatchObject({
    actor: { kind: "human", member_id: null, name: "ana" },
    data: { removed_by: "admin", pruned: true },
  });
  expect((await eventsOf(ana)).at(-1)).toMatchObject({ data: { removed_by: "person" } });
});

test("what to remove must be named, and an hour is the least", async () => {
  const { ana, bo, seat } = await start();
  const agent = await seat(bo, "scout");
  expect(await verdictOf(prune(ana))).toBe("422 invalid_request");
  expect(await verdictOf(prune(ana, { agents: [], disconnected_for: 3599 }))).toBe(
    "400 invalid_request",
  );
  const many = Array.from({ length: 501 }, () => agent.id);
  expect(await verdictOf(prune(ana, { agents: many }))).toBe("400 invalid_request");
  expect(await verdictOf(prune(agent))).toBe("403 human_token_required");
  expect(await prune(bo, { agents: [agent.id] })).toMatchObject({ agents: [], kept: [agent.id] });
});

test("agents on an archived board are pruned, those of a deleted one are gone already", async () => {
  const { world, ana, seat } = await start();
  await ana.call("createBoard", { body: { name: "plaza" } });
  const [a, b] = [await seat(ana, "a"), await seat(ana, "b", "plaza")];
  for (const agent of [a, b]) await agent.report("no_session");
  world.pass(hour);
  await ana.call("archiveBoard", docs);
  await ana.call("archiveBoard", { params: { board: "plaza" } });
  await ana.call("deleteBoard", { params: { board: "plaza" } });
  const { agents, kept } = await prune(ana, { all: true, agents: [a.id, b.id] });
  expect([agents.map(({ name }) => name), kept]).toEqual([["a"], [b.id]]);
});

test("two removals at one moment remove an agent once", async () => {
  const { world, ana, seat } = await start();
  const a = await seat(ana, "a");
  await a.report("no_session");
  world.pass(hour);
  const head = await headOf(ana);
  const both = await Promise.all([1, 2].map(() => prune(ana, { agents: [a.id] })));
  expect(both.map(({ agents, kept }) => [agents.length, kept.length])).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(await headOf(ana)).toBe(head + 1);
});

test("a repeat tells of the boards only while they may be told of", async () => {
  const { world, ana, bo, seat } = await start();
  await bo.call("createBoard", { body: { name: "plaza" } });
  const agent = await seat(bo, "a", "plaza");
  await agent.report("no_session");
  world.pass(hour);
  const again = (token: string) =>
    ask(world, "POST /v1/agents/prune", {
      token,
      headers: { "idempotency-key": "once" },
      body: { disconnected_for: hour, all: true, agents: [agent.id] },
    });
  const first = await again(ana.token);
  expect(first.verdict).toBe("200");
  expect(await again(ana.token)).toMatchObject({
    text: first.text,
    headers: { "idempotent-replayed": "true" },
  });
  await bo.call("setVisibility", { params: { board: "plaza" }, body: { visibility: "private" } });
  expect((await again(ana.token)).verdict).toBe("404 board_not_found");
  await bo.call("setVisibility", { params: { board: "plaza" }, body: { visibility: "open" } });
  expect((await again(ana.token)).text).toBe(first.text);
  await bo.call("archiveBoard", { params: { board: "plaza" } });
  await bo.call("deleteBoard", { params: { board: "plaza" } });
  expect((await again(ana.token)).verdict).toBe("404 board_not_found");
});
