import { expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { refusalOf, startWorld, type World } from "../support/world.ts";
import { docs, eventsOf, makeDocs, personOnDocs, post, until } from "./helpers.ts";
import { ask, stored, verdictOf } from "./raw.ts";
import { delegate, makeGuest, startSession } from "./sessions.ts";

const hour = 60 * 60;
const remove = (client: Client, handle: string, query: { dry_run?: boolean } = {}) =>
  client.call("removeFromServer", { params: { handle }, query });
const make = (client: Client, name: string, body: { visibility?: "open" | "private" } = {}) =>
  client.call("createBoard", { body: { name, ...body } });
const add = (client: Client, board: string, handle: string) =>
  client.call("addPerson", { params: { board }, body: { handle } });
const lastEvents = async (client: Client, board: string, count: number) =>
  (await eventsOf(client, board))
    .slice(-count)
    .map(({ type, actor, data }) => ({ type, actor, data }));
const promote = (world: World, handle: string, server_role: "admin" | "member") =>
  world.admin.call("setServerRole", { params: { handle }, body: { server_role } });
const ownersOf = async (client: Client, board: string) =>
  (await client.call("listPeople", { params: { board } })).people
    .filter(({ board_role }) => board_role === "owner")
    .map(({ handle }) => handle);

/**
 * bo, who owns `docs` alone with cy and ana on it, `old`, which is archived, with cy, `own` by himself, and is on ana's
 * `hall`; with two agents, two working keys and two browser sessions that last.
 */
async function start() {
  const world = await startWorld();
  const ana = world.admin;
  const bo = await world.person("bo");
  const cy = await world.person("cy");
  const { id: docsId } = await make(bo, "docs");
  await make(bo, "old");
  const { id: ownId } = await make(bo, "own", { visibility: "private" });
  await make(ana, "hall");
  for (const [board, handle] of [
    ["docs", "cy"],
    ["docs", "ana"],
    ["old", "cy"],
  ] as const)
    await add(bo, board, handle);
  await add(ana, "hall", "bo");
  const writer = await world.seat(bo, "docs", { name: "writer" });
  const helper = await world.seat(bo, "hall", { name: "helper" });
  await bo.call("archiveBoard", { params: { board: "old" } });

  const [lost, short] = [
    await bo.call("createKey", { body: { name: "lost" } }),
    await bo.call("createKey", { body: { name: "short", ttl_seconds: hour } }),
  ];
  const phone = await bo.call("createKey", { body: { name: "phone" } });
  const [browser] = [
    await startSession(world, bo.keyId),
    await startSession(world, phone.id),
    await startSession(world, phone.id, hour),
    await startSession(world, lost.id),
  ];
  const delegation = await delegate(world, phone.id);
  await bo.call("revokeKey", { params: { key: lost.id } });
  world.pass(hour);
  for (const client of [ana, bo]) await client.call("getMe");
  await world.db.write(() => null);
  const counts = {
    keys_revoked: 2,
    browser_sessions_ended: 2,
    agents_removed: 2,
    boards_left: 4,
    owners_passed: 2,
    unreachable_boards: [ownId],
  };
  return {
    world,
    ana,
    bo,
    cy,
    docsId,
    ownId,
    writer,
    helper,
    phone,
    short,
    browser,
    delegation,
    counts,
  };
}

test("a dry run says what would happen and changes nothing; the removal then says the same", async () => {
  const { world, ana, bo, counts } = await start();
  const before = await stored(world);
  const person = expect.objectContaining({ id: bo.id, handle: "bo", server_role: "member" });
  const dry = await remove(ana, "bo", { dry_run: true });
  expect(dry as object).toEqual({ person, dry_run: true, ...counts });
  expect(await stored(world)).toEqual(before);
  expect(await remove(ana, "bo")).toEqual({ ...dry, dry_run: false });
  expect(await verdictOf(remove(ana, "bo"))).toBe("404 person_not_found");
  world.check();
});

test("everything that the person could come in with stops at once", async () => {
  const { world, ana, bo, phone, browser, delegation, writer, helper } = await start();
  await remove(ana, "bo");
  for (const token of [bo.token, phone.token, browser])
    for (const line of [
      "GET /v1/me",
      "GET /v1/boards",
      "GET /v1/boards/docs/messages",
      "POST /v1/x",
    ])
      expect((await ask(world, line, { token })).verdict).toBe("401 unauthorized");
  const open = "SELECT 1 FROM browser_session WHERE ended_at IS NULL";
  expect(world.db.read((tx) => tx.all(open))).toEqual([]);
  expect((await ask(world, "GET /v1/boards", { token: delegation })).verdict).toBe(
    "401 delegation_revoked",
  );
  for (const [agent, name, board] of [
    [writer, "writer", "docs"],
    [helper, "helper", "hall"],
  ] as const)
    expect(await refusalOf(agent.call("getMe"))).toMatchObject({
      status: 403,
      code: "agent_removed",
      details: {
        agent: name,
        board,
        removed_at: world.clock.now.toISOString(),
        removed_by: "admin",
      },
    });
  world.check();
});

test("open streams and waits of the person and their agents end within a second", async () => {
  const { world, ana, bo, writer } = await start();
  const following = bo.stream();
  await following.next();
  const { id } = await post(bo, { body: "for cy", to: ["@cy"] });
  const waiting = writer.call("getInbox", { query: { wait: 60 } });
  const replies = bo.call("listReplies", { params: { message: id }, query: { wait: 60 } });
  await until(() => world.hub.waiting === 2, "both wait");
  const began = performance.now();
  const refused = Promise.all([refusalOf(waiting), refusalOf(replies)]);
  await remove(ana, "bo");
  expect((await refused).map(({ code }) => code)).toEqual(["agent_removed", "unauthorized"]);
  while (!(await following.next()).done);
  expect(performance.now() - began).toBeLessThan(1000);
  world.check();
});

test("the stream of a person who is on no board ends as well", async () => {
  const world = await startWorld();
  const dee = await world.person("dee");
  const following = dee.stream();
  const next = following.next();
  await until(() => world.streams.count === 1, "the stream is open");
  await remove(world.admin, "dee");
  expect(await next).toMatchObject({ done: true });
  world.check();
});

test("each board says who was removed from the server, who owns it now, and which codes stopped, in that order", async () => {
  const { world, ana, bo, cy, writer } = await start();
  const codes = [
    await bo.call("createJoinCode", { ...docs, body: { role: "member" } }),
    await writer.call("createJoinCode", { ...docs, body: { role: "member" } }),
  ];
  const others = await cy.call("createJoinCode", { ...docs, body: { role: "member" } });
  await ana.call("leaveBoard", docs);
  const { members } = await cy.call("listMembers", docs);
  const idOf = (wanted: string) => members.find(({ name }) => name === wanted)!.id;
  await remove(ana, "bo");

  const admin = { kind: "human" as const, member_id: null, name: "ana", owner: null };
  const system = { kind: "system" as const, member_id: null, name: null, owner: null };
  expect(await lastEvents(cy, "docs", 4)).toEqual([
    {
      type: "person.removed",
      actor: admin,
      data: {
        member_id: idOf("bo"),
        person_id: bo.id,
        name: "bo",
        agents: [writer.id],
        from_server: true,
      },
    },
    {
      type: "person.made_owner",
      actor: system,
      data: {
        member_id: idOf("cy"),
        person_id: cy.id,
        name: "cy",
        reason: "owner_removed_from_server",
      },
    },
    ...codes.map(({ id }) => ({
      type: "joincode.revoked",
      actor: admin,
      data: { join_code_id: id },
    })),
  ]);
  const [onHall] = await lastEvents(ana, "hall", 1);
  expect(onHall).toMatchObject({
    type: "person.removed",
    actor: { kind: "human", name: "ana", member_id: expect.stringMatching(/^mem_/) },
    data: { name: "bo", from_server: true },
  });
  for (const { code } of codes)
    expect(await verdictOf(cy.call("join", { body: { code } }))).toBe("404 join_code_invalid");
  await cy.call("join", { body: { code: others.code } });
  expect(await ownersOf(cy, "docs")).toEqual(["cy"]);
  world.check();
});

test("an archived board is left and passed on as well, and stays archived", async () => {
  const { world, ana, cy } = await start();
  await remove(ana, "bo");
  expect((await lastEvents(cy, "old", 2)).map(({ type }) => type)).toEqual([
    "person.removed",
    "person.made_owner",
  ]);
  expect(await ownersOf(cy, "old")).toEqual(["cy"]);
  expect((await cy.call("getBoard", { params: { board: "old" } })).lifecycle).toBe("archived");
  world.check();
});

test("a board passes to whoever is longest on it now and no guest, and only where the last owner goes", async () => {
  const world = await startWorld();
  const ana = world.admin;
  const bo = await world.person("bo");
  for (const handle of ["gus", "cy", "dee", "eve"]) await world.person(handle);
  for (const board of ["first", "second"]) {
    await make(bo, board);
    for (const handle of ["gus", "cy", "dee", "eve"]) await add(bo, board, handle);
  }
  // cy comes back, and is there for less long than dee from then on.
  await bo.call("removePerson", { params: { board: "first", handle: "cy" } });
  await add(bo, "first", "cy");
  await makeGuest(world, "gus");
  await bo.call("addOwner", { params: { board: "second" }, body: { handle: "eve" } });
  expect(await remove(ana, "bo")).toMatchObject({ boards_left: 2, owners_passed: 1 });
  expect(await ownersOf(ana, "first")).toEqual(["dee"]);
  expect(await ownersOf(ana, "second")).toEqual(["eve"]);
  world.check();
});

test("a board that nobody is on any more is listed by its id, open or private, and an admin can still end it", async () => {
  const { world, ana, bo, ownId } = await start();
  const { id: plaza } = await make(bo, "plaza");
  expect((await remove(ana, "bo")).unreachable_boards).toEqual([ownId, plaza]);
  const { hidden_boards } = await ana.call("listBoards", { query: { all: true } });
  expect(hidden_boards).toMatchObject([{ id: ownId, people: 0, can_archive: true }]);
  expect(JSON.stringify(hidden_boards)).not.toContain('"own"');
  for (const operation of ["archiveBoard", "deleteBoard"] as const)
    await ana.call(operation, { params: { board: ownId } });
  await add(ana, "plaza", "ana");
  world.check();
});

test("who comes onto a board that nobody owns any more does not own it, and passes nothing on", async () => {
  const { world, ana, bo, cy } = await start();
  await make(bo, "plaza");
  await remove(ana, "bo");
  for (const client of [cy, ana]) await add(client, "plaza", client === ana ? "ana" : "cy");
  expect(await remove(ana, "cy")).toMatchObject({ boards_left: 3, owners_passed: 1 });
  expect(await ownersOf(ana, "docs")).toEqual(["ana"]);
  expect(await ownersOf(ana, "plaza")).toEqual([]);
  world.check();
});

test("a removal that would leave boards with guests alone is refused with their ids, and changes nothing", async () => {
  const { world, ana, bo, ownId } = await start();
  const gus = await world.person("gus");
  const { id: shared } = await make(bo, "shared", { visibility: "private" });
  for (const board of ["own", "shared", "docs"]) await add(bo, board, "gus");
  await makeGuest(world, "gus");
  await gus.call("getMe");
  await world.db.write(() => null);
  const before = await stored(world);
  for (const dry_run of [true, false]) {
    const refused = await refusalOf(remove(ana, "bo", { dry_run }));
    expect(refused).toMatchObject({
      status: 409,
      code: "last_owner",
      details: { boards: [ownId, shared] },
    });
    expect(JSON.stringify(refused)).not.toContain("shared");
  }
  expect(await stored(world)).toEqual(before);
  for (const id of [ownId, shared])
    for (const operation of ["archiveBoard", "deleteBoard"] as const)
      await ana.call(operation, { params: { board: id } });
  expect((await remove(ana, "bo")).unreachable_boards).toEqual([]);
  world.check();
});

test("a guest is removed like anybody else", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const gus = await personOnDocs(world, "gus");
  const agent = await world.seat(gus, "docs");
  await makeGuest(world, "gus");
  expect(await remove(world.admin, "gus")).toMatchObject({
    person: { server_role: "guest" },
    keys_revoked: 1,
    agents_removed: 1,
    boards_left: 1,
    owners_passed: 0,
    unreachable_boards: [],
  });
  expect(await verdictOf(agent.call("getMe"))).toBe("403 agent_removed");
  expect(await verdictOf(gus.call("getMe"))).toBe("401 unauthorized");
  world.check();
});

