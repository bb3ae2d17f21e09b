import { expect, test } from "bun:test";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { docs } from "../../support/boards/docs-board.ts";
import { newProof, select, startPair } from "../../support/boards/board-with-pairing.ts";
import { cameTo, stored, verdictOf } from "../../support/raw-requests.ts";

const hour = 60 * 60;

/** Docs as for any pair, with an invitation that asks for a session of whoever redeems it. */
async function start(more: { ttl_seconds?: number } = {}) {
  const pair = await startPair(await startWorld());
  const { world, ana, docs: board, scribe } = pair;
  const offer = { initiating_agent_id: scribe.id, work: "Review the draft" };
  const invite = (given: object = {}) =>
    ana.call("createServerInvite", {
      body: { boards: [board.id], pairing: offer, ...more, ...given } as never,
    });
  const made = await invite();
  const request = made.pairing_request_id!;
  const newcomer = { invite: made.invite, handle: "cy", key_name: "laptop" };
  return { ...pair, world, offer, invite, made, request, newcomer };
}

test("an invitation that asks for a pairing makes a request that waits for an account", async () => {
  const { ana, scribe, made, request, read } = await start();
  expect(made).toMatchObject({ pairing_request_id: expect.stringMatching(/^prq_/) });
  const record = await read(ana, request);
  expect(record).toMatchObject({
    state: "awaiting_account",
    awaiting: "both",
    invite_id: made.id,
    work: "Review the draft",
    initiating_agent_id: scribe.id,
    expires_at: "2026-01-02T00:00:00.000Z",
  });
  expect(record).not.toHaveProperty("recipient_id");
  expect(JSON.stringify(record)).not.toContain("abi_");
  const { invites } = await ana.call("listServerInvites");
  expect(invites).toMatchObject([{ id: expect.any(String) }, { pairing_request_id: request }]);
  expect(invites[0]).not.toHaveProperty("pairing_request_id");
});

test("it needs exactly one board, an agent of the inviter's on it, and work that says something", async () => {
  const { world, ana, docs: board, scout, offer, invite } = await start();
  const { id: yard } = await ana.call("createBoard", { body: { name: "yard" } });
  const elsewhere = await world.seat(ana, "yard");
  const before = await stored(world);
  for (const [given, verdict] of [
    [{ boards: [] }, "422 invalid_request"],
    [{ boards: undefined }, "422 invalid_request"],
    [{ boards: [board.id, yard] }, "422 invalid_request"],
    [{ pairing: { ...offer, work: " " } }, "422 invalid_request"],
    [{ pairing: { ...offer, work: "" } }, "400 invalid_request"],
    [{ pairing: { ...offer, initiating_agent_id: scout.id } }, "403 agent_owner_required"],
    [{ pairing: { ...offer, initiating_agent_id: elsewhere.id } }, "404 agent_not_found"],
    [{ boards: [`brd_${"0".repeat(26)}`] }, "404 board_not_found"],
  ] as const)
    expect([given, await verdictOf(invite(given))]).toEqual([given, verdict]);
  expect(await stored(world)).toEqual(before);
});

test("whoever redeems it is the recipient, and their receipt names the request", async () => {
  const { world, ana, scribe, request, newcomer, read, params } = await start();
  const client_token = newProof().replace("abp_", "abh_");
  const { data } = await world.as().send("connect", { body: { ...newcomer, client_token } });
  const cy = world.as(client_token);
  expect(data).toMatchObject({ onboarding: { pairing_request_id: request } });
  expect(await cy.call("getOnboardingReceipt")).toMatchObject({ pairing_request_id: request });
  const { id } = await cy.call("getMe");
  expect(await read(cy, request)).toMatchObject({
    state: "awaiting_session",
    recipient_id: id,
    next: {
      command: `service invite --board docs --server ${world.url}`,
      resume: expect.stringContaining("own terminal"),
    },
  });
  const seat = await world.seat(cy, "docs", { name: "desk" });
  expect((await read(ana, request)).state).toBe("awaiting_endpoint");
  await select(world, ana, request, "initiator", scribe.id);
  const session = await select(world, cy, request, "recipient", seat.id);
  const accepted = await session.call("acceptPairingRequest", {
    ...params(request),
    body: { agent_id: seat.id, generation: 1 },
  });
  expect(accepted.state).toBe("verifying");
});

