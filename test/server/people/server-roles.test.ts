import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";
import { docs, eventsOf, makeDocs, personOnDocs } from "../../support/boards/docs-board.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";
import { makeGuest } from "../../support/other-callers.ts";

const setRole = (
  client: Client,
  handle: string,
  server_role: "admin" | "member",
  idempotencyKey?: string,
) =>
  client.call(
    "setServerRole",
    { params: { handle }, body: { server_role } },
    idempotencyKey ? { idempotencyKey } : {},
  );
const remove = (client: Client, handle: string) =>
  client.call("removeFromServer", { params: { handle } });
const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    ({ code }) => code as string,
  );
const admins = async (world: World) =>
  world.db.read((tx) =>
    tx
      .all<{ handle: string }>(
        "SELECT handle FROM person WHERE server_role = 'admin' AND removed_at IS NULL",
      )
      .map(({ handle }) => handle),
  );

/** ana, who is an admin, and bo, who is one as well if `both`. */
async function start(both = true) {
  const world = await startWorld();
  const bo = await world.person("bo");
  if (both) await setRole(world.admin, "bo", "admin");
  return { world, ana: world.admin, bo };
}

test("an admin makes another one, who can do what admins can, and takes it back", async () => {
  const { ana, bo } = await start(false);
  const made = await setRole(ana, "bo", "admin");
  expect(made).toMatchObject({
    person: { id: bo.id, handle: "bo", server_role: "admin" },
    changed: true,
  });
  expect(await setRole(ana, "bo", "admin")).toEqual({ ...made, changed: false });
  await bo.call("createServerInvite");
  expect((await bo.call("getMe")).server_role).toBe("admin");
  expect(await setRole(ana, "bo", "member")).toMatchObject({
    person: { server_role: "member" },
    changed: true,
  });
  expect(await verdictOf(bo.call("createServerInvite"))).toBe("403 server_admin_required");
});

test("a role of the server is no event of a board, and gives nothing on a private one", async () => {
  const { world, ana } = await start(false);
  await makeDocs(world, { visibility: "private" });
  const before = await eventsOf(ana);
  await setRole(ana, "bo", "admin");
  expect(await eventsOf(ana)).toEqual(before);
});

test("only an admin changes roles, and everybody else is told who the admins are", async () => {
  const { world, ana, bo } = await start(false);
  const cy = await world.person("cy");
  await setRole(ana, "cy", "admin");
  for (const handle of ["ana", "bo", "nobody"]) {
    const refused = await refusalOf(setRole(bo, handle, "admin"));
    expect(refused).toMatchObject({ status: 403, code: "server_admin_required" });
    expect(refused.hint).toContain("@ana, @cy");
  }
  await setRole(cy, "bo", "admin");
});

test("a person who is not or no longer on the server has no role, and a guest keeps theirs", async () => {
  const { world, ana } = await start(false);
  await world.person("cy");
  await remove(ana, "cy");
  for (const handle of ["cy", "nobody"])
    expect(await verdictOf(setRole(ana, handle, "admin"))).toBe("404 person_not_found");
  await makeGuest(world, "bo");
  const before = await stored(world);
  for (const role of ["admin", "member"] as const)
    expect(await verdictOf(setRole(ana, "bo", role))).toBe("409 person_is_guest");
  expect(await stored(world)).toEqual(before);
});

test("a role is admin or member, and nothing else", async () => {
  const { world, ana } = await start(false);
  for (const body of [{}, { server_role: "guest" }, { server_role: "admin", x: 1 }])
    expect((await ask(world, "PATCH /v1/people/bo", { token: ana.token, body })).verdict).toBe(
      "400 invalid_request",
    );
});

test("the last admin can be neither demoted nor removed", async () => {
  const { world, ana } = await start(false);
  const before = await stored(world);
  expect(await verdictOf(setRole(ana, "ana", "member"))).toBe("409 last_admin");
  expect(await verdictOf(remove(ana, "ana"))).toBe("409 last_admin");
  const dry = ana.call("removeFromServer", { params: { handle: "ana" }, query: { dry_run: true } });
  expect(await verdictOf(dry)).toBe("409 last_admin");
  expect(await stored(world)).toEqual(before);
  expect(await setRole(ana, "ana", "admin")).toMatchObject({ changed: false });
});

test("an admin who was removed does not count as one", async () => {
  const { ana } = await start();
  await remove(ana, "bo");
  expect(await verdictOf(setRole(ana, "ana", "member"))).toBe("409 last_admin");
});

