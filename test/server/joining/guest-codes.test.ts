import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import {
  docs,
  eventsOf,
  guestCodeFor,
  guestOn,
  headOf,
  makeDocs,
  personOnDocs,
  seatOnDocs,
} from "../../support/boards/docs-board.ts";
import { stored, verdictOf } from "../../support/raw-requests.ts";

const invalid = "404 join_code_invalid";
const join = (client: Client, code: string, more: { name?: string } = {}) =>
  client.call("join", { body: { code, ...more } });

/** Docs, ana who owns it, bo who is on it and cy who is not. */
async function start(options: Parameters<typeof startWorld>[0] = {}) {
  const world = await startWorld(options);
  await makeDocs(world);
  const [bo, cy] = [await personOnDocs(world, "bo"), await world.person("cy")];
  const visit = (code: string, more: Partial<Given<"guestJoin">["body"]> = {}) =>
    world.as().call("guestJoin", { body: { code, key_name: "machine", ...more } });
  const reserve = (handle: string) =>
    world.db.write((tx) =>
      tx.run("INSERT INTO reserved_handle (handle, person_row) VALUES (?, 1)", handle),
    );
  return { world, ana: world.admin, bo, cy, visit, reserve };
}

describe("making a guest code", () => {
  test("names its guest and says so in the line, the record and the log", async () => {
    const { world, bo } = await start();
    const { code, join_line, ...record } = await guestCodeFor(bo, "gus", { ttl_seconds: 60 });
    expect(join_line).toBe(`Join service board docs on localhost as guest with code ${code}`);
    expect(record).toEqual({
      id: record.id,
      kind: "guest",
      guest: "gus",
      board: "docs",
      role: "member",
      expires_at: world.at(60),
      created_at: world.clock.now.toISOString(),
      revoked_at: null,
      created_by: { name: "bo", kind: "human", role: null, owner: null },
    });
    expect((await eventsOf(bo)).at(-1)!.data).toEqual({
      join_code_id: record.id,
      role: "member",
      expires_at: record.expires_at,
      kind: "guest",
      guest: "gus",
      guest_id: null,
    });
    expect(JSON.stringify(await stored(world))).not.toContain(code);
  });

  test("for a guest of the server it is bound to that very person when it is made", async () => {
    const { world, ana } = await start();
    await ana.call("createBoard", { body: { name: "plaza" } });
    const gus = await guestOn(world, "gus", "plaza");
    await guestCodeFor(ana, "gus");
    expect((await eventsOf(ana)).at(-1)!.data).toMatchObject({ guest: "gus", guest_id: gus.id });
  });

  test("is for people on the board alone, whatever an agent's role grants", async () => {
    const { world, ana, bo, cy } = await start();
    const writer = await seatOnDocs(world, "writer");
    expect(await verdictOf(guestCodeFor(writer, "gus"))).toBe("403 human_token_required");
    expect(await verdictOf(guestCodeFor(cy, "gus"))).toBe("403 not_on_board");
    expect(await verdictOf(guestCodeFor(ana, "gus", { role: "editor" }))).toBe(
      "422 role_not_found",
    );
    await ana.call("archiveBoard", docs);
    expect(await verdictOf(guestCodeFor(bo, "gus"))).toBe("409 board_archived");
  });

  test("refuses the handles of members and of renames, malformed ones, and a guest who is there", async () => {
    const { world, ana, reserve } = await start();
    await reserve("rita");
    for (const handle of ["ana", "bo", "cy", "rita"]) {
      const { status, code, hint } = await refusalOf(guestCodeFor(ana, handle));
      expect([status, code]).toEqual([409, "handle_taken"]);
      expect(hint).toContain(`\`service board add @${handle} --board docs\``);
    }
    for (const handle of ["Gus", "", "gus-", "a--b", "g".repeat(41)])
      expect(await verdictOf(guestCodeFor(ana, handle))).toBe("422 handle_invalid");
    await guestOn(world, "gus");
    expect(await verdictOf(guestCodeFor(ana, "gus"))).toBe("409 already_on_board");
  });

  test("it is revoked by any person on the board, not by an agent or a guest", async () => {
    const { world, ana, bo, visit } = await start();
    const { id, code } = await guestCodeFor(ana, "gus");
    const [writer, eve] = [await seatOnDocs(world, "writer"), await guestOn(world, "eve")];
    const revoke = (client: Client) =>
      client.call("revokeJoinCode", { params: { board: "docs", join_code: id } });
    expect(await verdictOf(revoke(writer))).toBe("403 forbidden");
    for (const guest of [eve, eve.agent])
      expect(await verdictOf(revoke(guest))).toBe("403 guest_not_allowed");
    expect(await revoke(bo)).toMatchObject({
      kind: "guest",
      guest: "gus",
      revoked_at: world.clock.now.toISOString(),
    });
    expect(await verdictOf(visit(code))).toBe(invalid);
  });

  test("codes that were used up are not revoked when their maker goes, the others are", async () => {
    const { ana, bo, visit } = await start();
    const [used, waiting] = [await guestCodeFor(bo, "gus"), await guestCodeFor(bo, "eve")];
    await visit(used.code);
    await bo.call("leaveBoard", docs);
    const revoked = (await eventsOf(ana)).filter(({ type }) => type === "joincode.revoked");
    expect(revoked.map(({ data }) => data)).toEqual([{ join_code_id: waiting.id }]);
    expect(await verdictOf(visit(waiting.code))).toBe(invalid);
  });
});

