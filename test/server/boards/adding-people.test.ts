import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, headOf, post, setRole } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

const add = (client: Client, handle: string) =>
  client.call("addPerson", { ...docs, body: { handle } });

/** Docs, ana who owns it, bo who is on it, cy and dee who are not, and ana's writer with a session of its own. */
async function start(visibility: "open" | "private" = "open") {
  const { world, bo } = await startDocs({}, { visibility });
  const [cy, dee] = [await world.person("cy"), await world.person("dee")];
  const writer = await world.seat(world.admin, "docs", {
    name: "writer",
    session: "claude-code:1",
  });
  return { world, ana: world.admin, bo, cy, dee, writer };
}

test("anyone on a board adds people, as ordinary members who begin at its head", async () => {
  const { world, ana, bo, cy } = await start("private");
  await post(ana, "earlier");
  const person = await add(bo, "cy");
  expect(person).toMatchObject({
    id: cy.id,
    handle: "cy",
    name: "cy",
    board: "docs",
    board_role: "member",
    server_role: "member",
    joined_at: world.clock.now.toISOString(),
  });
  const { seq, actor, data } = (await eventsOf(ana)).at(-1)!;
  expect(actor).toMatchObject({ kind: "human", name: "bo" });
  expect(data).toEqual({
    member_id: person.member_id,
    person_id: cy.id,
    name: "cy",
    access: "member",
    rejoined: false,
  });
  expect(await cy.call("getBoard", docs)).toMatchObject({
    read_up_to: seq,
    unread: 0,
    message_count: 1,
  });
});

test("a person joins an open board themselves, and nobody else from outside it", async () => {
  const { cy } = await start();
  expect(await verdictOf(add(cy, "dee"))).toBe("403 not_on_board");
  expect(await verdictOf(add(cy, "nobody"))).toBe("403 not_on_board");
  expect((await add(cy, "cy")).board_role).toBe("member");
  const { actor, data } = (await eventsOf(cy)).at(-1)!;
  expect(actor).toMatchObject({ kind: "human", name: "cy", member_id: data!["member_id"] });
  expect((await cy.call("listBoards")).boards[0]).not.toHaveProperty("added");
  expect((await add(cy, "dee")).handle).toBe("dee");
});

test("a person who is not on a hidden board can add nobody to it", async () => {
  const { cy } = await start("private");
  const refusals = [];
  for (const handle of ["cy", "ana", "nobody"]) refusals.push(await refusalOf(add(cy, handle)));
  expect(refusals[0]).toMatchObject({ status: 404, code: "board_not_found" });
  expect(refusals[1]).toEqual(refusals[0]);
  expect(refusals[2]).toEqual(refusals[0]);
});

test("a person who is unknown or already on the board is not added", async () => {
  const { ana, writer } = await start();
  for (const client of [ana, writer]) {
    expect(await verdictOf(add(client, "nobody"))).toBe("404 person_not_found");
    for (const handle of ["bo", "ana"])
      expect(await verdictOf(add(client, handle))).toBe("409 already_on_board");
    expect(await verdictOf(add(client, "Bo"))).toBe("400 invalid_request");
  }
});

test("an agent adds people from a session of its own, in its person's name", async () => {
  const { ana, cy, writer } = await start();
  await add(writer, "cy");
  const { actor, data } = (await eventsOf(ana)).at(-1)!;
  expect(actor).toEqual({ kind: "agent", member_id: writer.id, name: "writer", owner: "ana" });
  const { id } = (await ana.call("getMe")) as { id: string };
  expect(data).toMatchObject({ person_id: cy.id, by_owner: id });
  expect((await cy.call("listBoards")).boards[0]!.added?.by).toMatchObject({
    name: "writer",
    owner: "ana",
  });
});

test("an agent without a session, the permission, the board's leave or the server's adds nobody", async () => {
  const { world, ana, writer } = await start();
  const bot = await world.seat(ana, "docs", { name: "bot" });
  const { status, code, hint } = await refusalOf(add(bot, "cy"));
  expect([status, code, hint]).toEqual([
    403,
    "agent_session_required",
    "Ask your person: `service board add @cy --board docs`.",
  ]);
  const refused = async () => {
    const { status, code, hint } = await refusalOf(add(writer, "cy"));
    expect([status, code, hint]).toEqual([
      403,
      "add_people_not_allowed",
      "Ask your person: `service board add @cy --board docs`.",
    ]);
  };
  const settings = (agents_add_people: boolean) =>
    ana.call("updateSettings", { body: { agents_add_people } });
  await settings(false);
  await refused();
  await settings(true);
  await setRole(world, "member", ["post", "invite"]);
  await refused();
  await setRole(world, "member", ["add_people"]);
  await ana.call("updateBoard", { ...docs, body: { agents_add_people: false } });
  await refused();
  await settings(true);
  await refused();
  await ana.call("updateBoard", { ...docs, body: { agents_add_people: true } });
  expect((await add(writer, "cy")).handle).toBe("cy");
});

test("an agent adds people to no board but its own", async () => {
  const { ana, writer } = await start();
  await ana.call("createBoard", { body: { name: "plaza" } });
  const there = writer.call("addPerson", { params: { board: "plaza" }, body: { handle: "cy" } });
  expect(await verdictOf(there)).toBe("404 board_not_found");
});

test("being added is shown until its person reads past it or brings an agent", async () => {
  const { world, ana, cy, dee } = await start();
  const added = async (client: Client) => (await client.call("listBoards")).boards[0]!.added;
  await add(ana, "cy");
  await add(ana, "dee");
  expect(await added(cy)).toMatchObject({
    by: { kind: "human", name: "ana" },
    at: world.clock.now.toISOString(),
  });
  expect(await cy.call("getBoard", docs)).not.toHaveProperty("added");
  const seat = await world.seat(dee, "docs");
  expect(await added(dee)).toBeUndefined();
  await seat.call("leaveAsAgent");
  expect(await added(dee)).toBeUndefined();
  expect(await added(cy)).toBeDefined();
  await cy.call("ackBoard", { ...docs, body: { up_to: await headOf(ana) } });
  expect(await added(cy)).toBeUndefined();
});

test("a person whose handle an agent bears on the board gets the next free name there", async () => {
  const { world, ana } = await start();
  await world.seat(ana, "docs", { name: "cy" });
  const left = await world.seat(ana, "docs", { name: "cy-2" });
  await left.call("leaveAsAgent");
  expect((await add(ana, "cy")).name).toBe("cy-3");
});

test("a board's people are listed in the order they came, for whoever can see the board", async () => {
  const { ana, bo, cy, dee, writer } = await start();
  await add(ana, "dee");
  for (const client of [ana, bo, cy, dee, writer]) {
    const { board, visibility, people } = await client.call("listPeople", docs);
    expect([board, visibility]).toEqual(["docs", "open"]);
    expect(people.map(({ handle, board_role }) => `${handle} ${board_role}`)).toEqual([
      "ana owner",
      "bo member",
      "dee member",
    ]);
  }
});
