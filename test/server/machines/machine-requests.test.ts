import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";
import { count } from "../../support/count-rows.ts";
import { ask, cameTo, stored, verdictOf } from "../../support/raw-requests.ts";
import { browserOf, makeGuest } from "../../support/other-callers.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const day = 24 * 60 * 60;
const invalid = "404 machine_request_invalid";
const operations = [
  "lookupMachineRequest",
  "approveMachineRequest",
  "refuseMachineRequest",
] as const;

/** Ana's server, with bo on it; a machine asks for keys. */
async function start(options: Parameters<typeof startWorld>[0] = {}) {
  const world = await startWorld(options);
  return { world, ana: world.admin, bo: await world.person("bo") };
}
const begin = (world: World, handle = "bo", label = "phone") =>
  world.as().call("startMachineRequest", { body: { handle, label } });
const decide = (client: Client, operation: (typeof operations)[number], code: string) =>
  client.call(operation, { body: { code } });
const approve = (client: Client, code: string) => decide(client, "approveMachineRequest", code);
const collect = (world: World, secret: string) =>
  world.as().send("collectMachineRequest", { body: { secret } });
const collected = async (world: World, secret: string) =>
  (await collect(world, secret)).data as {
    person: { handle: string };
    key: { id: string; name: string; token: string; expires_at: string };
  };
/** Approves a request of bo's with this label, and collects its key. */
async function connectMachine(world: World, person: Client, label: string) {
  const { code, secret } = await begin(world, "bo", label);
  await approve(person, code);
  return (await collected(world, secret)).key;
}

describe("a machine that asks for a key", () => {
  test("waits until the person approves its code, and collects a key of that person's once", async () => {
    const { world, bo } = await start();
    const request = await begin(world);
    const ends = world.at(300);
    expect(request).toEqual({
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{3}-[0-9A-HJKMNP-TV-Z]{3}$/),
      secret: expect.stringMatching(/^abc_[A-Za-z0-9_-]{43}$/),
      expires_at: ends,
      poll_interval_seconds: 2,
    });
    const waits = await collect(world, request.secret);
    expect([waits.status, waits.data]).toEqual([
      202,
      { state: "pending", expires_at: ends, poll_interval_seconds: 2 },
    ]);

    const shown = await decide(bo, "lookupMachineRequest", request.code);
    expect(shown).toMatchObject({ label: "phone", state: "pending", expires_at: ends });
    expect(shown.person).toMatchObject({ id: bo.id, handle: "bo" });
    expect(shown.requested_from).toBeString();
    expect(await approve(bo, request.code)).toEqual({ ...shown, state: "approved" });

    world.pass(10);
    const { status, data } = await collect(world, request.secret);
    expect(status).toBe(201);
    const after90Days = world.at(90 * day);
    expect(data).toMatchObject({
      server_id: expect.stringMatching(/^srv_/),
      person: { id: bo.id, handle: "bo" },
      key: { name: "phone", expires_at: after90Days, idle_expiry_seconds: 90 * day },
    });
    const { token } = (data as Awaited<ReturnType<typeof collected>>).key;
    expect((await world.as(token).call("getMe")).name).toBe("bo");
    expect(await cameTo(collect(world, request.secret))).toBe(invalid);
  });

  test("is told the same of a handle that nobody has, and that request can never be approved", async () => {
    const { world, ana, bo } = await start();
    const { code, secret, ...rest } = await begin(world, "nobody");
    expect(rest).toEqual({ expires_at: expect.any(String), poll_interval_seconds: 2 });
    for (const person of [ana, bo])
      for (const operation of operations)
        expect(await verdictOf(decide(person, operation, code))).toBe(invalid);
    expect((await collect(world, secret)).status).toBe(202);
  });

  test("is never for who takes the handle later", async () => {
    const { world, ana, bo } = await start();
    const forNobody = await begin(world, "dee");
    const forBo = await begin(world, "bo");
    await ana.call("removeFromServer", { params: { handle: "bo" } });
    const comers = [
      [await world.person("dee"), forNobody],
      [await world.person("bo"), forBo],
    ] as const;
    expect(comers[1][0].id).not.toBe(bo.id);
    for (const [comer, { code, secret }] of comers) {
      for (const operation of operations)
        expect(await verdictOf(decide(comer, operation, code))).toBe(invalid);
      expect((await collect(world, secret)).status).toBe(202);
    }
  });

  test("is for the person who has the handle now, not for the one who had it", async () => {
    const { world, bo } = await start();
    const { code } = await begin(world);
    await world.db.write((tx) => tx.run("UPDATE person SET handle = 'bob' WHERE handle = ?", "bo"));
    expect(await verdictOf(approve(bo, code))).toBe(invalid);
    const { code: second } = await begin(world, "bob");
    expect((await approve(bo, second)).person.handle).toBe("bob");
  });

  test("is refused a handle or a label that could be nobody's", async () => {
    const { world } = await start();
    for (const [handle, suggestion] of [
      ["Bo Ek", "bo-ek"],
      ["@bo", "bo"],
      ["x".repeat(41), "x".repeat(40)],
    ] as const) {
      const { status, code, hint } = await refusalOf(begin(world, handle));
      expect([status, code]).toEqual([422, "handle_invalid"]);
      expect(hint).toContain(suggestion);
    }
    for (const label of ["", "My Phone", "-x", "x".repeat(41)])
      expect(await verdictOf(begin(world, "bo", label))).toBe("400 invalid_request");
    expect(await verdictOf(begin(world, "x".repeat(81)))).toBe("400 invalid_request");
    expect((await stored(world))["machine_request"]).toEqual([]);
  });
});

