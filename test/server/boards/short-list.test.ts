import { expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { docs, guestOn, makeDocs } from "../../support/boards/docs-board.ts";
import { browserOf, delegate } from "../../support/other-callers.ts";
import { statementsOf } from "../../support/statements.ts";
import { verdictOf } from "../../support/raw-requests.ts";
import { startWorld, type World } from "../../support/servers/server-in-process.ts";

type Query = NonNullable<Given<"listBoards">["query"]>;

const make = (client: Client, name: string, visibility: "open" | "private" = "open") =>
  client.call("createBoard", { body: { name, visibility } });
const archive = (client: Client, board: string) =>
  client.call("archiveBoard", { params: { board } });
async function remove(client: Client, board: string) {
  await archive(client, board);
  await client.call("deleteBoard", { params: { board } });
}
const page = (client: Client, query: Query = {}) =>
  client.call("listBoards", { query: { ...query, form: "short" } });

/** Boards and hidden boards of all pages of the short list. */
async function everyPage(client: Client, query: Query = {}) {
  const boards = [];
  const hidden = [];
  let after: string | undefined;
  do {
    const read = await page(client, { ...query, ...(after !== undefined && { after }) });
    boards.push(...read.boards);
    hidden.push(...(read.hidden_boards ?? []));
    expect(read.boards.length + (read.hidden_boards?.length ?? 0)).toBeLessThanOrEqual(
      query.limit ?? 500,
    );
    after = read.next ?? undefined;
  } while (after !== undefined);
  return { boards, hidden };
}
const namesOf = (boards: readonly { name: string }[]) => boards.map(({ name }) => name);

/** Boards of ana, who administers the server, and of bo: open, private, archived, deleted, left and joined. */
async function someBoards() {
  const world = await startWorld();
  const ana = world.admin;
  const bo = await world.person("bo");
  await makeDocs(world, { charter: "Be kind. ".repeat(800), template: "writer-reviewer" });
  await make(ana, "secret", "private");
  await make(bo, "own", "private");
  await make(ana, "gone");
  await make(bo, "yard");
  await make(bo, "shed", "private");
  await make(ana, "plaza");
  await make(ana, "old");
  await make(bo, "left");
  for (const board of ["docs", "plaza", "old"])
    await bo.call("addPerson", { params: { board }, body: { handle: "bo" } });
  await ana.call("addPerson", { params: { board: "left" }, body: { handle: "ana" } });
  await ana.call("leaveBoard", { params: { board: "left" } });
  await archive(ana, "old");
  await archive(bo, "shed");
  await remove(ana, "gone");
  const gus = await guestOn(world, "gus");
  return { world, ana, bo, gus };
}

test("has for every caller what the whole list has, without what may be long, in pages of any size", async () => {
  const { world, ana, bo, gus } = await someBoards();
  const writer = await world.seat(bo, "docs", { name: "writer", role: "writer" });
  const callers: Record<string, Client> = {
    ana,
    bo,
    gus,
    writer,
    "a guest's agent": gus.agent,
    "ana's browser": world.as(await browserOf(world, ana.token)),
    "bo's browser": world.as(await browserOf(world, bo.token)),
    "ana's machine": world.as(await delegate(world, ana.token)),
    "bo's machine": world.as(await delegate(world, bo.token)),
    "cy, who is on none": await world.person("cy"),
  };
  for (const [name, client] of Object.entries(callers))
    for (const all of [undefined, true])
      for (const lifecycle of [undefined, "active", "archived", "all"] as const) {
        const query = { ...(all && { all }), ...(lifecycle && { lifecycle }) };
        const whole = await client.call("listBoards", { query });
        const short = whole.boards
          .map(({ charter, roles, policy, ...rest }) => {
            expect([typeof charter, typeof roles, typeof policy]).toEqual([
              "string",
              "object",
              "object",
            ]);
            return rest;
          })
          // Equal moments are decided by the order of the ids, as the boards were made in it.
          .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
        const first = await page(client, query);
        expect(first).not.toHaveProperty("archived_count");
        expect({ name, query, ...first }).toEqual({
          name,
          query,
          boards: short,
          ...(whole.hidden_boards && { hidden_boards: whole.hidden_boards }),
          next: null,
        });
        for (const limit of [1, 2, 3]) {
          const read = await everyPage(client, { ...query, limit });
          expect(read).toEqual({ boards: short, hidden: whole.hidden_boards ?? [] });
        }
      }
  expect(namesOf((await page(bo, { all: true, lifecycle: "all" })).boards)).toContain("old");
  expect((await page(ana, { all: true })).hidden_boards).toHaveLength(1);
});
/** In which the boards were made. */
const order = ["docs", "secret", "own", "gone", "yard", "shed", "plaza", "old", "left"];

test("lists each board once, whatever is made, deleted, joined, left, archived or retitled between the pages", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  for (const name of ["b1", "b2", "b3", "b4", "b5", "b6"]) await make(bo, name);
  for (const name of ["o1", "o2", "o3"]) await make(world.admin, name);
  const query = { all: true, lifecycle: "all", limit: 2 } as const;
  const seen: string[] = [];
  let after: string | undefined;
  const between = [
    // The last board of the page before goes, and with it what `after` names.
    () => remove(bo, "b2"),
    () => bo.call("addPerson", { params: { board: "o3" }, body: { handle: "bo" } }),
    async () => {
      await make(bo, "late");
      await archive(bo, "b1");
    },
    () => world.admin.call("updateBoard", { params: { board: "o3" }, body: { title: "A first" } }),
  ];
  do {
    const { boards, next } = await page(bo, { ...query, ...(after !== undefined && { after }) });
    seen.push(...namesOf(boards));
    await between.shift()?.();
    after = next ?? undefined;
  } while (after !== undefined);
  expect(between).toEqual([]);
  expect(seen).toEqual(["b1", "b2", "b3", "b4", "b5", "b6", "o1", "o2", "o3", "late"]);
});

