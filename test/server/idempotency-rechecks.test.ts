import { expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { refusalOf, type World } from "../support/servers/server-in-process.ts";
import { startDocs } from "../support/boards/docs-board-with-people.ts";
import { docs, headOf } from "../support/boards/docs-board.ts";
import { ask, stored } from "../support/raw-requests.ts";

const day = 24 * 60 * 60;
const once = { idempotencyKey: "once" };
const joinDocs = (client: Client) =>
  client.send("join", { body: { board: "docs", role: "member" } }, once);
const tokenIn = ({ data }: { data: unknown }) => (data as { token?: string }).token;
const marked = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed") === "true";

/** Docs, which ana owns, and bo who is on it. */
const start = () => startDocs();
/** Takes a person off `docs` and hides it. */
async function shutOut({ admin }: World, handle: string) {
  await admin.call("removePerson", { params: { board: "docs", handle } });
  await admin.call("setVisibility", { ...docs, body: { visibility: "private" } });
}

test("a repeated join gives the same seat and the same working token, and no second agent", async () => {
  const { world, bo } = await start();
  const [first, again] = [await joinDocs(bo), await joinDocs(bo)];
  expect(again.data).toEqual(first.data);
  expect(again.status).toBe(201);
  expect([marked(first), marked(again)]).toEqual([false, true]);
  expect((await world.as(tokenIn(again)).call("getMe")).name).toBe("member");
});

test("a kept join is for the very credential that made it", async () => {
  const { world, ana, bo } = await start();
  const { token } = await bo.call("createKey", { body: { name: "phone" } });
  const seats = [await joinDocs(bo), await joinDocs(world.as(token)), await joinDocs(ana)];
  expect(seats.map(marked)).toEqual([false, false, false]);
  expect(new Set(seats.map(tokenIn)).size).toBe(3);
});

test("a repeated join whose seat has ended since is 403 agent_removed with its details", async () => {
  const { world, ana, bo } = await start();
  await joinDocs(bo);
  await ana.call("removeAgent", { params: { board: "docs", member: "member" } });
  const { status, code, details } = await refusalOf(
    bo.call("join", { body: { board: "docs", role: "member" } }, once),
  );
  expect({ status, code, details }).toEqual({
    status: 403,
    code: "agent_removed",
    details: {
      agent: "member",
      board: "docs",
      removed_at: world.clock.now.toISOString(),
      removed_by: "board_owner",
    },
  });
  expect(JSON.stringify(await ana.call("listMembers", docs))).not.toContain('"agent"');
});

test("a repeated join still answers when its code has ended or was revoked: who joined with it stays", async () => {
  const { world, ana } = await start();
  const terms = { role: "member", ttl_seconds: 60 };
  const { id, code } = await ana.call("createJoinCode", { ...docs, body: terms });
  const body = { code };
  const first = await ana.call("join", { body }, once);
  world.pass(60);
  expect(await ana.call("join", { body }, once)).toEqual(first);
  await ana.call("revokeJoinCode", { params: { board: "docs", join_code: id } });
  expect(await ana.call("join", { body }, once)).toEqual(first);
  expect((await refusalOf(ana.call("join", { body }))).code).toBe("join_code_invalid");
});

test("a repeated join by the code of an agent that is gone gets what a new call would get", async () => {
  const { world, ana } = await start();
  const maker = await world.seat(ana, "docs", { name: "maker" });
  const { code } = await maker.call("createJoinCode", { ...docs, body: { role: "member" } });
  await ana.call("join", { body: { code } }, once);
  await maker.call("leaveAsAgent");
  const { status, code: refused } = await refusalOf(ana.call("join", { body: { code } }, once));
  expect([status, refused]).toEqual([404, "join_code_invalid"]);
});

test("a repeated join gives no token that was replaced since", async () => {
  const { world, bo } = await start();
  await joinDocs(bo);
  await world.db.write((tx) => tx.run("UPDATE seat_token SET digest = 'another'"));
  const { status, code, hint } = await refusalOf(
    bo.call("join", { body: { board: "docs", role: "member" } }, once),
  );
  expect([status, code]).toEqual([409, "seat_token_replaced"]);
  expect(hint).toContain("`service join --board docs`");
});

test("no kept answer about a board is repeated to a caller who no longer sees it", async () => {
  const { world, ana, bo } = await start();
  await world.seat(bo, "docs", { name: "helper" });
  const helper = { params: { board: "docs", member: "helper" } };
  const own = { body: { name: "own", visibility: "private" as const } };
  const calls = [
    () => bo.call("postMessage", { ...docs, body: { body: "x" } }, { idempotencyKey: "post" }),
    () => bo.call("ackBoard", { ...docs, body: { up_to: 1 } }, { idempotencyKey: "ack" }),
    () => bo.call("join", { body: { board: "docs", role: "member" } }, { idempotencyKey: "join" }),
    () => bo.call("addPerson", { ...docs, body: { handle: "ana" } }, { idempotencyKey: "add" }),
    () => bo.call("removeAgent", helper, { idempotencyKey: "remove" }),
    () => ana.call("createBoard", own, { idempotencyKey: "create" }),
  ];
  const refusals = async () =>
    Promise.all(
      calls.map((call) =>
        call().then(
          () => "answered",
          ({ code }: { code: string }) => code,
        ),
      ),
    );
  expect(await refusals()).toEqual([
    "answered",
    "answered",
    "answered",
    "already_on_board",
    "answered",
    "answered",
  ]);
  await shutOut(world, "bo");
  for (const operation of ["addPerson", "addOwner"] as const)
    await ana.call(operation, { params: { board: "own" }, body: { handle: "bo" } });
  await ana.call("leaveBoard", { params: { board: "own" } });
  expect(await refusals()).toEqual(Array(6).fill("board_not_found"));
});

test("a removal is repeated with the board's name only to callers who may know it", async () => {
  const { world, ana, bo } = await start();
  await bo.call("createBoard", { body: { name: "plans" } });
  const { id } = await bo.call("getBoard", { params: { board: "plans" } });
  const seat = await world.seat(bo, "plans");
  const remove = () => ana.call("removeAgent", { params: { board: id, member: seat.id } }, once);
  expect(await remove()).toMatchObject({ board: "plans" });
  expect(await remove()).toMatchObject({ board: "plans" });
  await bo.call("setVisibility", {
    params: { board: "plans" },
    body: { visibility: "private" },
  });
  expect(await refusalOf(remove())).toMatchObject({ status: 404, code: "board_not_found" });
});

test("a repeated post by someone who may no longer be on an open board is 403 not_on_board", async () => {
  const { bo } = await start();
  const send = () => bo.call("postMessage", { ...docs, body: { body: "x" } }, once);
  await send();
  await bo.call("leaveBoard", docs);
  expect((await refusalOf(send())).code).toBe("not_on_board");
});

test("a repeat with a key that was revoked since is 401", async () => {
  const { world, ana } = await start();
  const { id, token } = await ana.call("createKey", { body: { name: "phone" } });
  const phone = world.as(token);
  const send = () => phone.call("postMessage", { ...docs, body: { body: "x" } }, once);
  await send();
  await phone.call("revokeKey", { params: { key: id } }, { idempotencyKey: "end" });
  expect((await refusalOf(send())).code).toBe("unauthorized");
  const again = phone.call("revokeKey", { params: { key: id } }, { idempotencyKey: "end" });
  expect((await refusalOf(again)).code).toBe("unauthorized");
});

test("an agent that left gets its leave's answer again for 24 hours, and nothing else", async () => {
  const { world, ana } = await start();
  const writer = await world.seat(ana, "docs", { name: "writer" });
  await writer.call("ackInbox", { body: { up_to: 1 } }, { idempotencyKey: "earlier" });
  const left = await writer.call("leaveAsAgent", {}, once);
  const head = await headOf(ana);
  expect(left).toMatchObject({ status: "left", removed_by: "self", name: "writer" });
  const again = await writer.send("leaveAsAgent", {}, once);
  expect([again.status, marked(again), again.data]).toEqual([200, true, left]);

  const before = await stored(world);
  const refused = async (line: string, key?: string, body?: unknown) => {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    return (await ask(world, line, { token: writer.token, headers, body })).verdict;
  };
  for (const [line, key, body] of [
    ["POST /v1/me/leave"],
    ["POST /v1/me/leave", "other"],
    ["POST /v1/me/leave", "earlier"],
    ["POST /v1/me/leave", ""],
    ["POST /v1/me/leave", "k".repeat(129)],
    ["POST /v1/me/leave", "once", { x: 1 }],
    ["POST /v1/me/leave?x=1", "once"],
    ["POST /v1/me/inbox/ack", "once", { up_to: 1 }],
    ["POST /v1/me/inbox/ack", "earlier", { up_to: 1 }],
    ["GET /v1/me", "once"],
  ] as const)
    expect(`${line} ${key} ${await refused(line, key, body)}`).toBe(
      `${line} ${key} 403 agent_removed`,
    );
  expect(await stored(world)).toEqual(before);
  expect(await headOf(ana)).toBe(head);

  world.pass(day - 0.001);
  expect((await writer.send("leaveAsAgent", {}, once)).status).toBe(200);
  world.pass(0.001);
  expect((await refusalOf(writer.call("leaveAsAgent", {}, once))).code).toBe("agent_removed");
});

test("an agent that was removed gets no leave, whatever its key", async () => {
  const { world, ana } = await start();
  const writer = await world.seat(ana, "docs", { name: "writer" });
  await ana.call("removeAgent", { params: { board: "docs", member: "writer" } });
  const { code, details } = await refusalOf(writer.call("leaveAsAgent", {}, once));
  expect([code, details?.["removed_by"]]).toEqual(["agent_removed", "person"]);
});

test("what only an owner may do is repeated only while they own the board", async () => {
  const { world, ana, bo } = await start();
  await world.person("cy");
  const calls = [
    () => ana.call("updateBoard", { ...docs, body: { title: "Docs" } }, { idempotencyKey: "a" }),
    () => ana.call("addOwner", { ...docs, body: { handle: "bo" } }, { idempotencyKey: "b" }),
    () =>
      ana.call(
        "setVisibility",
        { ...docs, body: { visibility: "private" } },
        { idempotencyKey: "c" },
      ),
    () =>
      ana.call(
        "removePerson",
        { params: { board: "docs", handle: "cy" } },
        { idempotencyKey: "d" },
      ),
  ];
  await ana.call("addPerson", { ...docs, body: { handle: "cy" } });
  for (const call of calls) await call();
  for (const call of calls) await call();
  await ana.call("leaveBoard", docs);
  await bo.call("addPerson", { ...docs, body: { handle: "ana" } });
  const codes = [];
  for (const call of calls) codes.push((await refusalOf(call())).code);
  expect(codes).toEqual(["admin_required", "owner_required", "owner_required", "owner_required"]);
});

test("an agent's adding is repeated only while agents may add people", async () => {
  const { world, ana, bo } = await start();
  await world.person("cy");
  const agent = await world.seat(bo, "docs", { session: "codex:1" });
  const add = () =>
    agent.call("addPerson", { ...docs, body: { handle: "cy" } }, { idempotencyKey: "once" });
  expect(await add()).toEqual(await add());
  await ana.call("updateBoard", { ...docs, body: { agents_add_people: false } });
  expect((await refusalOf(add())).code).toBe("add_people_not_allowed");
});

test("a join by code is repeated to somebody off its board as a new one is answered", async () => {
  const { world, bo } = await start();
  const { code } = await bo.call("createJoinCode", { ...docs, body: { role: "member" } });
  const join = () => bo.call("join", { body: { code } }, once);
  await join();
  await shutOut(world, "bo");
  expect(await refusalOf(join())).toMatchObject({ status: 404, code: "join_code_invalid" });
});
