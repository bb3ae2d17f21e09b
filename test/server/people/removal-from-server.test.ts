import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { docs, eventsOf, makeDocs, personOnDocs, post } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";
import {
  add,
  lastEvents,
  promote,
  remove,
  startRemoval,
} from "../../support/boards/boards-of-removed-person.ts";
import { makeGuest } from "../../support/other-callers.ts";

test("a dry run says what would happen and changes nothing; the removal then says the same", async () => {
  const { world, ana, bo, counts } = await startRemoval();
  const before = await stored(world);
  const person = expect.objectContaining({ id: bo.id, handle: "bo", server_role: "member" });
  const dry = await remove(ana, "bo", { dry_run: true });
  expect(dry as object).toEqual({ person, dry_run: true, ...counts });
  expect(await stored(world)).toEqual(before);
  expect(await remove(ana, "bo")).toEqual({ ...dry, dry_run: false });
  expect(await verdictOf(remove(ana, "bo"))).toBe("404 person_not_found");
});

test("everything that the person could come in with stops at once", async () => {
  const { world, ana, bo, phone, browser, delegation, writer, helper } = await startRemoval();
  await remove(ana, "bo");
  for (const token of [bo.token, phone.token, browser])
    for (const line of [
      "GET /v1/me",
      "GET /v1/boards",
      "GET /v1/boards/docs/messages",
      "POST /v1/x",
    ])
      expect((await ask(world, line, { token })).verdict).toBe("401 unauthorized");
  const open = "SELECT 1 FROM browser_session WHERE ended_at IS NULL";
  expect(world.db.read((tx) => tx.all(open))).toEqual([]);
  expect((await ask(world, "GET /v1/boards", { token: delegation })).verdict).toBe(
    "401 delegation_revoked",
  );
  for (const [agent, name, board] of [
    [writer, "writer", "docs"],
    [helper, "helper", "hall"],
  ] as const)
    expect(await refusalOf(agent.call("getMe"))).toMatchObject({
      status: 403,
      code: "agent_removed",
      details: {
        agent: name,
        board,
        removed_at: world.clock.now.toISOString(),
        removed_by: "admin",
      },
    });
});

test("open streams and waits of the person and their agents end within a second", async () => {
  const { world, ana, bo, writer } = await startRemoval();
  const following = bo.stream();
  await following.next();
  const { id } = await post(bo, { body: "for cy", to: ["@cy"] });
  const waiting = writer.call("getInbox", { query: { wait: 60 } });
  const replies = bo.call("listReplies", { params: { message: id }, query: { wait: 60 } });
  await until(() => world.hub.waiting === 2, "both wait");
  const began = performance.now();
  const refused = Promise.all([refusalOf(waiting), refusalOf(replies)]);
  await remove(ana, "bo");
  expect((await refused).map(({ code }) => code)).toEqual(["agent_removed", "unauthorized"]);
  while (!(await following.next()).done);
  expect(performance.now() - began).toBeLessThan(1000);
});

test("the stream of a person who is on no board ends as well", async () => {
  const world = await startWorld();
  const dee = await world.person("dee");
  const following = dee.stream();
  expect((await following.next()).value).toMatchObject({ event: "hello" });
  expect((await following.next()).value).toMatchObject({ event: "attention" });
  await remove(world.admin, "dee");
  expect(await following.next()).toMatchObject({ done: true });
});

test("a guest is removed like anybody else", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const gus = await personOnDocs(world, "gus");
  const agent = await world.seat(gus, "docs");
  await makeGuest(world, "gus");
  expect(await remove(world.admin, "gus")).toMatchObject({
    person: { server_role: "guest" },
    keys_revoked: 1,
    agents_removed: 1,
    boards_left: 1,
    owners_passed: 0,
    unreachable_boards: [],
  });
  expect(await verdictOf(agent.call("getMe"))).toBe("403 agent_removed");
  expect(await verdictOf(gus.call("getMe"))).toBe("401 unauthorized");
});

test("what they wrote stays under their id, and everybody's lists do without them", async () => {
  const { ana, bo, cy, writer } = await startRemoval();
  await post(bo, "from bo");
  await post(writer, "from writer");
  await remove(ana, "bo");
  const { messages } = await cy.call("listMessages", docs);
  expect(messages.map(({ from, body }) => [from.name, from.owner, body])).toEqual([
    ["bo", null, "from bo"],
    ["writer", "bo", "from writer"],
  ]);
  const { members } = await cy.call("listMembers", { ...docs, query: { removed: true } });
  expect(members.map(({ name, status, removed_by }) => [name, status, removed_by])).toEqual([
    ["cy", "active", undefined],
    ["ana", "active", undefined],
    ["writer", "removed", "admin"],
  ]);
  const handles = JSON.stringify([
    await cy.call("listServerPeople"),
    await cy.call("listPeople", docs),
  ]);
  expect(handles).not.toContain('"bo"');
  for (const attempt of [
    () => cy.call("listServerPeople", { query: { handle: "bo" } }),
    () => add(cy, "docs", "bo"),
  ])
    expect(await verdictOf(attempt())).toBe("404 person_not_found");
});