test("goes on alike after a board that is hidden, one that is deleted, and one that never was", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  await make(bo, "early");
  const ids = [];
  world.pass(1);
  ids.push((await make(world.admin, "hidden", "private")).id);
  world.pass(1);
  ids.push((await make(world.admin, "gone")).id);
  await remove(world.admin, "gone");
  world.pass(1);
  await make(bo, "later");
  ids.push(`${ids[1]!.slice(0, 14)}${"Z".repeat(16)}`);
  const answers = await Promise.all(
    ids.map((after) => bo.send("listBoards", { query: { form: "short", after, all: true } })),
  );
  const [first, ...others] = answers.map(({ status, data }) => JSON.stringify([status, data]));
  expect(first).toContain("later");
  expect(first).not.toContain("early");
  for (const other of others) expect(other).toBe(first!);
  for (const [after, names] of [
    [`brd_${"0".repeat(26)}`, ["early", "later"]],
    [`brd_7${"Z".repeat(25)}`, []],
  ] as const)
    expect(namesOf((await page(bo, { after })).boards)).toEqual([...names]);
});

test("a form, a position or a limit that is none is refused, and so is a position or a limit without the form", async () => {
  const { bo } = await someBoards();
  const asked = (query: object) => verdictOf(bo.call("listBoards", { query } as never));
  for (const query of [
    { form: "long" },
    { form: "" },
    { form: "Short" },
    ...[0, 501, -1, 1.5, "x", ""].map((limit) => ({ form: "short", limit })),
    ...["docs", "", "brd_1", "1", `brd_${"a".repeat(26)}`].map((after) => ({
      form: "short",
      after,
    })),
    { form: "short", newest: true },
    { form: "short", before: 1 },
  ])
    expect([query, await asked(query)] as const).toEqual([query, "400 invalid_request"]);
  const { id } = await bo.call("getBoard", docs);
  for (const query of [{ limit: 5 }, { after: id }, { after: id, limit: 5, all: true }])
    expect(await asked(query)).toBe("422 invalid_request");
  expect((await page(bo, { limit: 500 })).boards.length).toBeGreaterThan(0);
});

/** Adds boards with long charters to what the admin has. */
async function addBoards({ admin }: World, from: number, count: number) {
  for (let i = from; i < from + count; i++)
    await admin.call("createBoard", {
      body: { name: `board-${i}`, charter: "Long. ".repeat(1300), template: "writer-reviewer" },
    });
}

test("has at most 500 boards, and what is read for a page does not grow with the boards", async () => {
  const world = await startWorld();
  const bo = await world.person("bo");
  const cost = async (client: Client, query: Query) => {
    const statements = await statementsOf(world, () => page(client, query));
    for (const { text, values } of statements.filter(({ text }) => /\b(board|member)\b/.test(text)))
      for (const { detail } of world.db.read((tx) =>
        tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values),
      ))
        // A walk along rows would pass over boards that are not shown.
        expect(detail).not.toMatch(/^SCAN (b|m|board|member)\b|^SEARCH (b|board) .*\(rowid[<>]/);
    const sum = (of: (statement: (typeof statements)[number]) => number) =>
      statements.reduce((total, one) => total + of(one), 0);
    return { rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
  };
  const queries: [Client, Query][] = [
    [world.admin, { limit: 5 }],
    [world.admin, { limit: 5, all: true, lifecycle: "all" }],
    [bo, { limit: 5, all: true }],
  ];
  const costs = async () => {
    const found = [];
    for (const [client, query] of queries) found.push(await cost(client, query));
    return found;
  };
  await addBoards(world, 1, 8);
  await costs();
  const few = await costs();
  await addBoards(world, 9, 500);
  await costs();
  const many = await costs();
  for (const [index, { rows, bytes }] of many.entries()) {
    expect(rows).toBeGreaterThanOrEqual(5);
    expect(rows).toBeLessThanOrEqual(few[index]!.rows + 2);
    expect(bytes).toBeLessThanOrEqual(few[index]!.bytes + 500);
    // No charter is read.
    expect(bytes).toBeLessThan(7000 * 2);
  }
  const first = await page(world.admin);
  expect(first.boards).toHaveLength(500);
  const rest = await page(world.admin, { after: first.next! });
  expect([rest.boards.length, rest.next]).toEqual([8, null]);
  expect(namesOf([...first.boards, ...rest.boards])).toEqual(
    Array.from({ length: 508 }, (_, index) => `board-${index + 1}`),
  );
  expect(JSON.stringify(first).length).toBeLessThan(500 * 1000);
});