describe("a code", () => {
  test("may be typed in any case, with and without its dash, O for 0 and I or L for 1", async () => {
    const { world, bo } = await start();
    const { code } = await begin(world);
    const spoken = code.replaceAll("0", "o").replaceAll("1", "l");
    for (const typed of [code.toLowerCase(), code.replace("-", ""), ` ${spoken} `])
      expect((await decide(bo, "lookupMachineRequest", typed)).state).toBe("pending");
  });

  test("that is wrong, over, decided or for somebody else is refused with the same bytes", async () => {
    const { world, ana, bo } = await start();
    const codes = [];
    for (const handle of ["bo", "bo", "ana"]) codes.push((await begin(world, handle)).code);
    await approve(bo, codes[0]!);
    await decide(bo, "refuseMachineRequest", codes[1]!);
    const tried = [...codes, "AAA-AAA", "nonsense", "", "UUU-UUU"];
    const send = async (operation: string, code: string) =>
      ask(world, `POST /v1/machine-requests/${operation}`, { token: bo.token, body: { code } });
    const answers = new Set<string>();
    for (const code of tried)
      for (const operation of ["lookup", "approve", "refuse"]) {
        const { verdict, text } = await send(operation, code);
        expect(`${operation} ${code} ${verdict}`).toBe(`${operation} ${code} ${invalid}`);
        answers.add(text);
      }
    const { code } = await begin(world);
    world.pass(299.999);
    expect((await send("lookup", code)).status).toBe(200);
    world.pass(0.001);
    for (const operation of ["lookup", "approve", "refuse"])
      answers.add((await send(operation, code)).text);
    expect(answers.size).toBe(1);
    expect((await ana.call("listKeys")).keys).toHaveLength(1);
  });

  test("is for a person's own key: not for agents, browsers, delegations and guests", async () => {
    const { world, bo } = await start();
    await bo.call("createBoard", { body: { name: "docs" } });
    const seat = await world.seat(bo, "docs");
    const { token: delegation } = await bo.call("createDelegation", { body: { name: "laptop" } });
    const browser = await browserOf(world, bo.token);
    const { code } = await begin(world);
    const tried = async (token: string) => {
      const found = [];
      for (const operation of operations)
        found.push(await verdictOf(decide(world.as(token), operation, code)));
      return found;
    };
    expect(await tried(seat.token)).toEqual(Array(3).fill("403 human_token_required"));
    expect(await tried(browser)).toEqual(Array(3).fill("403 human_token_required"));
    expect(await tried(delegation)).toEqual(Array(3).fill("403 forbidden"));
    await makeGuest(world, "bo");
    expect(await tried(bo.token)).toEqual(Array(3).fill("403 guest_not_allowed"));
  });
});

