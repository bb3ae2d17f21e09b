import { expect, test } from "bun:test";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { docs, personOnDocs } from "../../support/boards/docs-board.ts";
import {
  select,
  selection,
  startPair,
  type Pair,
} from "../../support/boards/board-with-pairing.ts";
import { verdictOf } from "../../support/raw-requests.ts";

const start = async () => startPair(await startWorld());

test.each([
  ["its person removes it", (pair: Pair) => pair.ana.call("removeAgent", member("scribe"))],
  ["it leaves", (pair: Pair) => pair.scribe.call("leaveAsAgent")],
  ["its person leaves the board", (pair: Pair) => leave(pair)],
  [
    "it is pruned",
    async ({ world, ana, scribe }: Pair) => {
      await scribe.call("setPresence", { body: { presence: "no_session" } });
      world.pass(2 * 60 * 60);
      const body = { disconnected_for: 3600, dry_run: false, agents: [scribe.id] };
      await ana.call("pruneAgents", { body });
    },
  ],
] as const)(
  "when the initiating agent ends because %s, its requests are cancelled",
  async (_, end) => {
    const pair = await start();
    const { world, bo, scout, accepted, read, params } = pair;
    const { id, initiator, recipient } = await accepted();
    await end(pair);
    expect(await read(bo, id)).toMatchObject({ state: "cancelled", generation: 1 });
    for (const session of [initiator, recipient])
      expect(await verdictOf(read(session, id))).toBe("401 unauthorized");
    expect(await verdictOf(select(world, bo, id, "recipient", scout.id))).toBe(
      "409 pairing_closed",
    );
    expect(await verdictOf(bo.call("declinePairingRequest", params(id)))).toBe(
      "409 pairing_closed",
    );
    // It does not become another end when its time is over.
    world.pass(2 * 24 * 60 * 60);
    expect((await read(bo, id)).state).toBe("cancelled");
  },
);

const member = (name: string) => ({ params: { board: "docs", member: name } });
async function leave({ ana }: Pair) {
  await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
  await ana.call("leaveBoard", docs);
}

test("an end that comes after the request's own changes nothing of that", async () => {
  const { world, bo, scribe, ask, stateOf, params } = await start();
  const [one, two] = [await ask(), await ask()];
  await bo.call("declinePairingRequest", params(one.id));
  world.pass(24 * 60 * 60);
  await scribe.call("leaveAsAgent");
  expect(await stateOf(bo, one.id)).toBe("declined");
  expect(await stateOf(bo, two.id)).toBe("expired");
});

test("when the recipient's agent ends, another one is selected in a new generation", async () => {
  const { world, ana, bo, scribe, scout, accepted, exchange, verify, read } = await start();
  const { id, initiator } = await accepted();
  await verify(initiator, id, "initiator", await exchange(scribe, scout));
  const second = await world.seat(bo, "docs", { name: "second" });
  await scout.call("leaveAsAgent");
  expect(await read(ana, id)).toMatchObject({
    state: "awaiting_endpoint",
    generation: 1,
    awaiting: "recipient",
  });
  const { made } = await select(world, bo, id, "recipient", second.id);
  expect(made.request).toMatchObject({ generation: 2, awaiting: "both" });
  expect(await verdictOf(read(initiator, id))).toBe("401 unauthorized");
  await select(world, ana, id, "initiator", scribe.id, { generation: 2 });
});

test("when the recipient is off the board, the request waits, unseen by them, and goes on when they are back", async () => {
  const { world, ana, bo, accepted, stateOf, read } = await start();
  const { id } = await accepted();
  await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
  await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
  expect(await stateOf(ana, id)).toBe("awaiting_session");
  expect(await verdictOf(read(bo, id))).toBe("404 pairing_not_found");
  await ana.call("addPerson", { ...docs, body: { handle: "bo" } });
  const back = await world.seat(bo, "docs", { name: "back" });
  const { made } = await select(world, bo, id, "recipient", back.id);
  expect(made.endpoint.generation).toBe(2);
});

