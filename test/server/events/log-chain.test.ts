import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { canonical } from "../../../src/contract/canonical.ts";
import { hashOfEvent } from "../../../src/db/log/chain.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";
import {
  brokenAt,
  canonicalJson,
  genesis,
  hashOf,
  type LogEvent,
} from "../../support/log-chain.ts";
import {
  docs,
  eventsOf,
  headOf,
  makeDocs,
  post,
  seatOnDocs,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { tries } from "../../support/tries.ts";

test("writes that change nothing, bookkeeping and refusals append nothing", async () => {
  const world = await startWorld();
  await makeDocs(world, { title: "Docs" });
  const a = await seatOnDocs(world, "a");
  const { admin } = world;
  const { id, seq } = await post(admin, "hello");
  const code = await admin.call("createJoinCode", { ...docs, body: { role: "member" } });
  const revoke = { params: { board: "docs", join_code: code.id } };
  await admin.call("revokeJoinCode", revoke);
  await admin.call("updateBoard", { ...docs, body: { task_prefix: "DOC" } });
  const again = { idempotencyKey: "k" };
  await admin.call("postMessage", { ...docs, body: { body: "once" } }, again);
  const head = await headOf(admin);
  const same = { title: " Docs ", agents_add_people: true, task_prefix: "DOC" };
  await admin.call("updateBoard", { ...docs, body: { ...same, policy: { preset: "starter" } } });
  await admin.call("revokeJoinCode", revoke);
  await admin.call("postMessage", { ...docs, body: { body: "once" } }, again);
  await a.call("removeReaction", { params: { message: id, reaction: "eyes" } });
  await admin.call("setDeliveryMode", {
    params: { board: "docs", member: "a" },
    body: { mode: "focused" },
  });
  await a.call("ackInbox", { body: { up_to: seq } });
  await admin.call("ackBoard", { ...docs, body: { up_to: seq } });
  await a.call("setPresence", { body: { presence: "working", delivery: "off" } });
  await a.call("setLine", { body: { kind: "working", text: "Reading" } });
  await admin.call("setMidturnPolicy", { body: { policy: "owner-only", member_id: a.id } });
  await a.call("setAgentLocation", {
    body: { harness: "codex", session_id: "1", folder: "/docs" },
  });
  const daemon = { session: "codex:1", boot: "1" };
  await a.call("reportDeliveryQueue", { body: { ...daemon, expected_epoch: 0 } });
  await a.call("reportDeliveryQueue", {
    body: { ...daemon, epoch: 1, revision: 1, messages: [{ message_id: id, seq }] },
  });
  await a.send("postMessage", { ...docs, body: { body: "x", to: ["@nobody"] } });
  await a.send("updateBoard", { ...docs, body: { policy: { preset: "starter" } } });
  await a.send("addPerson", { ...docs, body: { handle: "ana" } });
  expect(await headOf(admin)).toBe(head);
});

/** A board whose log holds what one of its agents may not read. */
async function storied() {
  const world = await startWorld();
  await makeDocs(world);
  const a = await seatOnDocs(world, "a");
  const { id } = await post(world.admin, "émoji 🎉 and \u0007 control");
  await a.call("addReaction", { params: { message: id, reaction: "tada" } });
  await setPolicy(world, { visibility: "addressed" });
  await post(world.admin, { body: "to nobody", to: ["@ana"] });
  await post(a, { body: "from a", to: ["@ana"] });
  return { world, a };
}

test("a log is read whole in pages of any size, and verifies against an independent implementation", async () => {
  const { world, a } = await storied();
  const head = await headOf(world.admin);
  for (let limit = 1; limit <= head + 1; limit++)
    for (const reader of [world.admin, a]) {
      const events: LogEvent[] = [];
      for (let after: number | null = 0; after !== null;) {
        const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(after);
        expect([page.board, page.head_seq]).toEqual(["docs", head]);
        events.push(...page.events);
        const last = events.at(-1)!.seq;
        expect(page.next_after).toBe(last < head ? last : null);
        after = page.next_after;
      }
      function pageOf(after: number) {
        return reader.call("listEvents", { ...docs, query: { after, limit } });
      }
      expect(brokenAt(events)).toBeNull();
      expect(events.length).toBe(head);
    }
});

test("what a reader may not see is withheld from the log, with its hashes, type and actor left", async () => {
  const { world, a } = await storied();
  const [whole, partial] = [await eventsOf(world.admin), await eventsOf(a)];
  const withheld = whole.filter(({ seq }) => partial[seq - 1]!.data_withheld);
  expect(withheld.map(({ data }) => data!["body"])).toEqual(["to nobody"]);
  for (const [index, { data, ...rest }] of whole.entries())
    expect(partial[index]!).toEqual(
      withheld.includes(whole[index]!)
        ? { ...rest, data_withheld: true }
        : { ...rest, data: data! },
    );
});

test("a changed, removed or exchanged event breaks the chain at its place", async () => {
  const { world } = await storied();
  const log = await eventsOf(world.admin);
  const changed = (change: (copy: LogEvent[]) => void) => {
    const copy = structuredClone(log);
    change(copy);
    return brokenAt(copy);
  };
  expect(changed((copy) => (copy[3]!.data!["body"] = "forged"))).toEqual({
    seq: 4,
    reason: "data_hash_mismatch",
  });
  expect(changed((copy) => (copy[3]!.actor.name = "bo"))).toEqual({
    seq: 4,
    reason: "hash_mismatch",
  });
  expect(changed((copy) => copy.splice(3, 1))).toEqual({ seq: 4, reason: "seq_gap" });
  expect(changed((copy) => (copy[4]!.prev_hash = genesis))).toEqual({
    seq: 5,
    reason: "prev_hash_mismatch",
  });
});

test("canonical texts and hashes are those that another implementation computed", () => {
  const data = {
    nested: { z: [true, false, -7], A: "" },
    "€": null,
    b: 1,
    a: 'é "quoted" \\ \n\u0007',
  };
  const text =
    '{"a":"é \\"quoted\\" \\\\ \\n\\u0007","b":1,"nested":{"A":"","z":[true,false,-7]},"€":null}';
  expect(canonical(data)).toBe(text);
  const data_hash = "44e1e52d3c6c61898c093bb0df01b19d51eb97be8f2f1527260370509257cfb3";
  expect(hashOf(data)).toBe(`sha256:${data_hash}`);
  const actor = {
    kind: "agent",
    member_id: "mem_01KDVDNA00ABCDEFGHJKMNPQRT",
    name: "writer",
    owner: "ana",
  };
  const header = {
    id: "evt_01KDVDNA008SRS4KVBYSDJVKKX",
    type: "message.posted",
    at: "2026-01-01T00:00:00.000Z",
  } as const;
  const board = "brd_01KDVDNA00ABCDEFGHJKMNPQRS";
  const hash = "c9f10b3e9cd701ed626e244c6bc2dbde45ee36171459d4ba4aa50e23f17ad0b8";
  expect(
    hashOfEvent({ ...header, actor: canonical(actor), data_hash }, board, 3, "0".repeat(64)),
  ).toBe(hash);
  expect(
    hashOf({
      ...header,
      actor,
      board_id: board,
      seq: 3,
      data_hash: `sha256:${data_hash}`,
      prev_hash: genesis,
    }),
  ).toBe(`sha256:${hash}`);
});

test("canonical JSON sorts keys by UTF-16 units and refuses what cannot be hashed", () => {
  expect(canonical({ "\uFB33": 1, "😀": 2, "10": 3, "9": 4, "-0": -0 })).toBe(
    '{"-0":0,"10":3,"9":4,"😀":2,"\uFB33":1}',
  );
  expect(canonical({ absent: undefined, none: null })).toBe('{"none":null}');
  for (const bad of [1.5, NaN, Infinity, 2 ** 53, "\uD800", undefined, [undefined], () => 1])
    expect(() => canonical(bad)).toThrow(TypeError);
});

test("canonical JSON of any value is its own canonical JSON, and as another implementation writes it", () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(null),
      fc.boolean(),
      fc.maxSafeInteger(),
      fc.string({ unit: "binary" }),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: "binary", maxLength: 4 }), tie("value"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(value, (given) => {
      const text = canonical(given);
      expect(text).toBe(canonicalJson(given));
      expect(canonical(JSON.parse(text))).toBe(text);
    }),
    tries(300),
  );
});

