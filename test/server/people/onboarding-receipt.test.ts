import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Given } from "../../../src/client/client.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";
import { docs, makeDocs } from "../../support/boards/docs-board.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";
import { delegate, browserOf } from "../../support/other-callers.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const day = 24 * 60 * 60;
/** A key as a client makes it. */
const ownKey = () =>
  `abh_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;
type Body = Partial<NonNullable<Given<"connect">["body"]>>;
const redeem = (world: World, invite: string, body: Body = {}) =>
  world.as().send("connect", { body: { invite, handle: "bo", key_name: "laptop", ...body } });
const receipt = (world: World, token: string) => world.as(token).call("getOnboardingReceipt");
const outcome = async (answer: ReturnType<typeof redeem>) => {
  const { status, data } = await answer;
  return "error" in data ? `${status} ${data.error.code}` : String(status);
};

test("a client that makes its key is answered with the receipt, and never with the key", async () => {
  const { world, made } = await start();
  const { id: board } = await makeDocs(world);
  const { id, invite } = await made([board]);
  const token = ownKey();
  const { status, data } = await redeem(world, invite, { client_token: token });
  const { person, key, server_id } = data as {
    person: { id: string };
    key: { id: string };
    server_id: string;
  };
  expect([status, data]).toEqual([
    200,
    {
      server_id,
      person: expect.objectContaining({ handle: "bo", server_role: "member" }),
      key: {
        id: key.id,
        name: "laptop",
        created_at: world.clock.now.toISOString(),
        expires_at: world.at(90 * day),
        idle_expiry_seconds: 90 * day,
      },
      onboarding: {
        server_id,
        person_id: person.id,
        key_id: key.id,
        invite_id: id,
        handle: "bo",
        boards: [board],
      },
    } as never,
  ]);
  const bo = world.as(token);
  expect((await bo.call("getMe")).id).toBe(person.id);
  expect(await receipt(world, token)).toEqual(
    (data as { onboarding: Awaited<ReturnType<typeof receipt>> }).onboarding,
  );
  expect((await bo.call("listBoards")).boards.map(({ name }) => name)).toEqual(["docs"]);
  for (const seen of [data, await stored(world), await bo.call("listKeys")])
    expect(JSON.stringify(seen)).not.toContain(token.slice(4));
});

test("a key that the server made has a receipt as well", async () => {
  const { world, made } = await start();
  const { id, invite } = await made();
  const { person, key, server_id } = await world.connect({ invite, handle: "bo", key_name: "x" });
  expect(await receipt(world, key.token)).toEqual({
    server_id,
    person_id: person.id,
    key_id: key.id,
    invite_id: id,
    handle: "bo",
    boards: [],
  });
});

test("after a lost answer the saved key tells that the account was made, and a repeat makes none", async () => {
  const { world, made } = await start();
  const { invite } = await made();
  const client_token = ownKey();
  expect(await verdictOf(receipt(world, client_token))).toBe("401 unauthorized");
  await redeem(world, invite, { client_token });
  const first = await receipt(world, client_token);
  const before = await stored(world);
  const again = { client_token };
  expect(await outcome(redeem(world, invite, again))).toBe("404 invite_invalid");
  expect(await outcome(redeem(world, invite, { ...again, handle: "bo-2" }))).toBe(
    "404 invite_invalid",
  );
  expect(await stored(world)).toEqual(before);
  expect(await receipt(world, client_token)).toEqual(first);
});

test("a spent invitation answers like a wrong one, whatever key comes with it", async () => {
  const { world, made } = await start();
  const { invite } = await made();
  const client_token = ownKey();
  await redeem(world, invite, { client_token });
  const texts = [];
  for (const secret of [invite, `abi_${"x".repeat(43)}`])
    for (const token of [client_token, ownKey(), undefined])
      texts.push(
        JSON.stringify(
          (await redeem(world, secret, { handle: "cy", ...(token && { client_token: token }) }))
            .data,
        ),
      );
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain("invite_invalid");
});

test("a key that the server knows already is no new one, and the invitation stays unused", async () => {
  const { world, ana, made } = await start();
  const { invite } = await made();
  const { id, token: revoked } = await ana.call("createKey", { body: { name: "lost" } });
  await ana.call("revokeKey", { params: { key: id } });
  await world.db.write(() => null);
  const before = await stored(world);
  for (const client_token of [ana.token, revoked])
    expect(await outcome(redeem(world, invite, { client_token }))).toBe("422 invalid_request");
  expect(await stored(world)).toEqual(before);
  expect(await outcome(redeem(world, invite, { client_token: ownKey() }))).toBe("200");
});

test("a refused redemption makes nothing, and its key is none", async () => {
  const { world, made } = await start();
  const { invite } = await made();
  const client_token = ownKey();
  const before = await stored(world);
  for (const [body, verdict] of [
    [{ handle: "ana" }, "409 handle_taken"],
    [{ handle: "Bo" }, "422 handle_invalid"],
    [{ display_name: "a\nb" }, "422 invalid_request"],
    [{ client_token: "abh_short" }, "400 invalid_request"],
    [{ client_token: client_token.replace("abh_", "aba_") }, "400 invalid_request"],
    [{ client_token: `${client_token}=` }, "400 invalid_request"],
  ] as const)
    expect(await outcome(redeem(world, invite, { client_token, ...body }))).toBe(verdict);
  expect(await stored(world)).toEqual(before);
  expect(await verdictOf(receipt(world, client_token))).toBe("401 unauthorized");
  expect(await outcome(redeem(world, invite, { client_token }))).toBe("200");
});

test("of several redemptions at the same moment one makes an account: one invitation, or one key", async () => {
  const { world, ana, made } = await start();
  const [one, other] = [await made(), await made()];
  const client_token = ownKey();
  const verdicts = await Promise.all([
    outcome(redeem(world, one.invite, { client_token })),
    outcome(redeem(world, one.invite, { client_token, handle: "cy" })),
    outcome(redeem(world, one.invite, { client_token: ownKey(), handle: "dee" })),
    outcome(redeem(world, other.invite, { client_token, handle: "eve" })),
  ]);
  expect(verdicts.toSorted()).toEqual([
    "200",
    "404 invite_invalid",
    "404 invite_invalid",
    "422 invalid_request",
  ]);
  expect((await ana.call("listServerPeople")) as object).toMatchObject({ people: [{}, {}] });
  const unused = verdicts[3] === "200" ? one : other;
  expect(await outcome(redeem(world, unused.invite, { handle: "last" }))).toBe("201");
});

test("only the key that redeemed an invitation has a receipt", async () => {
  const { world, ana, made } = await start();
  const { invite } = await made();
  const client_token = ownKey();
  await redeem(world, invite, { client_token });
  const { token } = await world.as(client_token).call("createKey", { body: { name: "phone" } });
  for (const other of [token, ana.token]) {
    const refused = await refusalOf(receipt(world, other));
    expect(refused).toMatchObject({ status: 404, code: "not_found" });
    expect(refused.hint).toContain("does not say that the invitation is unused");
  }
});

test("a browser, an agent and a delegation of that key get no receipt", async () => {
  const { world, made } = await start();
  const { id: board } = await makeDocs(world);
  const { invite } = await made([board]);
  const client_token = ownKey();
  await redeem(world, invite, { client_token });
  const agent = await world.seat(world.as(client_token), "docs");
  for (const token of [agent.token, await browserOf(world, client_token)])
    expect(await refusalOf(receipt(world, token))).toMatchObject({
      code: "human_token_required",
      next: { command: `service api getOnboardingReceipt --server ${world.url}` },
    });
  expect(await verdictOf(receipt(world, await delegate(world, client_token)))).toBe(
    "403 forbidden",
  );
});

test("boards that the person does not see any more are left out, and nothing is made again", async () => {
  const { world, ana, made } = await start();
  const { id: docsId } = await makeDocs(world, { visibility: "private" });
  const { id: plaza } = await ana.call("createBoard", { body: { name: "plaza" } });
  const { id: gone } = await ana.call("createBoard", { body: { name: "gone" } });
  const { invite } = await made([docsId, plaza, gone]);
  const client_token = ownKey();
  await redeem(world, invite, { client_token });
  const boards = async () => (await receipt(world, client_token)).boards;
  expect(await boards()).toEqual([docsId, plaza, gone]);
  for (const operation of ["archiveBoard", "deleteBoard"] as const)
    await ana.call(operation, { params: { board: "gone" } });
  expect(await boards()).toEqual([docsId, plaza]);
  for (const board of ["docs", "plaza"])
    await ana.call("removePerson", { params: { board, handle: "bo" } });
  expect(await boards()).toEqual([plaza]);
  await ana.call("setVisibility", { params: { board: "plaza" }, body: { visibility: "private" } });
  expect(await boards()).toEqual([]);
  expect((await ana.call("listPeople", docs)).people.map(({ handle }) => handle)).toEqual(["ana"]);
});

test("the receipt tells the handle of then, and ends with its key", async () => {
  const { world, made } = await start();
  const { invite } = await made();
  const client_token = ownKey();
  await redeem(world, invite, { client_token });
  const bo = world.as(client_token);
  await bo.call("renamePerson", { params: { handle: "bo" }, body: { handle: "rob" } });
  const { handle, key_id } = await receipt(world, client_token);
  expect(handle).toBe("bo");
  await bo.call("revokeKey", { params: { key: key_id } });
  expect(await verdictOf(receipt(world, client_token))).toBe("401 unauthorized");
});

test("a receipt outlives a restart of the server", async () => {
  const file = join(temporaryFolder(), "board.db");
  const first = await startWorld({ file });
  const { invite } = await first.admin.call("createServerInvite");
  const client_token = ownKey();
  await redeem(first, invite, { client_token });
  const before = await receipt(first, client_token);
  first.stop();
  const second = await startWorld({ file });
  expect(await receipt(second, client_token)).toEqual(before);
  expect(await outcome(redeem(second, invite, { client_token }))).toBe("404 invite_invalid");
});

test("a client that sends no JSON is told so before the invitation is looked at", async () => {
  const { world, made } = await start();
  const { invite } = await made();
  const { verdict } = await ask(world, "POST /v1/connect", { body: `{"invite":"${invite}"` });
  expect(verdict).toBe("400 invalid_request");
  expect(await outcome(redeem(world, invite))).toBe("201");
});

async function start() {
  const world = await startWorld();
  const made = (boards: string[] = []) =>
    world.admin.call("createServerInvite", { body: { ...(boards.length && { boards }) } });
  return { world, ana: world.admin, made };
}
