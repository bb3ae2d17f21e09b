import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { docs, eventsOf, headOf, post } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

const remove = (client: Client, member: string, board = "docs") =>
  client.call("removeAgent", { params: { board, member } });
const codeOf = (client: Client) =>
  client.call("createJoinCode", { ...docs, body: { role: "member" } });
const join = (client: Client, code: string) => client.call("join", { body: { code } as never });

/** Docs, made by bo, who is no admin: cy is on it too, ana the admin is not. Scout is bo's agent and ranger cy's. */
async function start(visibility: "open" | "private" = "open") {
  const world = await startWorld();
  const [bo, cy, dee] = [
    await world.person("bo"),
    await world.person("cy"),
    await world.person("dee"),
  ];
  const board = await bo.call("createBoard", { body: { name: "docs", visibility } });
  await bo.call("addPerson", { ...docs, body: { handle: "cy" } });
  const scout = await world.seat(bo, "docs", { name: "scout" });
  const ranger = await world.seat(cy, "docs", { name: "ranger" });
  return { world, board, ana: world.admin, bo, cy, dee, scout, ranger };
}

describe("removing an agent", () => {
  test("its person, an owner of the board and a server admin may, each under their own title", async () => {
    const { world, ana, bo, cy, ranger, board } = await start();
    const rogue = await world.seat(cy, "docs", { name: "rogue" });
    const rover = await world.seat(cy, "docs", { name: "rover" });
    for (const [client, agent, removed_by] of [
      [cy, ranger, "person"],
      [bo, rogue, "board_owner"],
      [ana, rover, "admin"],
    ] as const) {
      expect(await remove(client, agent.name)).toEqual({
        id: agent.id,
        name: agent.name,
        board: "docs",
        board_id: board.id,
        owner: "cy",
        owner_id: cy.id,
        status: "removed",
        removed_by,
        removed_at: world.clock.now.toISOString(),
      });
      const { details } = await refusalOf(agent.call("getMe"));
      expect(details).toMatchObject({ agent: agent.name, removed_by });
    }
    const events = (await eventsOf(bo)).slice(-3);
    expect(
      events.map(({ type, actor }) => [type, actor.kind, actor.name, actor.member_id]),
    ).toEqual([
      ["agent.removed", "human", "cy", expect.any(String)],
      ["agent.removed", "human", "bo", expect.any(String)],
      ["agent.removed", "human", "ana", null],
    ]);
    expect(events[0]!.data).toEqual({
      member_id: ranger.id,
      name: "ranger",
      person_id: cy.id,
      owner: "cy",
      removed_by: "person",
    });
  });

  test("an owner removes their own agent as its person, and an admin on the board likewise", async () => {
    const { world, ana, bo } = await start();
    await ana.call("addPerson", { ...docs, body: { handle: "ana" } });
    await world.seat(ana, "docs", { name: "herald" });
    expect((await remove(bo, "scout")).removed_by).toBe("person");
    expect((await remove(ana, "herald")).removed_by).toBe("person");
    expect((await remove(ana, "ranger")).removed_by).toBe("admin");
  });

  test("others on the board are referred to its owners, and people off it are refused as not on it", async () => {
    const { bo, cy, dee, scout, ranger } = await start();
    const { status, code, hint } = await refusalOf(remove(cy, "scout"));
    expect([status, code, hint]).toEqual([403, "owner_required", "Ask one of its owners: @bo."]);
    for (const member of ["scout", "nobody"])
      expect(await verdictOf(remove(dee, member))).toBe("403 not_on_board");
    expect(await verdictOf(remove(scout, "ranger"))).toBe("403 human_token_required");
    expect(await verdictOf(remove(ranger, "ranger"))).toBe("403 human_token_required");
    expect((await bo.call("listMembers", docs)).members).toHaveLength(4);
  });

  test("a person, an agent of another board and one that is gone are no agents here", async () => {
    const { world, bo, cy, scout } = await start();
    await bo.call("createBoard", { body: { name: "plaza" } });
    const herald = await world.seat(bo, "plaza", { name: "herald" });
    const { members } = await bo.call("listMembers", docs);
    const person = members.find(({ name }) => name === "cy")!.id;
    await remove(bo, "scout");
    for (const member of [
      "cy",
      person,
      "herald",
      herald.id,
      "scout",
      scout.id,
      "nobody",
      "mem_x",
      "a/b",
    ])
      expect(await verdictOf(remove(bo, member))).toBe("404 agent_not_found");
    expect((await cy.call("getMe")).name).toBe("cy");
  });

  test("board and agent may be given by their ids", async () => {
    const { bo, board, ranger, scout } = await start();
    expect((await remove(bo, ranger.id, board.id)).name).toBe("ranger");
    expect((await remove(bo, scout.id)).name).toBe("scout");
  });

  test("an admin reaches a private board's agent by ids alone, and is told no name of it", async () => {
    const { world, ana, board, bo, cy, ranger, scout } = await start("private");
    for (const member of ["ranger", ranger.id])
      expect(await verdictOf(remove(ana, member))).toBe("404 board_not_found");
    for (const member of ["ranger", "cy", "nobody"]) {
      const { code, message, hint } = await refusalOf(remove(ana, member, board.id));
      expect(code).toBe("agent_not_found");
      expect(message).toBe(`There is no agent ${member} on board ${board.id} now.`);
      expect(hint).not.toContain("docs");
    }
    expect(await remove(ana, ranger.id, board.id)).toEqual({
      id: ranger.id,
      name: null,
      board: null,
      board_id: board.id,
      owner: "cy",
      owner_id: cy.id,
      status: "removed",
      removed_at: world.clock.now.toISOString(),
      removed_by: "admin",
    });
    expect((await refusalOf(ranger.call("getInbox"))).details).toMatchObject({
      removed_by: "admin",
    });
    const dee = await world.person("eve");
    expect(await verdictOf(remove(dee, scout.id, board.id))).toBe("404 board_not_found");
    expect((await bo.call("listMembers", docs)).members.map(({ name }) => name)).toContain("scout");
  });

  test("the codes it made are revoked with it, one event each, and those of others work on", async () => {
    const { world, bo, scout } = await start();
    const [first, second, others] = [await codeOf(scout), await codeOf(scout), await codeOf(bo)];
    const ended = await scout.call("createJoinCode", {
      ...docs,
      body: { role: "member", ttl_seconds: 60 },
    });
    await scout.call("revokeJoinCode", { params: { board: "docs", join_code: second.id } });
    world.pass(60);
    const third = await codeOf(scout);
    const head = await headOf(bo);
    await remove(bo, "scout");
    const events = (await eventsOf(bo)).filter(({ seq }) => seq > head);
    expect(events.map(({ type }) => type)).toEqual([
      "agent.removed",
      "joincode.revoked",
      "joincode.revoked",
    ]);
    expect(events.slice(1).map(({ data }) => data!["join_code_id"])).toEqual([first.id, third.id]);
    for (const { code } of [first, second, third, ended])
      expect(await verdictOf(join(bo, code))).toBe("404 join_code_invalid");
    expect((await join(bo, others.code)).agent.owner).toBe("bo");
  });

  test("its messages and its name stay, and whoever asks sees it among the ended", async () => {
    const { world, bo, scout } = await start();
    const { id } = await post(scout, "before the end");
    await remove(bo, "scout");
    expect((await bo.call("getMessage", { params: { message: id } })).message.from.name).toBe(
      "scout",
    );
    const { members } = await bo.call("listMembers", docs);
    expect(members.map(({ name }) => name)).toEqual(["bo", "cy", "ranger"]);
    const all = (await bo.call("listMembers", { ...docs, query: { removed: true } })).members;
    expect(all.at(-1)).toMatchObject({
      name: "scout",
      status: "removed",
      removed_by: "person",
      removed_at: world.clock.now.toISOString(),
    });
    expect(all.at(-1)).not.toHaveProperty("can_remove");
  });

  test("ends what it waits for", async () => {
    const { bo, scout } = await start();
    const waiting = scout.call("getInbox", { query: { wait: 60 } });
    await remove(bo, "scout");
    expect(await verdictOf(waiting)).toBe("403 agent_removed");
  });
});

