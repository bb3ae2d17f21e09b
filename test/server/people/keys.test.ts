import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs } from "../../support/boards/docs-board.ts";

const hour = 60 * 60;
const day = 24 * hour;
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code;

/** Docs, ana who owns it, and bo, whose key ends 90 days after its last use. */
async function start() {
  const { world, bo } = await startDocs();
  /** Calls, and lets the use be recorded. */
  const use = async (client: Client) => {
    await client.call("getMe");
    await world.db.write(() => null);
  };
  const from = (seconds: number, since = world.clock.now) =>
    new Date(since.getTime() + seconds * 1000).toISOString();
  return { world, ana: world.admin, bo, began: world.clock.now, from, use };
}

test("a key made by its person ends after 90 days, or when they say, however much it is used", async () => {
  const { world, ana, from, began } = await start();
  const plain = await ana.call("createKey", { body: { name: "plain" } });
  expect(plain).toMatchObject({ expires_at: from(90 * day), idle_expiry_seconds: null });
  for (const ttl_seconds of [hour, 365 * day]) {
    const key = await ana.call("createKey", { body: { name: `for-${ttl_seconds}`, ttl_seconds } });
    expect(key.expires_at).toBe(from(ttl_seconds));
  }
  const phone = world.as(plain.token);
  for (let days = 0; days < 89; days += 30) {
    await phone.call("getMe");
    world.pass(29 * day);
  }
  world.pass(90 * day - 0.001 - (world.clock.now.getTime() - began.getTime()) / 1000);
  await phone.call("getMe");
  world.pass(0.001);
  expect(await codeOf(phone.call("getMe"))).toBe("unauthorized");
});

test("use moves the end of a key that ends by idleness, at most once a minute", async () => {
  const { world, bo, from, began, use } = await start();
  const key = async () => (await bo.call("listKeys")).keys[0]!;
  const used = (seconds: number) => ({
    last_used_at: from(seconds, began),
    expires_at: from(seconds + 90 * day, began),
  });
  await use(bo);
  expect(await key()).toMatchObject(used(0));
  world.pass(59.999);
  await use(bo);
  expect(await key()).toMatchObject(used(0));
  world.pass(0.001);
  await use(bo);
  expect(await key()).toMatchObject(used(60));
});

test("a key that ends by idleness works on the ninetieth day after its last use and not after it", async () => {
  const { world, bo, use } = await start();
  await use(bo);
  for (let times = 0; times < 3; times++) {
    world.pass(90 * day - 0.001);
    await use(bo);
  }
  world.pass(90 * day);
  expect(await codeOf(bo.call("getMe"))).toBe("unauthorized");
});

test("what a key's agents do is use of the key", async () => {
  const { world, bo, use } = await start();
  const scout = await world.seat(bo, "docs");
  world.pass(60 * day);
  await use(scout);
  world.pass(60 * day);
  const { keys } = await bo.call("listKeys");
  expect(keys[0]).toMatchObject({ state: "working", agent_seats: 1 });
});

test("a request that is refused for its credential is no use of a key", async () => {
  const { world, ana, from } = await start();
  const key = await ana.call("createKey", { body: { name: "phone", ttl_seconds: hour } });
  world.pass(hour);
  expect(await codeOf(world.as(key.token).call("getMe"))).toBe("unauthorized");
  const listed = (await ana.call("listKeys")).keys.find(({ id }) => id === key.id);
  expect(listed).toMatchObject({ state: "expired", last_used_at: null, expires_at: from(0) });
});

test("two working keys of one person do not share a name; a dead key's name is free", async () => {
  const { world, ana, bo } = await start();
  const make = (ttl_seconds = hour) =>
    ana.call("createKey", { body: { name: "phone", ttl_seconds } });
  const first = await make();
  expect(await refusalOf(make())).toMatchObject({ status: 409, code: "key_name_taken" });
  await bo.call("createKey", { body: { name: "phone" } });
  await ana.call("revokeKey", { params: { key: first.id } });
  await make();
  world.pass(hour);
  await make();
  expect((await ana.call("listKeys")).keys.map(({ name, state }) => `${name} ${state}`)).toEqual([
    "laptop working",
    "phone revoked",
    "phone expired",
    "phone working",
  ]);
});

test("a person's keys are listed with the one in use and its use before, and without a secret", async () => {
  const { world, ana, use } = await start();
  const { id, token } = await ana.call("createKey", { body: { name: "phone" } });
  const phone = world.as(token);
  const first = await phone.call("listKeys");
  await use(phone);
  expect(first).toMatchObject({ current_key_id: id, current_key_previous_use: null });
  world.pass(120);
  const second = await phone.call("listKeys");
  expect(second.current_key_previous_use).toBe(second.keys[1]!.created_at);
  expect(second.person.handle).toBe("ana");
  expect(JSON.stringify([first, second])).not.toMatch(/ab[a-z]_|digest/);
});

test("revoking a key ends it and the tokens it started at once, and leaves seats and other keys", async () => {
  const { world, ana } = await start();
  const { id, token } = await ana.call("createKey", { body: { name: "phone" } });
  const phone = world.as(token);
  const writer = await world.seat(phone, "docs", { name: "writer" });
  const other = await world.seat(ana, "docs", { name: "other" });
  await phone.call("createDelegation", { body: { name: "box" } });
  const waiting = writer.call("getInbox", { query: { wait: 60 } });
  const following = phone.stream();
  await following.next();
  const revoked = await phone.call("revokeKey", { params: { key: id } });
  expect(revoked).toMatchObject({
    state: "revoked",
    revoked_at: world.clock.now.toISOString(),
    agent_seats: 1,
    browser_sessions: 0,
    delegations: 0,
  });

  expect(await codeOf(waiting)).toBe("unauthorized");
  while (!(await following.next()).done);
  expect(await codeOf(phone.call("getMe"))).toBe("unauthorized");
  expect(await codeOf(writer.call("getMe"))).toBe("unauthorized");
  expect((await other.call("getMe")).name).toBe("other");
  const { members } = await ana.call("listMembers", docs);
  expect(members.map(({ name }) => name)).toEqual(["ana", "bo", "writer", "other"]);
});

test("revoking a key again changes nothing", async () => {
  const { world, ana } = await start();
  const { id } = await ana.call("createKey", { body: { name: "phone" } });
  const first = await ana.call("revokeKey", { params: { key: id } });
  world.pass(60);
  expect(await ana.call("revokeKey", { params: { key: id } })).toEqual(first);
});

test("another's key answers like none at all, to an admin too", async () => {
  const { ana, bo } = await start();
  const missing = `key_${"0".repeat(26)}`;
  const tried = (key: string) => refusalOf(ana.call("revokeKey", { params: { key } }));
  const [others, none] = [await tried(bo.keyId), await tried(missing)];
  expect(JSON.stringify(others).replaceAll(bo.keyId, missing)).toBe(JSON.stringify(none));
  expect(none).toMatchObject({ status: 404, code: "key_not_found" });
  expect((await bo.call("getMe")).name).toBe("bo");
});

test("the first person's key never ends on a local server, and ends by idleness on a team's", async () => {
  const local = await startWorld();
  expect((await local.admin.call("listKeys")).keys[0]).toMatchObject({
    expires_at: null,
    idle_expiry_seconds: null,
  });
  const team = await startWorld({ mode: "team", url: "https://boards.example.org" });
  expect((await team.admin.call("listKeys")).keys[0]).toMatchObject({
    expires_at: team.at(90 * day),
    idle_expiry_seconds: 90 * day,
  });
});
