import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import type { ErrorBody } from "../../../src/contract/refusal.ts";
import { operationNamed, operationNames, type OperationName } from "../../../src/contract/index.ts";
import { keepAnswer } from "../../../src/db/kept-answers.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, headOf, personOnDocs } from "../../support/boards/docs-board.ts";
import { count } from "../../support/count-rows.ts";
import { ask, stored } from "../../support/raw-requests.ts";
import {
  all,
  forKeys,
  lastly,
  who,
  without,
} from "../../support/access-matrix/operations-by-class.ts";
import { asked, wholeOf } from "../operations.ts";
import { lineOf, setScene } from "../../support/boards/boards-with-one-of-everything.ts";

/** Operations whose answer is kept, in an order in which they can follow one another. */
const everyKept = lastly(all.filter((name) => asked[name]!.repeat === "kept")) as OperationName[];
const keptFor = (names: readonly string[]) => everyKept.filter((name) => names.includes(name));
const keptForAgents = keptFor(who.agents);
const keptForMachines = keptFor(who.machines);
const keptForPairings = keptFor(who.pairings);
const kept = keptFor(without(forKeys, [...who.agents, ...who.machines, ...who.pairings])).flatMap(
  // A board that was restored is archived anew before it is deleted.
  (name) => (name === "deleteBoard" ? (["archiveBoard", name] as const) : name),
);

const day = 24 * 60 * 60;
const say = (client: Client, body: string, idempotencyKey: string) =>
  client.send("postMessage", { ...docs, body: { body } }, { idempotencyKey });
const marked = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed") === "true";
const codeOf = ({ data }: { data: unknown }) => (data as ErrorBody).error?.code;

/** Docs, which ana owns, and bo who is on it. */
const start = () => startDocs();

test("every operation that changes something says what its repeat gets, and no other does", () => {
  const writing = operationNames.filter((name) => operationNamed(name).method !== "GET");
  expect(all.filter((name) => asked[name]!.repeat).sort()).toEqual(writing.sort());
});

test("a repeat of a kept operation gets the first answer, marked, and writes nothing at all", async () => {
  const { world, ana, machine, pair, docs: at } = await setScene();
  const { token: seat } = await world.seat(ana, "docs", { name: "scribe" });
  let turn = 0;
  const repeats = async (name: OperationName, token: string) => {
    const asking = { token, headers: { "idempotency-key": `once-${name}-${turn++}` } };
    const line = lineOf(name, at);
    const { body } = wholeOf(name, at);
    const asked = () => ask(world, line, { ...asking, ...(body && { body }) });
    const first = await asked();
    expect(`${name} ${first.status < 300 || first.verdict}`).toBe(`${name} true`);
    const before = await stored(world);
    const again = await asked();
    expect(again).toEqual({
      ...first,
      headers: { ...first.headers, "idempotent-replayed": "true" },
    });
    expect(await stored(world)).toEqual(before);
  };
  for (const name of keptForAgents) await repeats(name, seat);
  for (const name of keptForMachines) await repeats(name, machine);
  const pairing = await pair();
  for (const name of keptForPairings) await repeats(name, pairing);
  for (const name of kept) await repeats(name, ana.token);
});

test("a repeat of an operation that carries a secret makes another, and nothing of it is kept", async () => {
  const { world, ana } = await start();
  const call = { idempotencyKey: "same" };
  const invites = [
    await ana.call("createServerInvite", {}, call),
    await ana.call("createServerInvite", {}, call),
  ];
  expect(invites[0]!.invite).not.toBe(invites[1]!.invite);
  const code = { ...docs, body: { role: "member" } };
  const codes = [
    await ana.call("createJoinCode", code, call),
    await ana.call("createJoinCode", code, call),
  ];
  expect(codes[0]!.id).not.toBe(codes[1]!.id);
  const key = { body: { name: "phone" } };
  const made = await ana.call("createKey", key, call);
  expect(codeOf(await ana.send("createKey", key, call))).toBe("key_name_taken");
  const newcomer = { body: { invite: invites[0]!.invite, handle: "cy", key_name: "machine" } };
  const connected = await world.connect(newcomer.body, call);
  expect(codeOf(await world.as().send("connect", newcomer, call))).toBe("invite_invalid");

  const { code: guestCode } = await ana.call("createJoinCode", {
    ...docs,
    body: { role: "member", guest: "gus" },
  });
  const visit = { body: { code: guestCode, key_name: "machine" } };
  const guest = await world.as().call("guestJoin", visit, call);
  expect(codeOf(await world.as().send("guestJoin", visit, call))).toBe("join_code_invalid");

  const { kept_answer, ...tables } = await stored(world);
  expect(kept_answer).toEqual([]);
  const everything = JSON.stringify(tables);
  const secrets = [made.token, connected.key.token, invites[1]!.invite, codes[0]!.code];
  for (const each of [...secrets, guestCode, guest.key.token, guest.token])
    expect(everything).not.toContain(each);
});