test("what they wrote stays under their id, and everybody's lists do without them", async () => {
  const { world, ana, bo, cy, writer } = await start();
  await post(bo, "from bo");
  await post(writer, "from writer");
  await remove(ana, "bo");
  const { messages } = await cy.call("listMessages", docs);
  expect(messages.map(({ from, body }) => [from.name, from.owner, body])).toEqual([
    ["bo", null, "from bo"],
    ["writer", "bo", "from writer"],
  ]);
  const { members } = await cy.call("listMembers", { ...docs, query: { removed: true } });
  expect(members.map(({ name, status, removed_by }) => [name, status, removed_by])).toEqual([
    ["cy", "active", undefined],
    ["ana", "active", undefined],
    ["writer", "removed", "admin"],
  ]);
  const handles = JSON.stringify([
    await cy.call("listServerPeople"),
    await cy.call("listPeople", docs),
  ]);
  expect(handles).not.toContain('"bo"');
  for (const attempt of [
    () => cy.call("listServerPeople", { query: { handle: "bo" } }),
    () => add(cy, "docs", "bo"),
  ])
    expect(await verdictOf(attempt())).toBe("404 person_not_found");
  world.check();
});

test("their handle is free at once, and whoever takes it is a new person who is nowhere", async () => {
  const { world, ana, bo, cy } = await start();
  await remove(ana, "bo");
  const again = await world.person("bo");
  expect(again.id).not.toBe(bo.id);
  expect((await again.call("listBoards")).boards).toEqual([]);
  await add(cy, "docs", "bo");
  const { members } = await cy.call("listMembers", docs);
  expect(members.map(({ name }) => name)).toEqual(["cy", "ana", "bo-2"]);
  expect(await verdictOf(bo.call("getMe"))).toBe("401 unauthorized");
  world.check();
});