test("their handle is free at once, and the person who takes it is a new one who is on no board", async () => {
  const { world, ana, bo, cy } = await startRemoval();
  await remove(ana, "bo");
  const again = await world.person("bo");
  expect(again.id).not.toBe(bo.id);
  expect((await again.call("listBoards")).boards).toEqual([]);
  await add(cy, "docs", "bo");
  const { members } = await cy.call("listMembers", docs);
  expect(members.map(({ name }) => name)).toEqual(["cy", "ana", "bo-2"]);
  expect(await verdictOf(bo.call("getMe"))).toBe("401 unauthorized");
});

test("an admin who removes themselves is answered, and is gone", async () => {
  const { world, ana, cy } = await startRemoval();
  await promote(world, "cy", "admin");
  const { id } = await ana.call("getMe");
  expect(await remove(ana, "ana")).toMatchObject({ person: { id }, dry_run: false });
  expect(await verdictOf(ana.call("getMe"))).toBe("401 unauthorized");
  const [last] = await lastEvents(cy, "docs", 1);
  expect(last).toMatchObject({
    type: "person.removed",
    actor: {
      kind: "human",
      name: "ana",
      member_id: (last!.data as { member_id: string }).member_id,
    },
  });
});

test("only an admin with a key removes people, and others learn nothing of who there is", async () => {
  const { world, bo, cy, browser } = await startRemoval();
  for (const handle of ["bo", "ana", "nobody"])
    for (const dry_run of [true, false])
      expect(await verdictOf(remove(cy, handle, { dry_run }))).toBe("403 server_admin_required");
  await promote(world, "bo", "admin");
  expect(await verdictOf(remove(world.as(browser), "cy"))).toBe("403 human_token_required");
  await remove(bo, "cy");
});

test("what a person sends at the moment of their removal is done before it, or not at all", async () => {
  const { ana, bo, cy } = await startRemoval();
  const outcomes = await Promise.all([
    remove(ana, "bo"),
    post(bo, "last words").then(
      () => "posted",
      ({ code }) => code as string,
    ),
    remove(ana, "bo").then(
      () => "twice",
      ({ code }) => code as string,
    ),
  ]);
  expect(outcomes.slice(1)).toEqual(["unauthorized", "person_not_found"]);
  const types = (await eventsOf(cy)).map(({ type }) => type);
  expect(types.filter((type) => type === "person.removed")).toHaveLength(1);
  expect(types).not.toContain("message.posted");
});

test("a removal is repeated to an admin alone, writes nothing twice, and not to the key that it ended", async () => {
  const { world, ana, cy } = await startRemoval();
  await promote(world, "cy", "admin");
  const send = (client: Client, handle: string, query = {}) =>
    client.call("removeFromServer", { params: { handle }, query }, { idempotencyKey: "once" });
  const first = await send(cy, "bo");
  const before = await stored(world);
  expect(await send(cy, "bo")).toEqual(first);
  expect(await stored(world)).toEqual(before);
  expect(await verdictOf(send(cy, "bo", { dry_run: true }))).toBe("422 idempotency_conflict");
  await promote(world, "cy", "member");
  expect(await verdictOf(send(cy, "bo"))).toBe("403 server_admin_required");
  await promote(world, "cy", "admin");
  await send(ana, "ana");
  expect(await verdictOf(send(ana, "ana"))).toBe("401 unauthorized");
});

test("a kept answer is given to nobody whose person was removed", async () => {
  const { ana, bo } = await startRemoval();
  const send = () =>
    bo.call("postMessage", { ...docs, body: { body: "x" } }, { idempotencyKey: "once" });
  await send();
  await remove(ana, "bo");
  expect(await verdictOf(send())).toBe("401 unauthorized");
});

test("keys tell how many browser sessions of theirs work, and none once they are revoked", async () => {
  const { bo, phone } = await startRemoval();
  const counted = async () =>
    Object.fromEntries(
      (await bo.call("listKeys")).keys.map(({ name, state, browser_sessions }) => [
        name,
        `${state} ${browser_sessions}`,
      ]),
    );
  expect(await counted()).toEqual({
    machine: "working 1",
    lost: "revoked 0",
    short: "expired 0",
    phone: "working 1",
  });
  expect(await bo.call("revokeKey", { params: { key: phone.id } })).toMatchObject({
    state: "revoked",
    browser_sessions: 0,
  });
});