describe("collecting", () => {
  test("is refused to a machine that the person refused, until its request is over", async () => {
    const { world, bo } = await start();
    const { code, secret } = await begin(world);
    expect((await decide(bo, "refuseMachineRequest", code)).state).toBe("refused");
    for (let times = 0; times < 2; times++)
      expect(await cameTo(collect(world, secret))).toBe("403 machine_request_refused");
    world.pass(300);
    expect(await cameTo(collect(world, secret))).toBe(invalid);
    expect((await bo.call("listKeys")).keys).toHaveLength(1);
  });

  test("is over after five minutes, approved or not", async () => {
    const { world, bo } = await start();
    const [one, two] = [await begin(world), await begin(world)];
    await approve(bo, one.code);
    world.pass(299.999);
    expect((await collect(world, two.secret)).status).toBe(202);
    world.pass(0.001);
    for (const { secret } of [one, two]) expect(await cameTo(collect(world, secret))).toBe(invalid);
  });

  test("with anything but a request's secret is refused like one for an ended request", async () => {
    const { world, bo } = await start();
    const { code, secret } = await begin(world);
    await approve(bo, code);
    for (const wrong of [code, "", `${secret}x`, secret.slice(4), bo.token])
      expect(await cameTo(collect(world, wrong))).toBe(invalid);
    expect(await cameTo(collect(world, "x".repeat(201)))).toBe("400 invalid_request");
    expect((await collect(world, secret)).status).toBe(201);
  });

  test("ends after 200 times of waiting, for the person as well", async () => {
    const { world, bo } = await start();
    const { code, secret } = await begin(world);
    for (let times = 0; times < 199; times++)
      expect((await collect(world, secret)).status).toBe(202);
    expect((await decide(bo, "lookupMachineRequest", code)).state).toBe("pending");
    expect((await collect(world, secret)).status).toBe(202);
    expect(await cameTo(collect(world, secret))).toBe(invalid);
    expect(await verdictOf(approve(bo, code))).toBe(invalid);
  });

  test("needs the key that approved, and the person, still to work", async () => {
    const { world, bo } = await start();
    const approved = async (token: string) => {
      const { code, secret } = await begin(world);
      await approve(world.as(token), code);
      return secret;
    };
    const other = await bo.call("createKey", { body: { name: "other" } });
    const revoked = await approved(other.token);
    await bo.call("revokeKey", { params: { key: other.id } });
    expect(await cameTo(collect(world, revoked))).toBe(invalid);

    const short = await bo.call("createKey", { body: { name: "short", ttl_seconds: 3600 } });
    world.pass(3500);
    const expired = await approved(short.token);
    world.pass(100);
    expect(await cameTo(collect(world, expired))).toBe(invalid);

    const gone = await approved(bo.token);
    await world.admin.call("removeFromServer", { params: { handle: "bo" } });
    expect(await cameTo(collect(world, gone))).toBe(invalid);
    expect(world.db.read((tx) => count(tx, "SELECT count(*) AS n FROM access_key"))).toBe(4);
  });

  test("gives a key that outlives the one that approved it", async () => {
    const { world, bo } = await start();
    const other = await bo.call("createKey", { body: { name: "other" } });
    const key = await connectMachine(world, world.as(other.token), "phone");
    await bo.call("revokeKey", { params: { key: other.id } });
    expect((await world.as(key.token).call("getMe")).name).toBe("bo");
  });

  test("names the key after the label, numbered among working keys and cut to 40 characters", async () => {
    const { world, bo } = await start();
    const names = [];
    const long = `${"x".repeat(37)}-yz`;
    for (const label of ["phone", "phone", "phone", long, long, "machine"])
      names.push((await connectMachine(world, bo, label)).name);
    const cut = "x".repeat(37);
    expect(names).toEqual(["phone", "phone-2", "phone-3", long, `${cut}-2`, "machine-2"]);
    const { keys } = await bo.call("listKeys");
    await bo.call("revokeKey", {
      params: { key: keys.find(({ name }) => name === "phone-2")!.id },
    });
    expect((await connectMachine(world, bo, "phone")).name).toBe("phone-2");
  });

  test("goes on after the server was started again", async () => {
    const file = join(temporaryFolder(), "db");
    const first = await start({ file });
    const [one, two] = [await begin(first.world), await begin(first.world)];
    await approve(first.bo, one.code);
    first.world.stop();
    const world = await startWorld({ file });
    const { key } = await collected(world, one.secret);
    expect((await collect(world, two.secret)).status).toBe(202);
    await approve(world.as(key.token), two.code);
    expect((await collect(world, two.secret)).status).toBe(201);
  });
});

