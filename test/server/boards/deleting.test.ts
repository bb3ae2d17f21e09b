import { expect, test } from "bun:test";
import type { OperationName } from "../../../src/contract/index.ts";
import {
  all,
  each,
  forAgents,
  verdicts,
  where,
  without,
} from "../../support/access-matrix/operations-by-class.ts";
import { follow } from "../../support/follow-stream.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";
import {
  lineOf,
  nowhere,
  setScene,
  type Place,
} from "../../support/boards/boards-with-one-of-everything.ts";

const once = { idempotencyKey: "once" };
const reaching = [...where.board, ...where.message];
const gone = {
  ...each(without(reaching, where.message), "404 board_not_found"),
  ...each(where.message, "404 message_not_found"),
};

/** The scene once docs was archived and deleted. */
async function start() {
  const scene = await setScene();
  await scene.ana.call("archiveBoard", docs);
  await scene.ana.call("deleteBoard", docs);
  return scene;
}

test("a deleted board answers everybody byte for byte like one that never was", async () => {
  const { ana, bo, cy, herald, sample, docs: at } = await start();
  for (const token of [ana.token, bo.token, cy.token, herald]) {
    const names = token === herald ? reaching.filter((name) => forAgents.includes(name)) : reaching;
    const found = await verdicts(names, async (name) => {
      const [deleted, missing] = [
        await sample(name, at, { token }),
        await sample(name, nowhere, { token }),
      ];
      expect(deleted.headers).toEqual(missing.headers);
      expect(deleted.text.replaceAll("docs", "nowhere")).toBe(missing.text);
      return deleted.verdict;
    });
    expect(found).toEqual(
      Object.fromEntries(Object.entries(gone).filter(([name]) => names.includes(name))),
    );
  }
});

test("and by its id, to the admin who deleted it too", async () => {
  const { world, ana, docs: at } = await start();
  for (const [method, path] of [
    ["POST", "/archive"],
    ["POST", "/restore"],
    ["POST", "/delete"],
    ["DELETE", "/members/writer"],
  ] as const) {
    const [deleted, missing] = await Promise.all(
      [at.boardId, nowhere.boardId].map((id) =>
        ask(world, `${method} /v1/boards/${id}${path}`, { token: ana.token }),
      ),
    );
    expect(deleted!.verdict).toBe("404 board_not_found");
    expect(deleted!.text.replaceAll(at.boardId, nowhere.boardId)).toBe(missing!.text);
  }
});

test("its agents get 404 board_not_found from everything they send, working and ended alike", async () => {
  const scene = await setScene();
  const { world, ana, bo, writer, docs: at } = scene;
  const [early, key] = [
    await world.seat(ana, "docs", { name: "early" }),
    await bo.call("createKey", { body: { name: "short" } }),
  ];
  const orphan = await world.seat(world.as(key.token), "docs", { name: "orphan" });
  await early.call("leaveAsAgent", {}, once);
  await ana.call("archiveBoard", docs);
  await ana.call("deleteBoard", docs);
  await bo.call("revokeKey", { params: { key: key.id } });
  const names = all as OperationName[];
  const lines = [
    ...names.map((name) => lineOf(name, at)),
    ...names.map((name) => lineOf(name, at, "surprise=1")),
    "GET /v1/nothing",
    "PATCH /v1/me",
    "GET /v1/openapi.json",
    "DELETE /v1/",
  ];
  for (const token of [writer, scene.scout.token, early.token, orphan.token])
    for (const line of lines)
      for (const headers of [{}, { "idempotency-key": "once" }]) {
        const body = line.startsWith("GET") ? undefined : "{";
        const { verdict, text } = await ask(world, line, { token, body, headers });
        expect(`${line} ${verdict}`).toBe(`${line} 404 board_not_found`);
        expect(text).not.toContain("details");
      }
  expect(await verdictOf(early.call("leaveAsAgent", {}, once))).toBe("404 board_not_found");
});

test("it is in no list, no code of it works, its name stays taken, and everything else goes on", async () => {
  const scene = await setScene();
  const { world, ana, bo, cy, herald, secret } = scene;
  const { code } = await ana.call("createJoinCode", { ...docs, body: { role: "member" } });
  await ana.call("archiveBoard", docs);
  await ana.call("deleteBoard", docs);
  for (const client of [ana, bo, cy])
    expect(
      JSON.stringify(await client.call("listBoards", { query: { all: true, lifecycle: "all" } })),
    ).not.toContain('"docs"');
  expect(await verdictOf(ana.call("join", { body: { code } }))).toBe("404 join_code_invalid");
  expect(await verdictOf(ana.call("join", { body: { board: "docs", role: "member" } }))).toBe(
    "404 board_not_found",
  );
  for (const client of [ana, cy])
    expect(await verdictOf(client.call("createBoard", { body: { name: "docs" } }))).toBe(
      "409 board_name_taken",
    );
  expect((await ana.call("getMe")).name).toBe("ana");
  expect((await world.as(herald).call("getMe")).name).toBe("herald");
  expect((await ana.call("getBoard", { params: { board: secret.board } })).name).toBe("secret");
});

