import { expect, test } from "bun:test";
import {
  digestsOf,
  extend as extendBy,
  genesis,
  type Chain,
  type Fault,
} from "../../src/client/verify.ts";
import { canonical } from "../../src/contract/canonical.ts";

const sha256 = (value: unknown) =>
  `sha256:${Bun.CryptoHasher.hash("sha256", canonical(value), "hex")}`;
const actor = { kind: "human" as const, member_id: null, name: "ada", owner: null };

/** An event that follows a chain, sealed as `events.md` says. */
function sealed(chain: Chain, data: Record<string, unknown>, type = "board.titled") {
  const header = {
    id: "evt_1",
    board_id: "brd_1",
    seq: chain.seq + 1,
    type,
    at: "2026-01-01T00:00:00.000Z",
    actor,
    data_hash: sha256(data),
    prev_hash: chain.hash,
  };
  return { ...header, hash: sha256(header), data };
}
type Sealed = ReturnType<typeof sealed>;
const hashedByBun = (text: string) => Bun.CryptoHasher.hash("sha256", text, "hex");
const extend = async (chain: Chain, event: unknown): Promise<Chain | Fault> =>
  extendBy(chain, event as Sealed, await digestsOf(event as Sealed, hashedByBun));

const first = sealed(genesis, { before: null, after: "é 漢 🎉" });
const one = (await extend(genesis, first)) as Chain;
const second = sealed(one, { before: "a", after: null });

test("events that follow each other make a longer chain", async () => {
  expect(one).toEqual({ seq: 1, hash: first.hash, checked: 1, withheld: 0 });
  expect(await extend(one, second)).toEqual({ seq: 2, hash: second.hash, checked: 2, withheld: 0 });
});

test("the order of keys on the way does not matter", async () => {
  const { data, ...rest } = second;
  const turned = Object.fromEntries(Object.entries({ data, ...rest }).reverse());
  const turnedActor = { owner: null, name: "ada", member_id: null, kind: "human" };
  expect(await extend(one, { ...turned, actor: turnedActor })).toMatchObject({
    seq: 2,
  });
});

test("an event of an unknown type and with unknown properties is checked like any other", async () => {
  const later = { ...sealed(one, { anything: [1, true, {}] }, "moon.rose"), shown: "elsewhere" };
  expect(await extend(one, later)).toMatchObject({ seq: 2, checked: 2 });
});

test("withheld data is counted, and the chain goes on over it", async () => {
  const { data: _, ...withheld } = second;
  const two = (await extend(one, { ...withheld, data_withheld: true })) as Chain;
  expect(two).toEqual({ seq: 2, hash: second.hash, checked: 2, withheld: 1 });
  expect(await extend(two, sealed(two, {}))).toMatchObject({ seq: 3, withheld: 1 });
});

test.each([
  ["a missing event", { ...second, seq: 3, prev_hash: "sha256:x" }, "seq_gap"],
  ["another past", { ...second, prev_hash: genesis.hash, hash: "sha256:x" }, "prev_hash_mismatch"],
  ["a changed header", { ...second, type: "board.created", data: {} }, "hash_mismatch"],
  ["a changed actor", { ...second, actor: { ...actor, name: "eve" } }, "hash_mismatch"],
  ["a changed time", { ...second, at: "2026-01-01T00:00:00.001Z" }, "hash_mismatch"],
  ["a changed hash of the data", { ...second, data_hash: sha256({}) }, "hash_mismatch"],
  ["changed data", { ...second, data: { before: "a", after: "b" } }, "data_hash_mismatch"],
  ["null left out", { ...second, data: { before: "a" } }, "data_hash_mismatch"],
  ["data that no log holds", { ...second, data: { before: 0.5 } }, "data_hash_mismatch"],
  ["a header that no log holds", { ...second, type: "\ud800" }, "hash_mismatch"],
])("%s is found, the first reason in the order of checks", async (_, event, reason) => {
  expect(await extend(one, event)).toBe(reason as "seq_gap");
});

test("a digest that answers later, as a browser's, gives the same hashes", async () => {
  const hashedBySubtle = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
  expect(await digestsOf(second, hashedBySubtle)).toEqual(await digestsOf(second, hashedByBun));
  expect(extendBy(one, second, await digestsOf(second, hashedBySubtle))).toMatchObject({ seq: 2 });
});