test("of two admins who both step down, or who end each other, at the same moment one stays", async () => {
  const pairs: ((ana: Client, bo: Client) => Promise<unknown>[])[] = [
    (ana, bo) => [setRole(ana, "ana", "member"), setRole(bo, "bo", "member")],
    (ana, bo) => [setRole(ana, "bo", "member"), setRole(bo, "ana", "member")],
    (ana, bo) => [remove(ana, "ana"), remove(bo, "bo")],
    (ana, bo) => [remove(ana, "bo"), remove(bo, "ana")],
    (ana, bo) => [setRole(ana, "bo", "member"), remove(bo, "ana")],
    (ana, bo) => [remove(ana, "bo"), setRole(bo, "ana", "member")],
  ];
  const found = [];
  for (const pair of pairs) {
    const { world, ana, bo } = await start();
    const outcomes = await Promise.all(pair(ana, bo).map(outcome));
    expect(await admins(world)).toHaveLength(1);
    found.push(outcomes.sort());
  }
  expect(found).toEqual([
    ["done", "last_admin"],
    ["done", "server_admin_required"],
    ["done", "last_admin"],
    ["done", "unauthorized"],
    ["done", "unauthorized"],
    ["done", "unauthorized"],
  ]);
});

test("an admin's request that comes with their demotion is judged after it", async () => {
  const { world, ana, bo } = await start();
  await world.person("cy");
  const attempts = [
    setRole(ana, "bo", "member"),
    setRole(bo, "bo", "admin"),
    setRole(bo, "cy", "admin"),
  ];
  expect(await Promise.all(attempts.map(outcome))).toEqual([
    "done",
    "server_admin_required",
    "server_admin_required",
  ]);
  expect(await admins(world)).toEqual(["ana"]);
});

test("a change of role is repeated to a caller who is still an admin, and to nobody else", async () => {
  const { world, ana, bo } = await start();
  await world.person("cy");
  const first = await setRole(bo, "cy", "admin", "once");
  await setRole(ana, "cy", "member");
  expect(await setRole(bo, "cy", "admin", "once")).toEqual(first);
  expect(await admins(world)).toEqual(["ana", "bo"]);
  expect(await verdictOf(setRole(bo, "cy", "member", "once"))).toBe("422 idempotency_conflict");
  await setRole(ana, "bo", "member");
  expect(await verdictOf(setRole(bo, "cy", "admin", "once"))).toBe("403 server_admin_required");
});

test("an agent of an admin is no admin", async () => {
  const { world, ana } = await start();
  await makeDocs(world);
  const agent = await world.seat(ana, "docs");
  const refused = await refusalOf(setRole(agent, "bo", "member"));
  expect(refused).toMatchObject({ status: 403, code: "human_token_required" });
  expect(await verdictOf(remove(agent, "bo"))).toBe("403 human_token_required");
});

test("guests are in the directory and found by nobody who looks for their handle", async () => {
  const { world, ana } = await start(false);
  await makeDocs(world);
  const gus = await personOnDocs(world, "gus");
  const agent = await world.seat(ana, "docs");
  const gusAgent = await world.seat(gus, "docs");
  await makeGuest(world, "gus");
  const lookUp = (client: Client, handle: string) =>
    client.call("listServerPeople", { query: { handle } });
  for (const client of [ana, agent]) {
    const [guest, nobody] = [
      await refusalOf(lookUp(client, "gus")),
      await refusalOf(lookUp(client, "gas")),
    ];
    expect(JSON.stringify(guest).replaceAll("gus", "gas")).toBe(JSON.stringify(nobody));
    expect(guest).toMatchObject({ status: 404, code: "person_not_found" });
  }
  for (const client of [gus, gusAgent])
    expect(await verdictOf(lookUp(client, "ana"))).toBe("403 guest_not_allowed");
  expect(JSON.stringify(await ana.call("listServerPeople"))).toContain('"server_role":"guest"');
  expect((await ana.call("listPeople", docs)).people.map(({ handle }) => handle)).toContain("gus");
});

test("a guest has no keys to list, make or revoke", async () => {
  const { world, bo } = await start(false);
  await makeGuest(world, "bo");
  for (const attempt of [
    () => bo.call("listKeys"),
    () => bo.call("createKey", { body: { name: "phone" } }),
    () => bo.call("revokeKey", { params: { key: bo.keyId } }),
  ])
    expect(await verdictOf(attempt())).toBe("403 guest_not_allowed");
  expect((await bo.call("getMe")).server_role).toBe("guest");
});
