import type { Client } from "../../../src/client/client.ts";
import { startWorld, type World } from "../servers/server-in-process.ts";
import { eventsOf } from "./docs-board.ts";
import { delegate, browserOf } from "../other-callers.ts";

const hour = 60 * 60;
export const remove = (client: Client, handle: string, query: { dry_run?: boolean } = {}) =>
  client.call("removeFromServer", { params: { handle }, query });
export const make = (
  client: Client,
  name: string,
  body: { visibility?: "open" | "private" } = {},
) => client.call("createBoard", { body: { name, ...body } });
export const add = (client: Client, board: string, handle: string) =>
  client.call("addPerson", { params: { board }, body: { handle } });
export const lastEvents = async (client: Client, board: string, count: number) =>
  (await eventsOf(client, board))
    .slice(-count)
    .map(({ type, actor, data }) => ({ type, actor, data }));
export const promote = (world: World, handle: string, server_role: "admin" | "member") =>
  world.admin.call("setServerRole", { params: { handle }, body: { server_role } });
export const ownersOf = async (client: Client, board: string) =>
  (await client.call("listPeople", { params: { board } })).people
    .filter(({ board_role }) => board_role === "owner")
    .map(({ handle }) => handle);

/**
 * bo, who owns `docs` alone with cy and ana on it, `old`, which is archived, with cy, `own` by himself, and is on ana's
 * `hall`; with two agents, two working keys and two browser sessions that last.
 */
export async function startRemoval() {
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
    await browserOf(world, bo.token),
    await browserOf(world, phone.token),
    await browserOf(world, short.token),
    await browserOf(world, lost.token),
  ];
  const delegation = await delegate(world, phone.token);
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