describe("redeeming it as somebody new", () => {
  test("makes a guest with a key, a membership and an agent in one go", async () => {
    const { world, ana, visit } = await start();
    const { id, code } = await guestCodeFor(ana, "gus");
    const head = await headOf(ana);
    const made = await visit(` ${code.toLowerCase().replace("-", "")} `, { harness: "codex" });
    expect(made.person).toEqual({
      id: made.person.id,
      handle: "gus",
      display_name: null,
      server_role: "guest",
      created_at: world.clock.now.toISOString(),
    });
    expect(made.key).toMatchObject({
      name: "machine",
      idle_expiry_seconds: 90 * 86_400,
      expires_at: world.at(90 * 86_400),
    });
    expect(made.agent).toMatchObject({
      name: "codex",
      kind: "agent",
      role: "member",
      owner: "gus",
    });
    expect(made.board).toMatchObject({ name: "docs", on_board: true, head_seq: head + 2 });
    const events = (await eventsOf(ana)).slice(head);
    const [guest, agent] = events;
    expect(events).toHaveLength(2);
    expect(guest).toMatchObject({ type: "member.joined", actor: { kind: "human", name: "gus" } });
    expect(guest!.data).toEqual({
      member_id: guest!.actor.member_id,
      person_id: made.person.id,
      name: "gus",
      kind: "human",
      role: null,
      owner: null,
      harness: null,
      access: "member",
      join_code_id: id,
      guest: true,
    });
    expect(agent).toMatchObject({ type: "member.joined", actor: guest!.actor });
    expect(agent!.data).toEqual({
      member_id: made.agent.id,
      person_id: made.person.id,
      name: "codex",
      kind: "agent",
      role: "member",
      owner: "gus",
      harness: "codex",
      access: null,
      join_code_id: id,
    });
    const gus = world.as(made.key.token);
    expect(await gus.call("getMe")).toMatchObject({ name: "gus", server_role: "guest" });
    const { boards } = await gus.call("listBoards");
    expect(boards).toMatchObject([{ name: "docs", read_up_to: head + 1, unread: 0 }]);
    expect(await world.as(made.token).call("getMe")).toMatchObject({ owner: "gus", board: "docs" });
  });

  test("works once, also of two at the same moment", async () => {
    const { world, ana, visit } = await start();
    const { code } = await guestCodeFor(ana, "gus");
    const both = await Promise.all(
      [1, 2].map(() =>
        visit(code).then(
          () => "in",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(both.sort()).toEqual(["in", "join_code_invalid"]);
    expect(await verdictOf(visit(code))).toBe(invalid);
    expect((await stored(world)).person).toHaveLength(4);
  });

  test("every code that does not work is the same 404, and nobody is made", async () => {
    const { world, ana, bo, visit, reserve } = await start();
    await ana.call("createBoard", { body: { name: "plaza" } });
    const pairing = await ana.call("createJoinCode", { ...docs, body: { role: "member" } });
    const [kept, ofGone] = [await guestCodeFor(ana, "rita"), await guestCodeFor(bo, "eve")];
    const [gone, taken] = [await guestCodeFor(ana, "eve"), await guestCodeFor(ana, "dee")];
    await ana.call("revokeJoinCode", { params: { board: "docs", join_code: gone.id } });
    await bo.call("leaveBoard", docs);
    await reserve("rita");
    await world.person("dee");
    await guestOn(world, "gus", "plaza");
    const bound = await guestCodeFor(ana, "gus");
    const onDeleted = await guestCodeFor(ana, "kim", { board: "plaza" });
    await ana.call("archiveBoard", { params: { board: "plaza" } });
    await ana.call("deleteBoard", { params: { board: "plaza" } });
    const ended = await guestCodeFor(ana, "lee", { ttl_seconds: 60 });
    world.pass(60);

    const { person } = await stored(world);
    const refusals = [];
    for (const code of ["000-000", "UUU-UUU", "", "12345"])
      refusals.push(await refusalOf(visit(code)));
    for (const { code } of [pairing, kept, ofGone, gone, taken, bound, onDeleted, ended])
      refusals.push(await refusalOf(visit(code)));
    expect(refusals[0]).toMatchObject({ status: 404, code: "join_code_invalid" });
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0]!);
    expect((await stored(world)).person).toEqual(person!);
  });

  test("a refusal after the code was found leaves it unused", async () => {
    const { world, ana, visit } = await start();
    const { code } = await guestCodeFor(ana, "gus");
    await seatOnDocs(world, "writer");
    const before = await stored(world);
    for (const name of ["writer", "ana", "gus"])
      expect(await verdictOf(visit(code, { name }))).toBe("409 name_taken");
    expect(await verdictOf(visit(code, { harness: "a\nb" }))).toBe("422 invalid_request");
    expect(await verdictOf(visit(code, { key_name: "My Laptop" }))).toBe("400 invalid_request");
    expect(await stored(world)).toEqual(before);
    await ana.call("archiveBoard", docs);
    expect(await verdictOf(visit(code))).toBe("409 board_archived");
    await ana.call("restoreBoard", docs);
    expect((await visit(code, { name: "scout" })).agent.name).toBe("scout");
  });

  test("a name that the board has goes on with a number", async () => {
    const { world, ana, visit } = await start();
    await seatOnDocs(world, "gus");
    const { code } = await guestCodeFor(ana, "gus");
    const { agent } = await visit(code, { harness: "gus" });
    const { people } = await ana.call("listPeople", docs);
    expect(people.at(-1)).toMatchObject({ handle: "gus", name: "gus-2", server_role: "guest" });
    expect(agent.name).toBe("gus-3");
  });

  test("two codes for one handle make one guest; the other one opens nothing any more", async () => {
    const { world, ana, visit } = await start();
    const [first, second] = [await guestCodeFor(ana, "gus"), await guestCodeFor(ana, "gus")];
    const { key } = await visit(first.code);
    expect(await verdictOf(visit(second.code))).toBe(invalid);
    expect(await verdictOf(join(world.as(key.token), second.code))).toBe(invalid);
  });

  test("attempts share the limit of invitations", async () => {
    const { world, visit } = await start({ rateScale: 1 });
    world.pass(60);
    const connect = () =>
      world.as().call("connect", { body: { invite: "abi_x", handle: "eve", key_name: "machine" } });
    for (let n = 0; n < 5; n++) {
      expect(await verdictOf(visit("000-000"))).toBe(invalid);
      expect(await verdictOf(connect())).toBe("404 invite_invalid");
    }
    expect(await verdictOf(visit("000-000"))).toBe("429 rate_limited");
  });
});

describe("redeeming it as a guest of the server", () => {
  /** Gus, a guest on plaza, with a code for docs. */
  async function visiting() {
    const scene = await start();
    await scene.ana.call("createBoard", { body: { name: "plaza" } });
    const gus = await guestOn(scene.world, "gus", "plaza");
    return { ...scene, gus, ...(await guestCodeFor(scene.ana, "gus")) };
  }

  test("needs their own key, brings them and an agent of the code's role, and works once", async () => {
    const { ana, gus, id, code } = await visiting();
    const head = await headOf(ana);
    const { agent } = await join(gus, code, { name: "scout" });
    const events = (await eventsOf(ana)).slice(head);
    expect(events.map(({ type, data }) => [type, data?.name, data?.guest])).toEqual([
      ["member.joined", "gus", true],
      ["member.joined", "scout", undefined],
    ]);
    for (const { data } of events)
      expect(data).toMatchObject({ person_id: gus.id, join_code_id: id });
    expect(agent).toMatchObject({ owner: "gus", role: "member" });
    const { boards } = await gus.call("listBoards");
    expect(boards.map(({ name }) => name)).toEqual(["docs", "plaza"]);
    expect(await verdictOf(join(gus, code))).toBe(invalid);
  });

  test("two redemptions at one moment make one agent", async () => {
    const { ana, gus, code } = await visiting();
    const head = await headOf(ana);
    const both = await Promise.all([1, 2].map(() => gus.send("join", { body: { code } })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 404]);
    expect(await headOf(ana)).toBe(head + 2);
  });

  test("nobody else gets in with it: a member, another guest, an agent or a namesake", async () => {
    const { world, ana, bo, cy, gus, code } = await visiting();
    const eve = await guestOn(world, "eve", "plaza");
    for (const other of [ana, bo, cy, eve])
      expect(await verdictOf(join(other, code))).toBe("403 guest_code_not_for_members");
    for (const agent of [gus.agent, await seatOnDocs(world, "writer")])
      expect(await verdictOf(join(agent, code))).toBe("403 human_token_required");
    const unbound = await guestCodeFor(ana, "kim");
    for (const other of [ana, cy, eve])
      expect(await verdictOf(join(other, unbound.code))).toBe("403 guest_code_not_for_members");
    // Gus goes, and somebody else becomes the guest of that handle.
    await world.db.write((tx) =>
      tx.run("UPDATE person SET removed_at = ? WHERE id = ?", tx.now, gus.id),
    );
    const namesake = await guestOn(world, "gus", "plaza");
    expect(await verdictOf(join(namesake, code))).toBe(invalid);
  });

  test("a code that is over is 404 for its guest and for everybody", async () => {
    const { world, ana, gus, id, code, cy } = await visiting();
    await ana.call("revokeJoinCode", { params: { board: "docs", join_code: id } });
    for (const client of [gus, cy]) expect(await verdictOf(join(client, code))).toBe(invalid);
    const short = await guestCodeFor(ana, "gus", { ttl_seconds: 60 });
    world.pass(60);
    for (const client of [gus, cy]) expect(await verdictOf(join(client, short.code))).toBe(invalid);
  });

  test("whoever was on the board returns under the old member id and name", async () => {
    const { ana, gus } = await visiting();
    await ana.call("removePerson", { params: { board: "plaza", handle: "gus" } });
    const before = (await eventsOf(ana, "plaza")).find(({ data }) => data?.guest === true)!.data!;
    expect(await verdictOf(gus.call("getBoard", { params: { board: "plaza" } }))).toBe(
      "404 board_not_found",
    );
    const { id, code } = await guestCodeFor(ana, "gus", { board: "plaza" });
    const head = await headOf(ana, "plaza");
    await join(gus, code);
    const [back, agent] = (await eventsOf(ana, "plaza")).slice(head);
    const { member_id, name } = before as { member_id: string; name: string };
    expect(back).toMatchObject({ type: "person.added", actor: { kind: "human", member_id, name } });
    expect(back!.data).toEqual({
      member_id,
      person_id: gus.id,
      name,
      access: "member",
      rejoined: true,
    });
    expect(agent!.data).toMatchObject({ kind: "agent", join_code_id: id });
    // The old agent stays gone.
    expect(await verdictOf(gus.agent.call("getMe"))).toBe("403 agent_removed");
    expect(await verdictOf(join(gus, code))).toBe(invalid);
  });

  test("a second code made before they came gives another agent, and is used up", async () => {
    const { ana, gus, code } = await visiting();
    const other = await guestCodeFor(ana, "gus");
    await join(gus, code);
    const head = await headOf(ana);
    expect((await join(gus, other.code)).agent.name).toBe("member-2");
    expect(await headOf(ana)).toBe(head + 1);
    expect(await verdictOf(join(gus, other.code))).toBe(invalid);
  });

  test("an archived board refuses it and leaves it unused", async () => {
    const { ana, gus, code } = await visiting();
    await ana.call("archiveBoard", docs);
    expect(await verdictOf(join(gus, code))).toBe("409 board_archived");
    expect(await verdictOf(gus.call("getBoard", docs))).toBe("404 board_not_found");
    await ana.call("restoreBoard", docs);
    expect((await join(gus, code)).board.name).toBe("docs");
  });

  test("a repeat gets the same token while the guest is on the board, though the code is used up", async () => {
    const { world, ana, gus, code } = await visiting();
    const again = () => gus.send("join", { body: { code } }, { idempotencyKey: "once" });
    const first = await again();
    const repeat = await again();
    expect(repeat.data).toEqual(first.data);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    const other = await guestOn(world, "eve", "plaza");
    const foreign = await other.send("join", { body: { code } }, { idempotencyKey: "once" });
    expect(foreign.status).toBe(404);
    await ana.call("removePerson", { params: { board: "docs", handle: "gus" } });
    expect(await again()).toMatchObject({
      status: 404,
      data: { error: { code: "join_code_invalid" } },
    });
  });

  test("a kept refusal that tells of the board is told again while the code opens it, and then not", async () => {
    const { ana, gus, id, code } = await visiting();
    const again = () =>
      gus.send("join", { body: { code, name: "ana" } }, { idempotencyKey: "once" });
    const first = await again();
    expect(first).toMatchObject({ status: 409, data: { error: { code: "name_taken" } } });
    expect((await again()).data).toEqual(first.data);
    await ana.call("revokeJoinCode", { params: { board: "docs", join_code: id } });
    expect(await again()).toMatchObject({
      status: 404,
      data: { error: { code: "join_code_invalid" } },
    });
  });
});
