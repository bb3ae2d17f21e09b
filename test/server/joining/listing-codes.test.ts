import { expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, guestCodeFor, guestOn, setRole } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

const make = (client: Client, body: Partial<Given<"createJoinCode">["body"]> = {}) =>
  client.call("createJoinCode", { ...docs, body: { role: "member", ...body } });
const listed = async (client: Client, query: { ended?: boolean } = {}) =>
  (await client.call("listJoinCodes", { ...docs, query })).join_codes;
const ids = async (client: Client, query: { ended?: boolean } = {}) =>
  (await listed(client, query)).map(({ id }) => id);
const uses = async (client: Client, query: { ended?: boolean } = {}) =>
  (await listed(client, query)).map((one) => [one.id, one.state, one.uses]);

/** Docs, ana who owns it, bo who is on it, and an agent of each. */
const start = () => startDocs({ writer: "ana", scout: "bo" });

test("codes are listed with what was handed out, and never with their secret", async () => {
  const { ana } = await start();
  const { code, join_line, ...made } = await make(ana);
  const guest = await guestCodeFor(ana, "gus", { ttl_seconds: 60 });
  const codes = await listed(ana);
  expect(codes[0]).toEqual({ ...made, state: "active", uses: 0 });
  expect(codes[1]).toMatchObject({ id: guest.id, kind: "guest", guest: "gus", uses: 0 });
  for (const secret of [code, join_line, guest.code])
    expect(JSON.stringify(codes)).not.toContain(secret);
});

test("an owner of the board sees all codes, a person theirs and their agents', an agent its own", async () => {
  const { world, ana, bo, writer, scout } = await start();
  const made = [];
  for (const maker of [ana, writer, bo, scout]) made.push((await make(maker)).id);
  const [anas, writers, bos, scouts] = made;
  const other = await world.seat(bo, "docs", { name: "other" });
  const found = [ana, writer, bo, scout, other].map((client) => ids(client));
  expect(await Promise.all(found)).toEqual([
    [anas!, writers!, bos!, scouts!],
    [writers!],
    [bos!, scouts!],
    [scouts!],
    [],
  ]);
  await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
  expect(await ids(bo)).toEqual(made);
  await setRole(world, "member", ["post"]);
  expect(await ids(scout)).toEqual([scouts!]);
});

test("a code that was revoked, used up or ran out is listed on request, with what became of it", async () => {
  const { world, ana } = await start();
  const twice = await make(ana, { ttl_seconds: 604_800 });
  for (const name of ["one", "two"]) await ana.call("join", { body: { code: twice.code, name } });
  const revoked = await make(ana);
  const { code } = await guestCodeFor(ana, "gus");
  await world.as().call("guestJoin", { body: { code, key_name: "laptop" } });
  const ended = await make(ana, { ttl_seconds: 60 });
  world.pass(60);
  await ana.call("revokeJoinCode", { params: { board: "docs", join_code: revoked.id } });
  expect(await uses(ana)).toEqual([[twice.id, "active", 2]]);
  const all = await uses(ana, { ended: true });
  expect(all.map(([, ...what]) => what)).toEqual([
    ["active", 2],
    ["revoked", 0],
    ["redeemed", 1],
    ["expired", 0],
  ]);
  expect(all.map(([id]) => id)).toContain(ended.id);
  expect((await listed(ana, { ended: true }))[1]!.revoked_at).toBe(world.clock.now.toISOString());
});

test("codes are listed on an archived board, of one board alone, and to nobody who hands none out", async () => {
  const { world, ana, bo } = await start();
  const { id } = await make(ana);
  await ana.call("createBoard", { body: { name: "plaza" } });
  expect((await ana.call("listJoinCodes", { params: { board: "plaza" } })).join_codes).toEqual([]);
  await ana.call("archiveBoard", docs);
  expect(await ids(ana)).toEqual([id]);
  expect(await ids(bo)).toEqual([]);
  await ana.call("restoreBoard", docs);
  const gus = await guestOn(world, "gus");
  const cy = await world.person("cy");
  const asked = (client: Client) => verdictOf(client.call("listJoinCodes", docs));
  expect([await asked(gus), await asked(cy)]).toEqual([
    "403 guest_not_allowed",
    "403 not_on_board",
  ]);
});
