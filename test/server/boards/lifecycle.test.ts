import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { docs, eventsOf, headOf } from "../../support/boards/docs-board.ts";
import { ask, verdictOf } from "../../support/raw-requests.ts";
import { setScene } from "../../support/boards/boards-with-one-of-everything.ts";

const at = (board: string) => ({ params: { board } });

/** The scene, and bo's private board `den` with his agent mole; ana the admin is not on it. */
async function start() {
  const scene = await setScene();
  const { bo, world } = scene;
  const den = await bo.call("createBoard", { body: { name: "den", visibility: "private" } });
  await bo.call("addPerson", { ...at("den"), body: { handle: "cleo" } });
  await bo.call("addOwner", { ...at("den"), body: { handle: "cleo" } });
  const mole = await world.seat(bo, "den", { name: "mole" });
  return { ...scene, den, mole, stranger: await world.seat(scene.cleo, "den", { name: "ant" }) };
}

describe("archiving and restoring", () => {
  test("write one event for each real change, and none where nothing changes", async () => {
    const { bo, den } = await start();
    const person_id = bo.id;
    for (const [operation, lifecycle, data] of [
      ["archiveBoard", "archived", { person_id, before: "active", after: "archived" }],
      ["restoreBoard", "active", { person_id, before: "archived", after: "active" }],
    ] as const) {
      const head = await headOf(bo, "den");
      expect(await bo.call(operation, at("den"))).toEqual({ id: den.id, lifecycle, changed: true });
      const event = (await eventsOf(bo, "den")).at(-1)!;
      expect(event).toMatchObject({ type: `board.${lifecycle.replace("active", "restored")}` });
      expect([event.seq, event.actor.name, event.data]).toEqual([head + 1, "bo", data]);
      for (const named of ["den", den.id])
        expect(await bo.call(operation, at(named))).toEqual({
          id: den.id,
          lifecycle,
          changed: false,
        });
      expect(await headOf(bo, "den")).toBe(head + 1);
    }
  });

  test("an agent of the creator does it in the creator's name, on its own board alone, and never deletes", async () => {
    const { world, bo, cleo, mole, writer, den } = await start();
    expect(await mole.call("archiveBoard", at(den.id))).toMatchObject({ changed: true });
    expect((await eventsOf(bo, "den")).at(-1)).toMatchObject({
      actor: { kind: "agent", name: "mole", owner: "bo" },
      data: { person_id: bo.id },
    });
    const seen = await mole.call("getBoard", at("den"));
    expect([seen.can_archive, seen.can_restore, seen.can_delete]).toEqual([false, true, false]);
    expect(await verdictOf(mole.call("deleteBoard", at("den")))).toBe("403 human_token_required");
    expect(await verdictOf(mole.call("deleteBoard", at("nowhere")))).toBe(
      "403 human_token_required",
    );
    expect(await verdictOf(world.as(writer).call("restoreBoard", at(den.id)))).toBe(
      "404 board_not_found",
    );
    await bo.call("leaveBoard", at("den"));
    expect((await refusalOf(mole.call("restoreBoard", at("den")))).code).toBe("agent_removed");
    expect((await cleo.call("getBoard", at("den"))).can_restore).toBe(false);
  });

  test("another owner and their agent may not, and are sent to the creator or a server admin", async () => {
    const { bo, cleo, stranger } = await start();
    await bo.call("archiveBoard", at("den"));
    for (const client of [cleo, stranger])
      for (const operation of ["archiveBoard", "restoreBoard"] as const) {
        const { status, code, hint } = await refusalOf(client.call(operation, at("den")));
        expect([status, code]).toEqual([403, "board_creator_required"]);
        expect(hint).toBe("Ask @bo, who created it, or a server admin.");
      }
    expect(await verdictOf(cleo.call("deleteBoard", at("den")))).toBe("403 board_creator_required");
    await bo.call("leaveBoard", at("den"));
    const { hint } = await refusalOf(cleo.call("restoreBoard", at("den")));
    expect(hint).toBe("Ask a server admin.");
    expect(await verdictOf(bo.call("restoreBoard", at("den")))).toBe("404 board_not_found");
  });

  test("a creator who comes back may again, as an ordinary member", async () => {
    const { bo, cleo } = await start();
    await bo.call("leaveBoard", at("den"));
    await cleo.call("addPerson", { ...at("den"), body: { handle: "bo" } });
    const board = await bo.call("getBoard", at("den"));
    expect([board.can_archive, board.can_restore, board.can_delete]).toEqual([true, false, false]);
    expect(await bo.call("archiveBoard", at("den"))).toMatchObject({ changed: true });
  });
});