test("when the recipient is removed from the server, the request is cancelled", async () => {
  const { ana, ask, stateOf } = await start();
  const { id } = await ask();
  await ana.call("removeFromServer", { params: { handle: "bo" } });
  expect(await stateOf(ana, id)).toBe("cancelled");
});

test("when the inviter is removed from the server, nothing is left but for the recipient to see", async () => {
  const pair = await start();
  const { world, ana, bo, docs: board, scout } = pair;
  const cy = await personOnDocs(world, "cy");
  const desk = await world.seat(cy, "docs", { name: "desk" });
  const { id } = await cy.call("createPairingRequest", {
    body: {
      board_id: board.id,
      recipient_id: bo.id,
      initiating_agent_id: desk.id,
      work: "x",
    },
  });
  const recipient = await select(world, bo, id, "recipient", scout.id);
  await ana.call("removeFromServer", { params: { handle: "cy" } });
  expect(await pair.read(bo, id)).toMatchObject({ state: "cancelled" });
  expect(await verdictOf(pair.read(recipient, id))).toBe("401 unauthorized");
});

test("an archived board keeps its requests, and a deleted one takes them along", async () => {
  const { ana, bo, accepted, read, stateOf } = await start();
  const { id, initiator } = await accepted();
  await ana.call("archiveBoard", docs);
  expect(await stateOf(bo, id)).toBe("verifying");
  expect((await read(initiator, id)).id).toBe(id);
  await ana.call("deleteBoard", docs);
  for (const client of [ana, bo])
    expect(await verdictOf(read(client, id))).toBe("404 pairing_not_found");
  expect((await ana.call("listPairingRequests")).requests).toEqual([]);
  expect(await verdictOf(read(initiator, id))).toBe("401 unauthorized");
});

test("a session that is selected at the moment of an end is not paired afterwards", async () => {
  const ends: [string, (pair: Pair, id: string, other: Pair["bo"]) => Promise<unknown>][] = [
    ["its key", ({ bo }, _, other) => other.call("revokeKey", { params: { key: bo.keyId } })],
    ["its request", ({ ana, params }, id) => ana.call("cancelPairingRequest", params(id))],
    ["its seat", ({ ana }) => ana.call("removeAgent", member("scout"))],
    ["its person", ({ ana }) => ana.call("removeFromServer", { params: { handle: "bo" } })],
  ];
  for (const [what, end] of ends) {
    const pair = await start();
    const { world, bo, scout, ask } = pair;
    const { token } = await bo.call("createKey", { body: { name: "other" } });
    const { id } = await ask();
    const body = selection(id, "recipient", scout.id);
    const [, { status }] = await Promise.all([
      end(pair, id, { ...bo, ...world.as(token) }),
      bo.send("createPairingCredential", { body }),
    ]);
    // Which of them came first is not said, and does not matter.
    expect([what, [200, 401, 404, 409].includes(status)]).toEqual([what, true]);
    const session = world.as(body.client_token);
    expect(await verdictOf(session.call("getPairingRequest", pair.params(id)))).toBe(
      "401 unauthorized",
    );
  }
});

test("of a redemption and a cancellation at the same moment one comes first, and both say so", async () => {
  const { world, ana, docs: board, scribe, params, read } = await start();
  const { invite, pairing_request_id: id } = await ana.call("createServerInvite", {
    body: { boards: [board.id], pairing: { initiating_agent_id: scribe.id, work: "x" } },
  });
  const [{ key, person }] = await Promise.all([
    world.connect({ invite, handle: "cy", key_name: "box" }),
    ana.call("cancelPairingRequest", params(id!)),
  ]);
  const { state, recipient_id } = await read(ana, id!);
  expect(state).toBe("cancelled");
  // Who redeemed it first is its recipient, and sees that; else nobody is.
  const { requests } = await world.as(key.token).call("listPairingRequests");
  expect(requests.map((each) => each.state)).toEqual(recipient_id ? ["cancelled"] : []);
  expect([undefined, person.id]).toContain(recipient_id);
});
