import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";
import { docs, makeDocs, personOnDocs } from "../../support/boards/docs-board.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";
import { delegate, makeGuest, browserOf } from "../../support/other-callers.ts";

const minute = 60;
const missing = `inv_${"0".repeat(26)}`;
const revoke = (client: Client, invite: string, idempotencyKey?: string) =>
  client.call(
    "revokeServerInvite",
    { params: { invite } },
    idempotencyKey ? { idempotencyKey } : {},
  );
const redeem = (world: World, invite: string, handle = "newcomer") =>
  world.connect({ invite, handle, key_name: "laptop" });
const states = async (client: Client) =>
  (await client.call("listServerInvites")).invites.map(({ state }) => state);
const promote = (world: World, handle: string, server_role: "admin" | "member") =>
  world.admin.call("setServerRole", { params: { handle }, body: { server_role } });

test("who made invitations lists them oldest first, in every state, without secrets", async () => {
  const { world, ana, made } = await start();
  const [short, revoked, redeemed, lasting] = [
    await made({ ttl_seconds: minute }),
    await made(),
    await made(),
    await made(),
  ];
  const created_at = world.clock.now.toISOString();
  await revoke(ana, revoked.id);
  await redeem(world, redeemed.invite);
  world.pass(minute);
  const record = (one: typeof short, state: string) => ({
    id: one.id,
    created_at,
    expires_at: one.expires_at,
    state,
    boards: [],
  });
  expect(await ana.call("listServerInvites")).toEqual({
    invites: [
      record(short, "expired"),
      record(revoked, "revoked"),
      record(redeemed, "redeemed"),
      record(lasting, "active"),
    ] as never,
  });
  expect(JSON.stringify(await ana.call("listServerInvites"))).not.toContain("abi_");
});

test("everyone lists their own invitations, former admins too, and nobody another's", async () => {
  const { world, ana, made } = await start();
  await made();
  const bo = await world.person("bo");
  await promote(world, "bo", "admin");
  const { id } = await bo.call("createServerInvite");
  await promote(world, "bo", "member");
  expect((await bo.call("listServerInvites")).invites.map((each) => each.id)).toEqual([id]);
  expect(await states(ana)).toEqual(["active", "redeemed"]);
  expect(await states(await world.person("cy"))).toEqual([]);
});

test("a listed invitation names only the boards that its maker sees now", async () => {
  const { world, ana, made } = await start();
  const { id: docsId } = await makeDocs(world, { visibility: "private", title: "The docs" });
  const { id: plaza } = await ana.call("createBoard", { body: { name: "plaza" } });
  const { id: gone } = await ana.call("createBoard", { body: { name: "gone" } });
  await made({ boards: [docsId, plaza, gone] });
  await personOnDocs(world, "bo");
  for (const operation of ["archiveBoard", "deleteBoard"] as const)
    await ana.call(operation, { params: { board: "gone" } });
  const listed = async () => (await ana.call("listServerInvites")).invites[0]!;
  expect(await listed()).toMatchObject({
    boards: [docsId, plaza],
    display: {
      boards: [
        { id: docsId, name: "docs", title: "The docs" },
        { id: plaza, name: "plaza", title: "" },
      ],
    },
  });
  await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
  await ana.call("leaveBoard", docs);
  const { boards, display } = await listed();
  expect([boards, display?.boards.map(({ name }) => name)]).toEqual([[plaza], ["plaza"]]);
});

test("a revoked invitation lets nobody in; a second time changes nothing", async () => {
  const { world, ana, made } = await start();
  const { id, invite } = await made();
  expect(await revoke(ana, id)).toEqual({ id, revoked: true, changed: true });
  const before = await stored(world);
  expect(await revoke(ana, id)).toEqual({ id, revoked: true, changed: false });
  const wrong = await refusalOf(redeem(world, `abi_${"x".repeat(43)}`));
  expect(await refusalOf(redeem(world, invite))).toEqual(wrong);
  expect(await stored(world)).toEqual(before);
});

test("revoking an invitation that was redeemed changes nothing: who came in stays", async () => {
  const { world, ana, made } = await start();
  const { id, invite } = await made();
  const { key } = await redeem(world, invite);
  expect(await revoke(ana, id)).toEqual({ id, revoked: true, changed: false });
  expect(await states(ana)).toEqual(["redeemed"]);
  expect((await world.as(key.token).call("getMe")).name).toBe("newcomer");
});

test("an invitation that has ended can be revoked all the same", async () => {
  const { world, ana, made } = await start();
  const { id } = await made({ ttl_seconds: minute });
  world.pass(minute);
  expect(await revoke(ana, id)).toMatchObject({ changed: true });
  expect(await states(ana)).toEqual(["revoked"]);
});

test("another's invitation answers like none at all, to another admin too", async () => {
  const { world, made } = await start();
  const { id, invite } = await made();
  const bo = await world.person("bo");
  await promote(world, "bo", "admin");
  const [others, none] = [await refusalOf(revoke(bo, id)), await refusalOf(revoke(bo, missing))];
  expect(JSON.stringify(others).replaceAll(id, missing)).toBe(JSON.stringify(none));
  expect(none).toMatchObject({ status: 404, code: "invite_not_found" });
  await redeem(world, invite);
});

test("of a redemption and a revocation at the same moment one comes first, and both say so", async () => {
  const { world, ana, made } = await start();
  const { id, invite } = await made();
  const [came, changed, again] = await Promise.all([
    redeem(world, invite).then(
      () => "in",
      ({ code }) => code as string,
    ),
    revoke(ana, id).then((answer) => answer.changed),
    revoke(ana, id).then((answer) => answer.changed),
  ]);
  expect([
    ["in", false, false, "redeemed"],
    ["invite_invalid", true, false, "revoked"],
  ]).toContainEqual([came, changed, again, ...(await states(ana))]);
});

