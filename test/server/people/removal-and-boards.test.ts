import { expect, test } from "bun:test";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { docs } from "../../support/boards/docs-board.ts";
import { stored, verdictOf } from "../../support/raw-requests.ts";
import {
  add,
  lastEvents,
  make,
  ownersOf,
  remove,
  startRemoval,
} from "../../support/boards/boards-of-removed-person.ts";
import { makeGuest } from "../../support/other-callers.ts";

test("each board says who was removed from the server, who owns it now, and which codes stopped, in that order", async () => {
  const { ana, bo, cy, writer } = await startRemoval();
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
});

test("an archived board is left and passed on as well, and stays archived", async () => {
  const { ana, cy } = await startRemoval();
  await remove(ana, "bo");
  expect((await lastEvents(cy, "old", 2)).map(({ type }) => type)).toEqual([
    "person.removed",
    "person.made_owner",
  ]);
  expect(await ownersOf(cy, "old")).toEqual(["cy"]);
  expect((await cy.call("getBoard", { params: { board: "old" } })).lifecycle).toBe("archived");
});

test("a board passes to the member who has been on it longest and is no guest, and only when the last owner goes", async () => {
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
});

test("a board that nobody is on any more is listed by its id, open or private, and an admin can still end it", async () => {
  const { ana, bo, ownId } = await startRemoval();
  const { id: plaza } = await make(bo, "plaza");
  expect((await remove(ana, "bo")).unreachable_boards).toEqual([ownId, plaza]);
  const { hidden_boards } = await ana.call("listBoards", { query: { all: true } });
  expect(hidden_boards).toMatchObject([{ id: ownId, people: 0, can_archive: true }]);
  expect(JSON.stringify(hidden_boards)).not.toContain('"own"');
  for (const operation of ["archiveBoard", "deleteBoard"] as const)
    await ana.call(operation, { params: { board: ownId } });
  await add(ana, "plaza", "ana");
});

test("the first who comes onto a board that nobody owns any more owns it, by the system", async () => {
  const { ana, bo, cy } = await startRemoval();
  await make(bo, "plaza");
  await remove(ana, "bo");
  const came = await cy.call("addPerson", {
    params: { board: "plaza" },
    body: { handle: "cy" },
  });
  expect(came.board_role).toBe("owner");
  await add(ana, "plaza", "ana");
  expect(await ownersOf(ana, "plaza")).toEqual(["cy"]);
  const { events } = await ana.call("listEvents", { params: { board: "plaza" } });
  expect(events.slice(-3)).toMatchObject([
    { type: "person.added", actor: { kind: "human", name: "cy" } },
    {
      type: "person.made_owner",
      actor: { kind: "system", member_id: null, name: null, owner: null },
      data: { person_id: cy.id, name: "cy", reason: "owner_removed_from_server" },
    },
    { type: "person.added", actor: { kind: "human", name: "ana" } },
  ]);
  expect(await remove(ana, "cy")).toMatchObject({ boards_left: 3, owners_passed: 2 });
  expect(await ownersOf(ana, "plaza")).toEqual(["ana"]);
});

test("a removal that would leave boards with guests alone is refused with their ids, and changes nothing", async () => {
  const { world, ana, bo, ownId } = await startRemoval();
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
});

test("a deleted board keeps its record as it was, and counts for nothing", async () => {
  const { world, ana, bo, counts } = await startRemoval();
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
});