test("an agent that leaves is gone for good, and its codes with it", async () => {
  const { bo, scout } = await start();
  const { code } = await codeOf(scout);
  expect(await scout.call("leaveAsAgent")).toMatchObject({
    id: scout.id,
    name: "scout",
    board: "docs",
    owner: "bo",
    status: "left",
    removed_by: "self",
  });
  const [left, revoked] = (await eventsOf(bo)).slice(-2);
  expect(left).toMatchObject({
    type: "agent.left",
    actor: { kind: "agent", member_id: scout.id, name: "scout", owner: "bo" },
    data: { removed_by: "self" },
  });
  expect(revoked!.type).toBe("joincode.revoked");
  expect(await verdictOf(join(bo, code))).toBe("404 join_code_invalid");
  const { code: refused, details } = await refusalOf(scout.call("leaveAsAgent"));
  expect([refused, details?.["removed_by"]]).toEqual(["agent_removed", "self"]);
  expect(await verdictOf(bo.call("leaveAsAgent"))).toBe("403 agent_token_required");
});

test("people see who may remove whom, and agents do not", async () => {
  const { ana, bo, cy, scout } = await start();
  await ana.call("addPerson", { ...docs, body: { handle: "ana" } });
  const removable = async (client: Client) =>
    (await client.call("listMembers", docs)).members
      .filter(({ can_remove }) => can_remove)
      .map(({ name }) => name);
  expect(await removable(bo)).toEqual(["scout", "ranger"]);
  expect(await removable(ana)).toEqual(["scout", "ranger"]);
  expect(await removable(cy)).toEqual(["ranger"]);
  const { members } = await scout.call("listMembers", docs);
  for (const member of members) expect(member).not.toHaveProperty("can_remove");
});