test("an invitation works while its maker is an admin of the server, and no longer", async () => {
  const { world } = await start();
  const bo = await world.person("bo");
  await promote(world, "bo", "admin");
  const { invite } = await bo.call("createServerInvite");
  await promote(world, "bo", "member");
  const before = await stored(world);
  expect(await verdictOf(redeem(world, invite))).toBe("404 invite_invalid");
  expect(await stored(world)).toEqual(before);
  await promote(world, "bo", "admin");
  await redeem(world, invite);

  const { invite: other } = await bo.call("createServerInvite");
  await world.admin.call("removeFromServer", { params: { handle: "bo" } });
  expect(await verdictOf(redeem(world, other, "second"))).toBe("404 invite_invalid");
});

test("an invitation to boards works while its maker is on all of them and none is archived", async () => {
  const { world, ana, made } = await start();
  const { id: docsId } = await makeDocs(world);
  const { id: plaza } = await ana.call("createBoard", { body: { name: "plaza" } });
  const { invite } = await made({ boards: [docsId, plaza] });
  await personOnDocs(world, "bo");
  await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
  const refusedMeanwhile = async () => {
    const before = await stored(world);
    expect(await verdictOf(redeem(world, invite))).toBe("404 invite_invalid");
    expect(await stored(world)).toEqual(before);
  };
  await ana.call("leaveBoard", docs);
  await refusedMeanwhile();
  await ana.call("addPerson", { ...docs, body: { handle: "ana" } });
  await ana.call("archiveBoard", { params: { board: "plaza" } });
  await refusedMeanwhile();
  await ana.call("restoreBoard", { params: { board: "plaza" } });
  const { key } = await redeem(world, invite);
  const { boards } = await world.as(key.token).call("listBoards");
  expect(boards.map(({ name }) => name)).toEqual(["docs", "plaza"]);
});

test("whoever needs their person for invitations is told the one command that the person runs", async () => {
  const { world, ana } = await start();
  await makeDocs(world);
  const agent = await world.seat(ana, "docs");
  const { token: key } = await ana.call("createKey", { body: { name: "browsers" } });
  const browser = world.as(await browserOf(world, key));
  const commands = {
    listServerInvites: `service invite list --server ${world.url}`,
    createServerInvite: `service invite --person --server ${world.url}`,
    revokeServerInvite: `service invite revoke ${missing} --server ${world.url}`,
    getOnboardingReceipt: `service api getOnboardingReceipt --server ${world.url}`,
  };
  for (const client of [agent, browser])
    for (const [name, command] of Object.entries(commands)) {
      const refused = await refusalOf(
        client.call(name as "revokeServerInvite", { params: { invite: missing } }),
      );
      expect(refused).toMatchObject({ status: 403, code: "human_token_required" });
      expect(refused.next).toEqual({ command, resume: expect.stringContaining("Run it in") });
    }
  const delegation = world.as(await delegate(world, key));
  for (const [client, code] of [
    [delegation, "forbidden"],
    [await world.person("bo"), "server_admin_required"],
  ] as const) {
    const refused = await refusalOf(client.call("createServerInvite"));
    expect([refused.code, "next" in refused]).toEqual([code, false]);
  }
  expect("next" in (await refusalOf(agent.call("listKeys")))).toBe(false);
});

test("what stands in the path is one word of the command, whatever it holds", async () => {
  const { world, ana } = await start();
  await makeDocs(world);
  const { token } = await world.seat(ana, "docs");
  const hostile = "inv_'; touch /tmp/x; $(id) `id`";
  const { text } = await ask(world, `DELETE /v1/invites/${encodeURIComponent(hostile)}`, { token });
  const { command } = (JSON.parse(text) as { error: { next: { command: string } } }).error.next;
  const shell = Bun.spawnSync(["sh", "-c", command.replace("service", "printf '%s\\n'")]);
  expect(shell.stdout.toString().split("\n")).toEqual([
    "invite",
    "revoke",
    hostile,
    "--server",
    world.url,
    "",
  ]);
});

test("a repeated revocation gets the first answer, from that very key alone", async () => {
  const { world, ana, made } = await start();
  const { id } = await made();
  const first = await revoke(ana, id, "once");
  const { token, id: phoneId } = await ana.call("createKey", { body: { name: "phone" } });
  const phone = world.as(token);
  expect(await revoke(ana, id, "once")).toEqual(first);
  expect(await revoke(phone, id, "once")).toEqual({ ...first, changed: false });
  await ana.call("revokeKey", { params: { key: phoneId } });
  expect(await verdictOf(revoke(phone, id, "once"))).toBe("401 unauthorized");
});

test("a guest has nothing to do with invitations", async () => {
  const { world } = await start();
  const gus = await world.person("gus");
  await makeGuest(world, "gus");
  for (const attempt of [
    () => gus.call("listServerInvites"),
    () => revoke(gus, missing),
    () => gus.call("createServerInvite"),
    () => gus.call("getOnboardingReceipt"),
  ])
    expect(await verdictOf(attempt())).toBe("403 guest_not_allowed");
});

async function start() {
  const world = await startWorld();
  const ana = world.admin;
  const made = (body: { ttl_seconds?: number; boards?: string[] } = {}) =>
    ana.call("createServerInvite", { body });
  return { world, ana, made };
}