test("the receipt leaves the request out once its reader does not see it", async () => {
  const { world, ana, newcomer } = await start();
  const client_token = newProof().replace("abp_", "abh_");
  await world.as().call("connect", { body: { ...newcomer, client_token } });
  await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
  await ana.call("removePerson", { params: { board: "docs", handle: "cy" } });
  const receipt = await world.as(client_token).call("getOnboardingReceipt");
  expect(receipt).toMatchObject({ boards: [] });
  expect(receipt).not.toHaveProperty("pairing_request_id");
});

test("revoking the invitation cancels the request, and cancelling the request leaves the invitation", async () => {
  const { world, ana, made, request, invite, newcomer, params, stateOf } = await start();
  await ana.call("revokeServerInvite", { params: { invite: made.id } });
  expect(await stateOf(ana, request)).toBe("cancelled");
  expect(await verdictOf(world.connect(newcomer))).toBe("404 invite_invalid");

  const other = await invite();
  await ana.call("cancelPairingRequest", params(other.pairing_request_id!));
  const { person } = await world.connect({ ...newcomer, invite: other.invite });
  const record = await ana.call("getPairingRequest", params(other.pairing_request_id!));
  expect(record.state).toBe("cancelled");
  expect(record.recipient_id).not.toBe(person.id);
});

test("the request is over with its invitation, and after 24 hours though that lasts on", async () => {
  const brief = await start({ ttl_seconds: hour });
  expect((await brief.read(brief.ana, brief.request)).expires_at).toBe(brief.made.expires_at);
  brief.world.pass(hour);
  expect(await brief.stateOf(brief.ana, brief.request)).toBe("expired");

  const { world, ana, request, newcomer, stateOf } = await start();
  world.pass(24 * hour);
  expect(await stateOf(ana, request)).toBe("expired");
  const { key } = await world.connect(newcomer);
  const cy = world.as(key.token);
  expect((await cy.call("listPairingRequests")).requests).toEqual([]);
  expect((await cy.call("getBoard", docs)).on_board).toBe(true);
});

test("a refused redemption leaves both as they were", async () => {
  const { world, ana, request, newcomer, stateOf } = await start();
  expect(await verdictOf(world.connect({ ...newcomer, handle: "bo" }))).toBe("409 handle_taken");
  expect(await stateOf(ana, request)).toBe("awaiting_account");
  await world.connect(newcomer);
  expect(await stateOf(ana, request)).toBe("awaiting_session");
});

test("the end of the initiating agent cancels the request, and the newcomer comes onto the board all the same", async () => {
  const { world, ana, scribe, request, newcomer, stateOf } = await start();
  await scribe.call("leaveAsAgent");
  expect(await stateOf(ana, request)).toBe("cancelled");
  const { key } = await world.connect(newcomer);
  expect((await world.as(key.token).call("getBoard", docs)).on_board).toBe(true);
  expect((await world.as(key.token).call("listPairingRequests")).requests).toEqual([]);
});

test("before somebody redeems it the inviter alone is its side, who can select and cancel", async () => {
  const { world, ana, bo, scribe, scout, request, params, stateOf } = await start();
  expect(await verdictOf(ana.call("declinePairingRequest", params(request)))).toBe("403 forbidden");
  expect(await verdictOf(bo.call("declinePairingRequest", params(request)))).toBe(
    "404 pairing_not_found",
  );
  expect(await verdictOf(select(world, bo, request, "recipient", scout.id))).toBe(
    "404 pairing_not_found",
  );
  await select(world, ana, request, "initiator", scribe.id);
  expect(await stateOf(ana, request)).toBe("awaiting_account");
  expect(await cameTo(ana.send("cancelPairingRequest", params(request)))).toBe("200");
});
