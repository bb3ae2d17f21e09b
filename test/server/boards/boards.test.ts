import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import type { Permission } from "../../../src/contract/access.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { docs, eventsOf, makeDocs } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

describe("making a board", () => {
  const make = (client: Client, body: NonNullable<Given<"createBoard">["body"]> = {}) =>
    client.call("createBoard", { body });

  test("a board without a name is named after its template, numbered when that is taken", async () => {
    const world = await startWorld();
    const names = [];
    for (const body of [
      {},
      {},
      { template: "writer-reviewer" },
      {},
      { template: "writer-reviewer" },
    ])
      names.push((await make(world.admin, body)).name);
    expect(names).toEqual([
      "general",
      "general-2",
      "writer-reviewer",
      "general-3",
      "writer-reviewer-2",
    ]);
  });

  test("its maker is its first owner, and its log begins with the board and with them", async () => {
    const world = await startWorld();
    const board = await make(world.admin, { name: "docs", title: "  The docs  " });
    expect(board).toMatchObject({
      name: "docs",
      title: "The docs",
      visibility: "open",
      lifecycle: "active",
      template: "general",
      on_board: true,
      agents_add_people: true,
      task_prefix: null,
      head_seq: 2,
      read_up_to: 2,
      message_count: 0,
      last_message_at: null,
      unread: 0,
      needs_reply: 0,
      created_by: { name: "ana", kind: "human", role: null, owner: null },
    });
    const [created, joined] = await eventsOf(world.admin);
    expect(created).toMatchObject({
      seq: 1,
      type: "board.created",
      data: { board_id: board.id, title: "The docs" },
    });
    expect(created!.data).not.toHaveProperty("visibility");
    expect(joined).toMatchObject({
      seq: 2,
      type: "member.joined",
      data: { name: "ana", access: "admin" },
    });
  });

  test("a private board begins without agents adding people, and says so in its log", async () => {
    const world = await startWorld();
    const board = await make(world.admin, { name: "docs", visibility: "private", title: "" });
    expect(board).toMatchObject({ visibility: "private", agents_add_people: false, title: null });
    const [created] = await eventsOf(world.admin);
    expect(created!.data).toMatchObject({ visibility: "private", agents_add_people: false });
    expect(created!.data).not.toHaveProperty("title");
  });

  test("template, charter and preset fill the board, a given charter instead of the template's", async () => {
    const world = await startWorld();
    const pair = await make(world.admin, { template: "writer-reviewer", preset: "recommended" });
    expect(Object.keys(pair.roles).sort()).toEqual(["member", "reviewer", "writer"]);
    const nine: Permission[] = [
      "post",
      "broadcast",
      "urgent",
      "create_tasks",
      "claim_tasks",
      "write_notes",
      "upload_files",
      "invite",
      "add_people",
    ];
    expect(new Set(pair.roles["writer"]!.can)).toEqual(new Set(nine));
    expect(pair.roles["member"]!.can).toEqual(
      nine.filter((each) => each !== "broadcast" && each !== "urgent"),
    );
    expect(pair.policy).toEqual({
      preset: "recommended",
      visibility: "addressed",
      broadcast: "granted",
      urgent: "granted",
      show_harness: true,
      nudges: "on",
      overrides: [],
    });
    const own = await make(world.admin, { charter: "Be kind." });
    expect(own.charter).toBe("Be kind.");
    expect(own.policy).toMatchObject({
      preset: "starter",
      visibility: "open",
      broadcast: "everyone",
    });
    const { status, code, hint } = await refusalOf(make(world.admin, { template: "other" }));
    expect([status, code, hint]).toEqual([
      422,
      "template_not_found",
      "The templates are general, writer-reviewer.",
    ]);
  });

  test("a name is given once, and a hidden board's name is refused like any other", async () => {
    const world = await startWorld();
    const bo = await world.person("bo");
    await make(world.admin, { name: "plaza" });
    await make(world.admin, { name: "hiden", visibility: "private" });
    const [open, hidden] = [
      await refusalOf(make(bo, { name: "plaza" })),
      await refusalOf(make(bo, { name: "hiden" })),
    ];
    expect(open).toMatchObject({ status: 409, code: "board_name_taken" });
    expect(JSON.stringify(hidden).replaceAll("hiden", "plaza")).toBe(JSON.stringify(open));
    for (const name of ["a", "-a", "a-", "A1", "a_b", "x".repeat(41), ""])
      expect(await verdictOf(make(bo, { name }))).toBe("400 invalid_request");
    for (const name of ["a1", "0-0", "a--b", "x".repeat(40)])
      expect((await make(bo, { name })).name).toBe(name);
  });

  test("of several who ask for one name at the same moment one gets it", async () => {
    const world = await startWorld();
    const attempts = Array.from({ length: 5 }, () =>
      world.admin.send("createBoard", { body: { name: "docs" } }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await world.admin.call("listBoards")).boards).toHaveLength(1);
  });

  test("where only admins make boards, others are told who they are", async () => {
    const world = await startWorld();
    const bo = await world.person("bo");
    await world.admin.call("updateSettings", { body: { board_creation: "admins" } });
    const { status, code, hint } = await refusalOf(make(bo));
    expect([status, code]).toEqual([403, "board_creation_restricted"]);
    expect(hint).toContain("@ana");
    expect((await make(world.admin)).name).toBe("general");
  });
});

test("a person sees their boards, with all=true the open ones beside, and never a hidden one", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  await makeDocs(world);
  await world.admin.call("createBoard", { body: { name: "secret", visibility: "private" } });
  await bo.call("createBoard", { body: { name: "own" } });
  const writer = await world.seat(world.admin, "docs");
  const listed = async (client: Client, query: { all?: boolean } = {}) =>
    (await client.call("listBoards", { query })).boards.map(
      ({ name, on_board }) => `${name} ${on_board}`,
    );
  expect(await listed(bo)).toEqual(["own true"]);
  expect(await listed(bo, { all: true })).toEqual(["own true", "docs false"]);
  expect(await listed(world.admin, { all: true })).toEqual([
    "docs true",
    "secret true",
    "own false",
  ]);
  for (const all of [false, true]) expect(await listed(writer, { all })).toEqual(["docs true"]);

  const seen = await bo.call("getBoard", docs);
  expect(seen).toMatchObject({ on_board: false, message_count: null, last_message_at: null });
  for (const own of ["read_up_to", "unread", "needs_reply"]) expect(seen).not.toHaveProperty(own);
});