test("only an archived board is deleted, with one last event that keeps the record whole", async () => {
  const { world, ana, docs: at } = await setScene();
  const before = await stored(world);
  expect(await verdictOf(ana.call("deleteBoard", docs))).toBe("409 board_not_archived");
  expect(await stored(world)).toEqual(before);
  await ana.call("archiveBoard", docs);
  const archived = await stored(world);
  expect(await ana.call("deleteBoard", docs)).toEqual({
    id: at.boardId,
    lifecycle: "deleted",
    changed: true,
  });
  const after = await stored(world);
  expect(after["event"]!.length).toBe(archived["event"]!.length + 1);
  for (const table of ["message", "reaction", "join_code", "read_position"])
    expect([table, after[table]]).toEqual([table, archived[table]!]);
  const { id } = await ana.call("getMe");
  const row = world.db.read((tx) =>
    tx.get<{ data: string }>("SELECT data FROM event WHERE type = 'board.deleted'"),
  )!;
  expect(JSON.parse(row.data)).toEqual({
    person_id: id,
    before: "archived",
    after: "deleted",
  });
  expect(await verdictOf(ana.call("deleteBoard", docs))).toBe("404 board_not_found");
});

test("its receipt is for the same credential and key, as long as the authority lasts", async () => {
  const { world, bo, ana, docs: at } = await setScene();
  const yard = await bo.call("createBoard", { body: { name: "yard" } });
  const params = { board: "yard" };
  const phone = world.as((await bo.call("createKey", { body: { name: "phone" } })).token);
  const archived = await bo.call("archiveBoard", { params }, { idempotencyKey: "archive" });
  await bo.call("restoreBoard", { params }, { idempotencyKey: "restore" });
  await bo.call("archiveBoard", { params });
  const receipt = await bo.call("deleteBoard", { params }, once);
  expect(await bo.call("deleteBoard", { params }, once)).toEqual(receipt);
  expect(receipt).toEqual({ ...archived, lifecycle: "deleted" });
  expect(receipt.id).toBe(yard.id);
  const missing = await ask(world, `POST /v1/boards/nowhere/archive`, { token: bo.token });
  for (const [operation, key] of [
    ["archive", "archive"],
    ["restore", "restore"],
    ["delete", "another"],
  ]) {
    const line = `POST /v1/boards/yard/${operation}`;
    const headers = { "idempotency-key": key! };
    const { text } = await ask(world, line, { token: bo.token, headers });
    expect(text.replaceAll("yard", "nowhere")).toBe(missing.text);
  }
  expect(await verdictOf(phone.call("deleteBoard", { params }, once))).toBe("404 board_not_found");
  expect(await verdictOf(ana.call("deleteBoard", { params }, once))).toBe("404 board_not_found");

  const later = { idempotencyKey: "later" };
  await ana.call("archiveBoard", docs);
  await ana.call("deleteBoard", { params: { board: at.boardId } }, later);
  // No operation changes a server role, or takes a person off a deleted board.
  await world.db.write((tx) => {
    tx.run("UPDATE person SET server_role = 'member' WHERE handle = 'ana'");
    tx.run("UPDATE member SET status = 'removed' WHERE name = 'ana'");
  });
  expect(await verdictOf(ana.call("deleteBoard", { params: { board: at.boardId } }, later))).toBe(
    "404 board_not_found",
  );
  await bo.call("revokeKey", { params: { key: bo.keyId } });
  expect(await verdictOf(bo.call("deleteBoard", { params }, once))).toBe("401 unauthorized");
});

test("no kept answer of it is given again", async () => {
  const { ana, sample, docs: at } = await setScene();
  const names = ["updateBoard", "addPerson", "postMessage", "ackBoard", "join", "removeAgent"];
  names.push("addReaction", "setVisibility", "addOwner");
  const asking = (name: string) => ({ token: ana.token, headers: { "idempotency-key": name } });
  const repeat = (place: Place) =>
    verdicts(names, async (name) => (await sample(name, place, asking(name))).verdict);
  for (const verdict of Object.values(await repeat(at))) expect(verdict).toStartWith("20");
  const made = await ana.call("createBoard", { body: { name: "yard" } }, once);
  await ana.call("archiveBoard", docs);
  await ana.call("deleteBoard", docs);
  await ana.call("archiveBoard", { params: { board: "yard" } });
  await ana.call("deleteBoard", { params: { board: made.id } });
  expect(await repeat(at)).toEqual({
    ...each(names, "404 board_not_found"),
    addReaction: "404 message_not_found",
  });
  expect(await verdictOf(ana.call("createBoard", { body: { name: "yard" } }, once))).toBe(
    "404 board_not_found",
  );
});

test("streams that showed it are told that it is gone, waits end, and the streams go on", async () => {
  const { world, ana, bo, cy, writer, docs: at } = await setScene();
  await ana.call("archiveBoard", docs);
  const [ofBo, ofCy] = [await follow(bo), await follow(cy, 0)];
  await ofBo.next(2);
  const [inbox, replies] = [
    world.as(writer).call("getInbox", { query: { wait: 600, after: 1000 } }),
    bo.call("listReplies", { params: { message: at.message }, query: { wait: 600, after: 1000 } }),
  ];
  const ends = Promise.all([verdictOf(inbox), verdictOf(replies)]);
  await until(() => world.hub.waiting === 2, "both wait");
  // An agent that waits reads as idle.
  expect((await ofBo.next(1)).map(({ event }) => event)).toEqual(["presence"]);
  await ana.call("deleteBoard", docs);
  expect(await ends).toEqual(["404 board_not_found", "404 message_not_found"]);
  expect(await ofBo.next(1)).toEqual([{ event: "board_unavailable", board_id: at.boardId }]);
  await bo.call("createBoard", { body: { name: "yard" } });
  await bo.call("postMessage", { params: { board: "yard" }, body: { body: "on we go" } });
  expect((await ofBo.next(2)).map(({ event }) => event)).toEqual(["head", "unread"]);
  expect([ofBo.state.ended, ofCy.state.ended]).toEqual([false, false]);
  expect(await verdictOf(post(bo, "x"))).toBe("404 board_not_found");
});