describe("at once", () => {
  const verdicts = async (attempts: readonly Parameters<typeof cameTo>[0][]) =>
    (await Promise.all(attempts.map(cameTo))).sort();

  test("two collections of one request make one key", async () => {
    const { world, bo } = await start();
    const { code, secret } = await begin(world);
    await approve(bo, code);
    const found = await verdicts([collect(world, secret), collect(world, secret)]);
    expect(found).toEqual(["201", invalid]);
    expect((await bo.call("listKeys")).keys).toHaveLength(2);
  });

  test("one of two decisions counts, and the machine gets that one's answer", async () => {
    const { world, bo } = await start();
    const other = world.as((await bo.call("createKey", { body: { name: "other" } })).token);
    for (const [first, second, answer] of [
      ["approveMachineRequest", "refuseMachineRequest", "201"],
      ["refuseMachineRequest", "approveMachineRequest", "403 machine_request_refused"],
      ["approveMachineRequest", "approveMachineRequest", "201"],
    ] as const) {
      const { code, secret } = await begin(world);
      const body = { code };
      expect(await verdicts([bo.send(first, { body }), other.send(second, { body })])).toEqual([
        "200",
        invalid,
      ]);
      expect(await verdicts([collect(world, secret)])).toEqual([answer]);
    }
  });
});

describe("a repeat", () => {
  const once = { idempotencyKey: "once" };
  const marked = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed");

  test("of a decision gets its answer again, while the key works", async () => {
    const { world, bo } = await start();
    const other = await bo.call("createKey", { body: { name: "other" } });
    for (const operation of ["approveMachineRequest", "refuseMachineRequest"] as const) {
      const { code } = await begin(world);
      const options = { idempotencyKey: operation };
      const send = () => world.as(other.token).send(operation, { body: { code } }, options);
      const [first, again] = [await send(), await send()];
      expect([marked(first), marked(again)]).toEqual([null, "true"]);
      expect(again.data).toEqual(first.data);
      const changed = world.as(other.token).call(operation, { body: { code: "AAA-AAA" } }, options);
      expect(await verdictOf(changed)).toBe("422 idempotency_conflict");
    }
    await bo.call("revokeKey", { params: { key: other.id } });
    const { code } = await begin(world);
    const late = world.as(other.token).call("approveMachineRequest", { body: { code } }, once);
    expect(await verdictOf(late)).toBe("401 unauthorized");
  });

  test("of a start or a collection is a new call", async () => {
    const { world, bo } = await start();
    const body = { handle: "bo", label: "phone" };
    const starts = () => world.as().call("startMachineRequest", { body }, once);
    const [one, two] = [await starts(), await starts()];
    expect(one.secret).not.toBe(two.secret);
    await approve(bo, one.code);
    const collects = () =>
      world.as().call("collectMachineRequest", { body: { secret: one.secret } }, once);
    await collects();
    expect(await verdictOf(collects())).toBe(invalid);
  });
});