test("what is kept of a request is a keyed digest, from which nobody guesses the code in its body", async () => {
  const { world, ana } = await start();
  const { code } = await ana.call("createJoinCode", { ...docs, body: { role: "member" } });
  await ana.call("join", { body: { code } }, { idempotencyKey: "once" });
  const [row] = (await stored(world))["kept_answer"] as { request_hash: string }[];
  const bare = new Bun.CryptoHasher("sha256")
    .update(`POST /v1/join\n${JSON.stringify({ code })}`)
    .digest("hex");
  expect(row!.request_hash).toBe(world.secrets.digest(bare));
});

test("another body, path or method under the same key is 422 and does nothing", async () => {
  const { world, ana } = await start();
  await ana.call("createBoard", { body: { name: "plaza" } });
  const headers = { "idempotency-key": "one" };
  const asking = { token: ana.token, headers };
  const tried = async (line: string, body?: string) =>
    (await ask(world, line, { ...asking, body })).verdict;
  expect(await tried("POST /v1/boards/docs/messages", '{"body":"a"}')).toBe("201");
  const before = await stored(world);
  for (const [line, body] of [
    ["POST /v1/boards/docs/messages", '{"body":"b"}'],
    ["POST /v1/boards/docs/messages", '{"body": "a"}'],
    ["POST /v1/boards/plaza/messages", '{"body":"a"}'],
    ["POST /v1/boards/docs/ack", '{"up_to":1}'],
    ["POST /v1/boards", '{"name":"other"}'],
  ])
    expect(await tried(line!, body)).toBe("422 idempotency_conflict");
  expect(await stored(world)).toEqual(before);

  const { id } = await ana.call("postMessage", { ...docs, body: { body: "react" } });
  headers["idempotency-key"] = "two";
  expect(await tried(`PUT /v1/messages/${id}/reactions/eyes`)).toBe("200");
  expect(await tried(`DELETE /v1/messages/${id}/reactions/eyes`)).toBe("422 idempotency_conflict");
  expect(await tried(`PUT /v1/messages/${id}/reactions/heart`)).toBe("422 idempotency_conflict");
  expect(await tried(`PUT /v1/messages/${id}/reactions/eyes`)).toBe("200");
});

test("a key is one credential's own: another token with it makes its own call", async () => {
  const { world, ana, bo } = await start();
  const { token } = await ana.call("createKey", { body: { name: "phone" } });
  const writer = await world.seat(ana, "docs");
  const clients = [ana, world.as(token), bo, writer];
  const answers = [];
  for (const client of clients) answers.push(await say(client, "same words", "same key"));
  expect(answers.map(marked)).toEqual([false, false, false, false]);
  expect((await ana.call("getBoard", docs)).message_count).toBe(4);
});

test("an answer is kept for 24 hours exactly: then the key is free, for another request too", async () => {
  const { world, ana } = await start();
  await say(ana, "first", "again");
  await say(ana, "second", "changed");
  world.pass(day - 0.001);
  expect(marked(await say(ana, "first", "again"))).toBe(true);
  expect(codeOf(await say(ana, "other", "changed"))).toBe("idempotency_conflict");
  world.pass(0.001);
  expect(marked(await say(ana, "first", "again"))).toBe(false);
  expect((await say(ana, "other", "changed")).status).toBe(201);
  expect(marked(await say(ana, "other", "changed"))).toBe(true);
  world.pass(day + 1);
  expect(marked(await say(ana, "first", "again"))).toBe(false);
  expect((await ana.call("getBoard", docs)).message_count).toBe(5);
});

test("the sweep drops answers whose 24 hours are over, however many, and no others", async () => {
  const { world } = await start();
  const answer = { request_hash: "0", status: 200, body: "{}" };
  const keep = (prefix: string, times: number) =>
    world.db.write((tx) => {
      for (let i = 0; i < times; i++) keepAnswer(tx, "digest", `${prefix}${i}`, answer);
    });
  const left = () => world.db.read((tx) => count(tx, "SELECT count(*) AS n FROM kept_answer"));
  await keep("old", 2500);
  world.pass(1);
  await keep("young", 10);
  world.pass(day - 1.001);
  await world.sweep();
  expect(left()).toBe(2510);
  world.pass(0.001);
  await world.sweep();
  expect(left()).toBe(10);
});

