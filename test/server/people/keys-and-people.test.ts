import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { makeDocs, personOnDocs } from "../../support/boards/docs-board.ts";
import { stored } from "../../support/raw-requests.ts";

const day = 24 * 60 * 60;
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code;
const at = (time: string, seconds: number) =>
  new Date(Date.parse(time) + seconds * 1000).toISOString();

describe("invitations", () => {
  type Newcomer = Partial<NonNullable<Given<"connect">["body"]>>;
  async function start(terms: Given<"createServerInvite">["body"] = {}) {
    const world = await startWorld();
    const { invite, ...record } = await world.admin.call("createServerInvite", { body: terms });
    const connect = (newcomer: Newcomer = {}) =>
      world.connect({ invite, handle: "bo", key_name: "laptop", ...newcomer });
    return { world, ana: world.admin, record, connect };
  }

  test("an invitation makes one member with a first key, once", async () => {
    const { world, record, connect } = await start();
    const now = world.clock.now.toISOString();
    expect(record).toEqual({
      id: record.id,
      server_role: "member",
      expires_at: at(now, 7 * day),
    });
    const { person, key } = await connect({ display_name: "  Bo B. " });
    expect(person).toMatchObject({ handle: "bo", display_name: "Bo B.", server_role: "member" });
    expect(key).toMatchObject({
      name: "laptop",
      idle_expiry_seconds: 90 * day,
      expires_at: at(now, 90 * day),
    });
    expect((await world.as(key.token).call("getMe")).id).toBe(person.id);
    expect(await codeOf(connect({ handle: "cy" }))).toBe("invite_invalid");
  });

  test("of several who redeem an invitation at the same moment one comes in", async () => {
    const { world, connect } = await start();
    const outcomes = await Promise.all(
      ["bo", "cy", "dee"].map((handle) =>
        connect({ handle }).then(
          () => "in",
          ({ code }) => code as string,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual(["in", "invite_invalid", "invite_invalid"]);
    expect(await world.admin.call("listServerPeople")).toMatchObject({ people: [{}, {}] });
  });

  test("an invitation works until its end and not at it, and its end can be set from a minute to thirty days", async () => {
    for (const ttl_seconds of [60, 30 * day]) {
      const { world, connect } = await start({ ttl_seconds });
      world.pass(ttl_seconds - 0.001);
      expect(await codeOf(connect({ handle: "ana" }))).toBe("handle_taken");
      world.pass(0.001);
      expect(await codeOf(connect())).toBe("invite_invalid");
    }
  });

  test("a wrong, a used and an ended invitation answer alike", async () => {
    const { world, connect } = await start({ ttl_seconds: 60 });
    const wrong = await refusalOf(connect({ invite: `abi_${"x".repeat(43)}` }));
    expect(await refusalOf(connect({ invite: "anything" }))).toEqual(wrong);
    await connect();
    expect(await refusalOf(connect({ handle: "cy" }))).toEqual(wrong);
    world.pass(60);
    expect(await refusalOf(connect({ handle: "dee" }))).toEqual(wrong);
    expect(wrong).toMatchObject({ status: 404, code: "invite_invalid" });
  });

  test("a refused redemption makes nothing and leaves the invitation unused", async () => {
    const { world, connect } = await start();
    const before = await stored(world);
    expect(await codeOf(connect({ handle: "ana" }))).toBe("handle_taken");
    expect(await codeOf(connect({ handle: "Bo" }))).toBe("handle_invalid");
    expect(await codeOf(connect({ key_name: "My Laptop" }))).toBe("invalid_request");
    expect(await codeOf(connect({ display_name: "a\nb" }))).toBe("invalid_request");
    expect(await stored(world)).toEqual(before);
    expect((await connect()).person.handle).toBe("bo");
  });

  test("a handle is lowercase letters, digits and single dashes, at most 40, and the hint offers one", async () => {
    const { connect } = await start();
    const offered: Record<string, string> = {
      "Bo B.": "bo-b",
      bo_b: "bo-b",
      "-bo": "bo",
      "bo-": "bo",
      "bo--b": "bo-b",
      "": "human",
      "¡!": "human",
      BØ: "b",
      "bo\n": "bo",
      ["x".repeat(41)]: "x".repeat(40),
      [`${"x".repeat(39)}-y`]: "x".repeat(39),
    };
    for (const [handle, suggestion] of Object.entries(offered)) {
      const { status, code, hint } = await refusalOf(connect({ handle }));
      expect([handle, status, code]).toEqual([handle, 422, "handle_invalid"]);
      expect(hint).toContain(`: ${suggestion}.`);
    }
    expect((await refusalOf(connect({ handle: "x".repeat(81) }))).status).toBe(400);
    expect((await connect({ handle: `7-${"x".repeat(38)}` })).person.handle).toHaveLength(40);
  });

  test("an invitation brings its person onto the boards it names, added by the inviter", async () => {
    const world = await startWorld();
    const ana = world.admin;
    const ids = [];
    for (const name of ["docs", "secret"])
      ids.push((await ana.call("createBoard", { body: { name, visibility: "private" } })).id);
    const { invite, boards } = await ana.call("createServerInvite", { body: { boards: ids } });
    expect(boards).toEqual(ids);
    const body = { invite, handle: "bo", key_name: "laptop" };
    const bo = world.as((await world.connect(body)).key.token);
    const listed = (await bo.call("listBoards")).boards;
    expect(listed.map(({ name }) => name)).toEqual(["docs", "secret"]);
    for (const board of listed) {
      expect(board.added?.by).toMatchObject({ kind: "human", name: "ana" });
      expect(board).toMatchObject({ read_up_to: board.head_seq, unread: 0 });
    }
  });

  test("an invitation to a board that its maker is not on is refused: hidden and missing alike", async () => {
    const world = await startWorld();
    const bo = await world.person("bo");
    const hidden = await bo.call("createBoard", { body: { name: "own", visibility: "private" } });
    const open = await bo.call("createBoard", { body: { name: "plaza" } });
    const missing = `brd_${"0".repeat(26)}`;
    const tried = (id: string) =>
      refusalOf(world.admin.call("createServerInvite", { body: { boards: [id] } }));
    const [refused, unknown] = [await tried(hidden.id), await tried(missing)];
    expect(JSON.stringify(refused).replaceAll(hidden.id, missing)).toBe(JSON.stringify(unknown));
    expect(refused).toMatchObject({ status: 404, code: "board_not_found" });
    expect(await tried(open.id)).toMatchObject({ status: 403, code: "not_on_board" });
  });

  test("an invitation dies with its maker's admin role, or their place on a board it names", async () => {
    const { world, connect } = await start();
    await world.db.write((tx) => tx.run("UPDATE person SET server_role = 'member'"));
    expect(await codeOf(connect())).toBe("invite_invalid");

    const other = await startWorld();
    const { id } = await makeDocs(other);
    const { invite } = await other.admin.call("createServerInvite", { body: { boards: [id] } });
    await other.db.write((tx) => tx.run("UPDATE member SET status = 'left'"));
    const body = { invite, handle: "bo", key_name: "laptop" };
    expect(await codeOf(other.as().call("connect", { body }))).toBe("invite_invalid");
    expect((await other.admin.call("listServerPeople")) as object).toMatchObject({ people: [{}] });
  });
});

describe("people", () => {
  test("people are listed oldest first, and one is looked up by handle, by agents too", async () => {
    const { world, ana } = await people();
    const bo = await personOnDocs(world, "bo");
    await world.person("al");
    const listed = (await bo.call("listServerPeople")) as {
      people: { handle: string; server_role: string }[];
    };
    expect(listed.people.map(({ handle, server_role }) => `${handle} ${server_role}`)).toEqual([
      "ana admin",
      "bo member",
      "al member",
    ]);
    const writer = await world.seat(ana, "docs");
    const one = { id: bo.id, handle: "bo", display_name: null };
    for (const client of [ana, writer])
      expect(
        (await client.call("listServerPeople", { query: { handle: "bo" } })) as object,
      ).toEqual(one);
    expect(await codeOf(writer.call("listServerPeople"))).toBe("human_token_required");
    const unknown = ana.call("listServerPeople", { query: { handle: "b" } });
    expect(await refusalOf(unknown)).toMatchObject({ status: 404, code: "person_not_found" });
  });

  test("the caller is told who they are, as a person and as an agent", async () => {
    const { world, ana } = await people();
    const { handle, ...me } = { handle: "ana", ...(await ana.call("getMe")) };
    expect(me).toMatchObject({
      kind: "human",
      name: handle,
      board: null,
      owner: null,
      server_role: "admin",
    });
    const writer = await world.seat(ana, "docs", { name: "writer" });
    expect(await writer.call("getMe")).toEqual({
      id: writer.id,
      kind: "agent",
      name: "writer",
      board: "docs",
      owner: "ana",
      browser: false,
      server_role: null,
      display_name: null,
      delivery_mode: "focused",
      delivery_revision: 0,
      current_task: null,
    });
  });

  test("an admin changes the settings in part, and everyone's people read them", async () => {
    const { world, ana } = await people();
    const bo = await world.person("bo");
    const change = (body: NonNullable<Given<"updateSettings">["body"]>, who: Client = ana) =>
      who.call("updateSettings", { body });
    expect(await bo.call("getSettings")).toEqual({
      board_creation: "members",
      agents_add_people: true,
    });
    await change({ agents_add_people: false });
    expect(await change({ board_creation: "admins" })).toEqual(await bo.call("getSettings"));
    expect(await bo.call("getSettings")).toEqual({
      board_creation: "admins",
      agents_add_people: false,
    });
    const { status, hint } = await refusalOf(change({ agents_add_people: true }, bo));
    expect([status, hint]).toEqual([403, "Ask one of the server's admins: @ana."]);
  });

  async function people() {
    const world = await startWorld();
    await makeDocs(world);
    return { world, ana: world.admin };
  }
});