test("no secret is anywhere in the log or in any byte of the database's files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "service-secrets-"));
  const world = await startWorld({ file: join(folder, "service.db") });
  await makeDocs(world);
  const { admin } = world;
  const bo = await world.person("bo");
  const { invite } = await admin.call("createServerInvite", {}, { idempotencyKey: "invite" });
  const key = await bo.call("createKey", { body: { name: "k" } }, { idempotencyKey: "key" });
  const seat = await world.seat(admin, "docs", { name: "a" });
  const asked = { ...docs, body: { role: "member" } };
  const { code } = await admin.call("createJoinCode", asked, { idempotencyKey: "code" });
  await admin.call("join", { body: { code, name: "b" } });
  await post(seat, "hello");
  await bo.call("revokeKey", { params: { key: key.id } });

  const secrets = [world.admin.token, bo.token, invite, key.token, seat.token].map((text) =>
    text.slice(4),
  );
  const forms = [
    code,
    ...secrets,
    ...secrets.map((text) => Buffer.from(text, "base64url").toString("latin1")),
    ...secrets.map((text) => Buffer.from(text, "base64url").toString("hex")),
    Buffer.alloc(32, 7).toString("latin1"),
  ];
  const log = JSON.stringify(await eventsOf(admin));
  const search = () => {
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
    expect(files.join("").includes("hello")).toBe(true);
    for (const form of forms)
      expect([...files, log].some((text) => text.includes(form))).toBe(false);
    return readdirSync(folder).sort();
  };
  expect(search()).toContain("service.db-wal");
  world.stop();
  expect(search()).toEqual(["service.db"]);
  rmSync(folder, { recursive: true });
});