test("refusals that were decided after admission are kept, although their cause is gone", async () => {
  const { world, ana, bo } = await start();
  const writer = await world.seat(bo, "docs", { name: "writer" });
  const refusals = [
    [403, () => bo.send("updateBoard", { ...docs, body: { title: "x" } }, { idempotencyKey: "a" })],
    [
      404,
      () => ana.send("addPerson", { ...docs, body: { handle: "cy" } }, { idempotencyKey: "b" }),
    ],
    [
      409,
      () =>
        bo.send(
          "join",
          { body: { board: "docs", role: "member", name: "writer" } },
          { idempotencyKey: "c" },
        ),
    ],
    [
      422,
      () =>
        ana.send(
          "postMessage",
          { ...docs, body: { body: "x", to: ["@cy"] } },
          { idempotencyKey: "d" },
        ),
    ],
  ] as const;
  const first = [];
  for (const [, attempt] of refusals) first.push(await attempt());
  expect(first.map(({ status }) => status)).toEqual(refusals.map(([status]) => status));
  expect(first.some(marked)).toBe(false);

  await world.db.write((tx) => tx.run("UPDATE member SET access = 'admin' WHERE name = 'bo'"));
  await personOnDocs(world, "cy");
  await writer.call("leaveAsAgent");
  for (const [index, [, attempt]] of refusals.entries()) {
    const again = await attempt();
    expect(marked(again)).toBe(true);
    expect({ status: again.status, data: again.data }).toEqual({
      status: first[index]!.status,
      data: first[index]!.data,
    });
  }
});

test("a request that does not fit, is not admitted or has no working credential keeps nothing", async () => {
  const { world, ana } = await start();
  const cy = await world.person("cy");
  const asking = { token: cy.token, headers: { "idempotency-key": "k" } };
  const tried = async (line: string, body: unknown, token = cy.token) =>
    (await ask(world, line, { ...asking, token, body })).verdict;
  const line = "POST /v1/boards/docs/messages";
  expect(await tried(line, { body: 1 })).toBe("400 invalid_request");
  expect(await tried(line, { body: "x".repeat(32_769) })).toBe("413 message_too_large");
  expect(await tried(line, { body: "x" }, `abh_${"x".repeat(43)}`)).toBe("401 unauthorized");
  expect(await tried(line, { body: "x" })).toBe("403 not_on_board");
  expect(await tried("POST /v1/boards/nowhere/messages", { body: "x" })).toBe(
    "404 board_not_found",
  );
  expect(await tried("PUT /v1/me/presence", { presence: "idle" })).toBe("403 agent_token_required");
  expect((await stored(world))["kept_answer"]).toEqual([]);
  await ana.call("addPerson", { ...docs, body: { handle: "cy" } });
  expect(await tried(line, { body: "x" })).toBe("201");
});

test("a key has 1 to 128 characters, and means nothing to a read", async () => {
  const { world, ana } = await start();
  const tried = async (line: string, key: string, body?: unknown) => {
    const headers = { "idempotency-key": key };
    return (await ask(world, line, { token: ana.token, headers, body })).verdict;
  };
  for (const key of ["", "k".repeat(129)])
    for (const line of ["POST /v1/boards", "POST /v1/boards/docs/messages", "POST /v1/invites"])
      expect(await tried(line, key, line.endsWith("messages") ? { body: "x" } : {})).toBe(
        "400 invalid_request",
      );
  expect(await headOf(ana)).toBe(3);
  for (const key of ["k", "k".repeat(128)])
    expect(await tried("POST /v1/boards/docs/messages", key, { body: "x" })).toBe("201");
  for (const key of ["", "k".repeat(129), "k"])
    expect(await tried("GET /v1/boards", key)).toBe("200");
  expect(await tried("GET /v1/me", "k")).toBe("200");
});

test("requests with one key at the same moment make one message", async () => {
  const { ana } = await start();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => say(ana, index < 6 ? "one" : "other", "together")),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201, 422, 422]);
  expect(answers.map(marked)).toEqual([false, true, true, true, true, true, false, false]);
  expect(new Set(answers.slice(0, 6).map(({ data }) => (data as { id: string }).id)).size).toBe(1);
  expect((await ana.call("getBoard", docs)).message_count).toBe(1);
});