describe("a server admin", () => {
  test("reaches a private board they are not on by its id alone, as a person without a member", async () => {
    const { ana, bo, den } = await start();
    for (const operation of ["archiveBoard", "restoreBoard", "deleteBoard"] as const)
      expect(await verdictOf(ana.call(operation, at("den")))).toBe("404 board_not_found");
    expect(await ana.call("archiveBoard", at(den.id))).toEqual({
      id: den.id,
      lifecycle: "archived",
      changed: true,
    });
    expect((await eventsOf(bo, "den")).at(-1)!.actor).toEqual({
      kind: "human",
      member_id: null,
      name: "ana",
      owner: null,
    });
    expect(await verdictOf(ana.call("getBoard", at("den")))).toBe("404 board_not_found");
    expect((await bo.call("listPeople", at("den"))).people).toHaveLength(2);
    expect(await ana.call("deleteBoard", at(den.id))).toMatchObject({ lifecycle: "deleted" });
    expect(await verdictOf(bo.call("getBoard", at("den")))).toBe("404 board_not_found");
  });

  test("acts on an open board they are not on by name too, and their agent there has nothing of it", async () => {
    const { world, ana, bo, cy, cleo } = await start();
    await bo.call("createBoard", { body: { name: "yard" } });
    expect(await verdictOf(cy.call("archiveBoard", at("yard")))).toBe("403 not_on_board");
    await ana.call("archiveBoard", at("yard"));
    await ana.call("restoreBoard", at("yard"));
    await ana.call("addPerson", { ...at("yard"), body: { handle: "ana" } });
    const spy = await world.seat(ana, "yard", { name: "spy" });
    expect(await verdictOf(spy.call("archiveBoard", at("yard")))).toBe(
      "403 board_creator_required",
    );
    const seen = async (client: Client) => {
      const board = await client.call("getBoard", at("yard"));
      return [board.can_archive, board.can_restore, board.can_delete];
    };
    expect(await seen(spy)).toEqual([false, false, false]);
    expect(await seen(cleo)).toEqual([false, false, false]);
    expect(await seen(ana)).toEqual([true, false, false]);
    await bo.call("archiveBoard", at("yard"));
    expect([await seen(ana), await seen(bo)]).toEqual([
      [false, true, true],
      [false, true, true],
    ]);
    const { hint } = await refusalOf(spy.call("restoreBoard", at("yard")));
    expect(hint).toContain("@bo");
  });

  test("is shown the private boards beside theirs by id, without a name; nobody else is", async () => {
    const { ana, bo, cy, mole, den } = await start();
    const hidden = async (client: Client, query: object = {}) => {
      const found = await client.call("listBoards", { query: { all: true, ...query } });
      return found.hidden_boards;
    };
    const shown = {
      id: den.id,
      visibility: "private",
      lifecycle: "active",
      people: 2,
      can_archive: true,
      can_restore: false,
      can_delete: false,
      created_at: den.created_at,
      created_by: { id: bo.id, handle: "bo" },
    };
    expect(await hidden(ana)).toEqual([shown as never]);
    for (const client of [bo, cy, mole]) expect(await hidden(client)).toEqual([]);
    expect((await ana.call("listBoards")).hidden_boards).toBeUndefined();
    await ana.call("archiveBoard", at(den.id));
    expect(await hidden(ana)).toEqual([]);
    expect(await hidden(ana, { lifecycle: "archived" })).toEqual([
      { ...shown, lifecycle: "archived", can_archive: false, can_restore: true, can_delete: true },
    ] as never);
    const { archived_count } = await ana.call("listBoards", { query: { all: true } });
    expect(archived_count).toBe(0);
    await ana.call("deleteBoard", at(den.id));
    expect(await hidden(ana, { lifecycle: "all" })).toEqual([]);
  });
});