test("a deleted board keeps its record as it was, and counts for nothing", async () => {
  const { world, ana, bo, counts } = await start();
  for (const operation of ["archiveBoard", "deleteBoard"] as const)
    await bo.call(operation, { params: { board: "own" } });
  const logOf = () =>
    world.db.read((tx) =>
      tx.all("SELECT id FROM event WHERE place > 3 * 4294967296 AND place < 4 * 4294967296"),
    );
  const before = logOf();
  expect(await remove(ana, "bo")).toMatchObject({
    ...counts,
    boards_left: 3,
    unreachable_boards: [],
  });
  expect(logOf()).toEqual(before);
  world.check();
});

test("an admin who removes themselves is answered, and is gone", async () => {
  const { world, ana, cy } = await start();
  await promote(world, "cy", "admin");
  const { id } = await ana.call("getMe");
  expect(await remove(ana, "ana")).toMatchObject({ person: { id }, dry_run: false });
  expect(await verdictOf(ana.call("getMe"))).toBe("401 unauthorized");
  const [last] = await lastEvents(cy, "docs", 1);
  expect(last).toMatchObject({
    type: "person.removed",
    actor: {
      kind: "human",
      name: "ana",
      member_id: (last!.data as { member_id: string }).member_id,
    },
  });
  world.check();
});