test("attempts are limited by the minute: starts, codes and collections by address, codes by person too", async () => {
  const { world, ana, bo } = await start({ rateScale: 1 });
  const { code, secret } = await begin(world);
  const spent = async (attempt: () => Promise<unknown>, most: number) => {
    for (let times = 0; times < most; times++) await attempt().catch(() => null);
    const { status, code: refused } = await refusalOf(attempt());
    expect([status, refused]).toEqual([429, "rate_limited"]);
  };
  await spent(() => begin(world, "Not A Handle"), 9);
  await spent(() => decide(bo, "lookupMachineRequest", "wrong"), 10);
  expect(await verdictOf(decide(ana, "lookupMachineRequest", code))).toBe("429 rate_limited");
  await spent(() => world.as().call("collectMachineRequest", { body: { secret } }), 60);
  const { headers } = await ask(world, "POST /v1/machine-requests/collect", { body: { secret } });
  expect(headers["retry-after"]).toBe("60");
  world.pass(60);
  expect((await decide(bo, "lookupMachineRequest", code)).label).toBe("phone");
});

test("neither code nor secret nor key is stored, and answers with them are for no cache", async () => {
  const { world, bo } = await start();
  const body = { handle: "bo", label: "phone" };
  const started = await ask(world, "POST /v1/machine-requests", { body });
  const { code, secret } = JSON.parse(started.text) as { code: string; secret: string };
  const waits = await ask(world, "POST /v1/machine-requests/collect", { body: { secret } });
  await bo.call("approveMachineRequest", { body: { code } }, { idempotencyKey: "once" });
  const got = await ask(world, "POST /v1/machine-requests/collect", { body: { secret } });
  expect([started.status, waits.status, got.status]).toEqual([201, 202, 201]);
  for (const { headers } of [started, waits, got])
    expect(headers["cache-control"]).toBe("no-store");
  const { token } = (JSON.parse(got.text) as { key: { token: string } }).key;
  const everything = JSON.stringify(await stored(world));
  for (const each of [code, code.replace("-", ""), secret, secret.slice(4), token, token.slice(4)])
    expect(everything).not.toContain(each);
  expect(everything).toContain(world.secrets.digest(secret));
});

test("requests that are over are dropped, however many, and others stay", async () => {
  const { world, bo } = await start();
  await begin(world);
  const { code } = await begin(world);
  await approve(bo, code);
  await world.db.write((tx) => {
    for (let i = 0; i < 1500; i++)
      tx.run(
        "INSERT INTO machine_request (id, code_digest, secret_digest, handle, label, requested_from, created_at, expires_at) VALUES (?, '', ?, 'bo', 'x', '', '', ?)",
        `mrq_${i}`,
        `digest ${i}`,
        tx.now,
      );
  });
  world.pass(200);
  const { secret } = await begin(world);
  world.pass(100);
  await world.sweep();
  expect((await stored(world))["machine_request"]).toHaveLength(1);
  expect((await collect(world, secret)).status).toBe(202);
});

test("waiting machines let nothing go that is kept of credentials and boards", async () => {
  const { world, ana } = await start();
  await ana.call("getMe");
  const kept = (found: string) => world.db.read((tx) => tx.rowCache.get("a test", 1, () => found));
  kept("first");
  const { secret } = await begin(world);
  await collect(world, secret);
  expect(kept("second")).toBe("first");
  await ana.call("createKey", { body: { name: "phone" } });
  expect(kept("third")).toBe("third");
});