describe("a receipt", () => {
  test("is given again unchanged, whatever has happened since, to who has the authority still", async () => {
    const { bo, cleo, den } = await start();
    const once = { idempotencyKey: "once" };
    const archived = await bo.call("archiveBoard", at("den"), once);
    await bo.call("restoreBoard", at("den"));
    const head = await headOf(bo, "den");
    expect(await bo.call("archiveBoard", at("den"), once)).toEqual(archived);
    expect(archived).toEqual({ id: den.id, lifecycle: "archived", changed: true });
    expect((await bo.call("getBoard", at("den"))).lifecycle).toBe("active");
    expect(await headOf(bo, "den")).toBe(head);
    await bo.call("leaveBoard", at("den"));
    expect(await verdictOf(bo.call("archiveBoard", at("den"), once))).toBe("404 board_not_found");
    await cleo.call("setVisibility", { ...at("den"), body: { visibility: "open" } });
    expect(await verdictOf(bo.call("archiveBoard", at("den"), once))).toBe("403 not_on_board");
  });

  test("a refusal that tells of a board is not repeated once it is hidden", async () => {
    const { world, ana, cy } = await start();
    const { code } = await ana.call("createJoinCode", { ...docs, body: { role: "member" } });
    const { token } = cy;
    const twice = async (line: string, body?: unknown) =>
      (await ask(world, line, { token, body, headers: { "idempotency-key": line } })).verdict;
    const lines = [
      ["POST /v1/boards/docs/archive", undefined, "403 not_on_board"],
      ["POST /v1/boards/docs/restore", undefined, "403 not_on_board"],
      ["POST /v1/boards/docs/delete", undefined, "403 not_on_board"],
      ["DELETE /v1/boards/docs/members/writer", undefined, "403 not_on_board"],
      ["POST /v1/join", { board: "docs", role: "member" }, "403 not_on_board"],
    ] as const;
    for (const [line, body, verdict] of lines)
      expect([line, await twice(line, body)]).toEqual([line, verdict]);
    expect(await twice("POST /v1/join?", { code })).toBe("403 join_code_not_yours");
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    for (const [line, body] of lines)
      expect([line, await twice(line, body)]).toEqual([line, "404 board_not_found"]);
    expect(await twice("POST /v1/join?", { code })).toBe("403 join_code_not_yours");
  });
});

test("a taken name says that an archived board has it only to who can read that one", async () => {
  const { ana, bo, cy, den } = await start();
  const create = (client: Client, name: string) =>
    refusalOf(client.call("createBoard", { body: { name } }, { idempotencyKey: `create-${name}` }));
  const plain = (name: string) => ({
    status: 409,
    code: "board_name_taken",
    details: undefined,
    message: `The board name ${name} is taken.`,
    hint: "Choose another name; names of boards are never given out twice.",
  });
  await bo.call("archiveBoard", at("den"));
  await ana.call("archiveBoard", docs);
  const told = await create(bo, "den");
  expect(told.message).toBe("The board name den is taken by an archived board.");
  expect(told.hint).toBe(
    "Choose another name, or ask @bo, who created it, or a server admin to restore that one.",
  );
  expect(await create(ana, "den")).toEqual(plain("den"));
  for (const name of ["den", "docs"]) expect(await create(cy, name)).toEqual(plain(name));
  await bo.call("leaveBoard", at("den"));
  expect(await create(bo, "den")).toEqual(plain("den"));
  await ana.call("deleteBoard", at(den.id));
  for (const client of [ana, bo]) expect(await create(client, "den")).toEqual(plain("den"));
});