test("only an admin with a key removes people, and others learn nothing of who there is", async () => {
  const { world, bo, cy, browser } = await start();
  for (const handle of ["bo", "ana", "nobody"])
    for (const dry_run of [true, false])
      expect(await verdictOf(remove(cy, handle, { dry_run }))).toBe("403 server_admin_required");
  await promote(world, "bo", "admin");
  expect(await verdictOf(remove(world.as(browser), "cy"))).toBe("403 human_token_required");
  await remove(bo, "cy");
  world.check();
});

test("what a person sends at the moment of their removal is done before it, or not at all", async () => {
  const { world, ana, bo, cy } = await start();
  const outcomes = await Promise.all([
    remove(ana, "bo"),
    post(bo, "last words").then(
      () => "posted",
      ({ code }) => code as string,
    ),
    remove(ana, "bo").then(
      () => "twice",
      ({ code }) => code as string,
    ),
  ]);
  expect(outcomes.slice(1)).toEqual(["unauthorized", "person_not_found"]);
  const types = (await eventsOf(cy)).map(({ type }) => type);
  expect(types.filter((type) => type === "person.removed")).toHaveLength(1);
  expect(types).not.toContain("message.posted");
  world.check();
});

test("a removal is repeated to an admin alone, writes nothing twice, and not to the key that it ended", async () => {
  const { world, ana, cy } = await start();
  await promote(world, "cy", "admin");
  const send = (client: Client, handle: string, query = {}) =>
    client.call("removeFromServer", { params: { handle }, query }, { idempotencyKey: "once" });
  const first = await send(cy, "bo");
  const before = await stored(world);
  expect(await send(cy, "bo")).toEqual(first);
  expect(await stored(world)).toEqual(before);
  expect(await verdictOf(send(cy, "bo", { dry_run: true }))).toBe("422 idempotency_conflict");
  await promote(world, "cy", "member");
  expect(await verdictOf(send(cy, "bo"))).toBe("403 server_admin_required");
  await promote(world, "cy", "admin");
  await send(ana, "ana");
  expect(await verdictOf(send(ana, "ana"))).toBe("401 unauthorized");
  world.check();
});

test("a kept answer is given to nobody whose person was removed", async () => {
  const { world, ana, bo } = await start();
  const send = () =>
    bo.call("postMessage", { ...docs, body: { body: "x" } }, { idempotencyKey: "once" });
  await send();
  await remove(ana, "bo");
  expect(await verdictOf(send())).toBe("401 unauthorized");
  world.check();
});

test("keys tell how many browser sessions of theirs work, and none once they are revoked", async () => {
  const { world, bo, phone } = await start();
  const counted = async () =>
    Object.fromEntries(
      (await bo.call("listKeys")).keys.map(({ name, state, browser_sessions }) => [
        name,
        `${state} ${browser_sessions}`,
      ]),
    );
  expect(await counted()).toEqual({
    machine: "working 1",
    lost: "revoked 0",
    short: "expired 0",
    phone: "working 1",
  });
  expect(await bo.call("revokeKey", { params: { key: phone.id } })).toMatchObject({
    state: "revoked",
    browser_sessions: 0,
  });
  world.check();
});
