import { describe, expect, test } from "bun:test";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { select, startPair, type Pair } from "../../support/boards/board-with-pairing.ts";
import { stored, verdictOf } from "../../support/raw-requests.ts";

const start = async () => startPair(await startWorld());

/** Accepts as a session of the recipient. */
const accept = (
  { params, scout }: Pair,
  { id, recipient }: Awaited<ReturnType<Pair["selected"]>>,
  body: { agent_id?: string; generation?: number } = {},
) =>
  recipient.call("acceptPairingRequest", {
    ...params(id),
    body: { agent_id: scout.id, generation: 1, ...body },
  });

describe("accepting", () => {
  test("is the recipient's session's, and then both sides have to show their direction", async () => {
    const pair = await start();
    const selected = await pair.selected();
    expect(await pair.read(pair.bo, selected.id)).toMatchObject({
      state: "awaiting_endpoint",
      awaiting: "recipient",
      next: { command: expect.stringMatching(/^service pairing accept prq_\w+ --here --server /) },
    });
    const accepted = await accept(pair, selected);
    expect(accepted).toMatchObject({
      state: "verifying",
      awaiting: "both",
      generation: 1,
      next: { command: expect.stringMatching(/^service pairing show prq_/) },
    });
    const before = await stored(pair.world);
    expect(await accept(pair, selected)).toEqual(accepted);
    expect(await stored(pair.world)).toEqual(before);
  });

  test("names the credential's own agent and generation, and changes nothing otherwise", async () => {
    const pair = await start();
    const selected = await pair.selected();
    const before = await stored(pair.world);
    for (const body of [{ agent_id: pair.scribe.id }, { generation: 2 }])
      expect(await verdictOf(accept(pair, selected, body))).toBe("409 pairing_changed");
    const { id, initiator: recipient } = selected;
    expect(await verdictOf(accept(pair, { ...selected, recipient }))).toBe("403 forbidden");
    expect(await stored(pair.world)).toEqual(before);
    expect(await pair.stateOf(pair.ana, id)).toBe("awaiting_endpoint");
  });

  test("is nobody's with a key, an agent's token or a browser, and not of another request", async () => {
    const pair = await start();
    const [one, two] = [await pair.selected(), await pair.selected()];
    for (const client of [pair.bo, pair.scout])
      expect(await verdictOf(accept(pair, { ...one, recipient: client as never }))).toBe(
        "403 forbidden",
      );
    expect(await verdictOf(accept(pair, { ...one, recipient: two.recipient }))).toBe(
      "404 pairing_not_found",
    );
  });

  test("does not wait for the inviter's session, and is refused on an archived board", async () => {
    const pair = await start();
    const { ana, bo, scribe, scout, world, ask, params } = pair;
    const { id } = await ask();
    const recipient = await select(world, bo, id, "recipient", scout.id);
    const body = { agent_id: scout.id, generation: 1 };
    await ana.call("archiveBoard", docs);
    const call = () => recipient.call("acceptPairingRequest", { ...params(id), body });
    expect(await verdictOf(call())).toBe("409 board_archived");
    await ana.call("restoreBoard", docs);
    expect(await call()).toMatchObject({ state: "awaiting_endpoint", awaiting: "initiator" });
    const { made } = await select(world, ana, id, "initiator", scribe.id);
    expect(made.request.state).toBe("verifying");
  });
});

describe("verifying", () => {
  test("both directions, each told by its own side, make the request ready", async () => {
    const pair = await start();
    const { world, ana, bo, scribe, scout, exchange, verify, read } = pair;
    const { id, initiator, recipient } = await pair.accepted();
    const one = await verify(initiator, id, "initiator", await exchange(scribe, scout));
    expect(one).toMatchObject({ state: "verifying", awaiting: "recipient" });
    const two = await verify(recipient, id, "recipient", await exchange(scout, scribe));
    expect(two.state).toBe("ready");
    for (const gone of ["awaiting", "next"]) expect(two).not.toHaveProperty(gone);
    for (const client of [ana, bo, scribe, scout, initiator, recipient])
      expect(await read(client, id)).toMatchObject({ state: "ready", generation: 1 });
    world.pass(2 * 24 * 60 * 60);
    expect((await read(ana, id)).state).toBe("ready");
  });

  test("what is ready stays so: it is neither ended nor begun anew, and told again changes nothing", async () => {
    const pair = await start();
    const { world, ana, bo, scribe, scout, exchange, verify, params } = pair;
    const { id, initiator, recipient } = await pair.accepted();
    const seqs = await exchange(scribe, scout);
    await verify(initiator, id, "initiator", seqs);
    await verify(recipient, id, "recipient", await exchange(scout, scribe));
    const before = await stored(world);
    expect((await verify(initiator, id, "initiator", seqs)).state).toBe("ready");
    expect((await accept(pair, { id, initiator, recipient })).state).toBe("ready");
    expect(await verdictOf(bo.call("declinePairingRequest", params(id)))).toBe(
      "409 pairing_closed",
    );
    expect(await verdictOf(ana.call("cancelPairingRequest", params(id)))).toBe(
      "409 pairing_closed",
    );
    const replacing = { session: "other", replace: true };
    expect(await verdictOf(select(world, ana, id, "initiator", scribe.id, replacing))).toBe(
      "409 pairing_closed",
    );
    expect(await stored(world)).toEqual(before);
    await scout.call("leaveAsAgent");
    expect(await pair.stateOf(ana, id)).toBe("ready");
  });

  test("needs both sides selected and the recipient's acceptance", async () => {
    const pair = await start();
    const { id, initiator } = await pair.selected();
    const seqs = await pair.exchange(pair.scribe, pair.scout);
    expect(await verdictOf(pair.verify(initiator, id, "initiator", seqs))).toBe(
      "409 pairing_changed",
    );
  });

  test("takes a message to the other agent alone and that agent's direct reply alone, and nothing like it", async () => {
    const pair = await start();
    const { world, ana, scribe, scout, exchange, told, params } = pair;
    const second = await world.seat(ana, "docs", { name: "second" });
    const { id, initiator } = await pair.accepted();
    const good = await exchange(scribe, scout);
    const say = (client: typeof scribe, body: { to: string[]; reply_to?: string }) =>
      post(client, { body: "x", ...body });
    const ping = await say(scribe, { to: ["@scout"] });
    const wide = await say(scribe, { to: ["@scout", "@second"] });
    const byRole = await say(scribe, { to: ["owner:bo"] });
    const toAll = await say(scribe, { to: ["all"] });
    const others = await say(second, { to: ["@scout"] });
    const reply = (to: { id: string }, client = scout, targets = ["@scribe"]) =>
      say(client, { to: targets, reply_to: to.id });
    const cases: [what: string, ping: number, reply: number][] = [
      ["a ping that is none", 1, good.reply_seq],
      ["a ping that is not there", 4_000_000_000, good.reply_seq],
      ["the start of the log", 0, good.reply_seq],
      ["a ping to two", wide.seq, (await reply(wide)).seq],
      ["a ping to the other's person's agents", byRole.seq, (await reply(byRole)).seq],
      ["a ping to everybody", toAll.seq, (await reply(toAll)).seq],
      ["a ping of another agent", others.seq, (await reply(others)).seq],
      ["a reply to another message", ping.seq, good.reply_seq],
      ["a reply of another agent", ping.seq, (await reply(ping, second)).seq],
      ["a reply to everybody", ping.seq, (await reply(ping, scout, ["all"])).seq],
      ["a reply to two", ping.seq, (await reply(ping, scout, ["@scribe", "@second"])).seq],
      ["no reply but a message", ping.seq, (await say(scout, { to: ["@scribe"] })).seq],
      ["its own message for the reply", ping.seq, (await say(scribe, { to: ["@scout"] })).seq],
      ["the two exchanged", good.reply_seq, good.ping_seq],
    ];
    const before = await stored(world);
    for (const [what, ping_seq, reply_seq] of cases) {
      const body = told("initiator", { ping_seq, reply_seq });
      const call = initiator.call("verifyPairingRoundTrip", { ...params(id), body });
      expect([what, await verdictOf(call)]).toEqual([what, "422 invalid_request"]);
    }
    expect(await stored(world)).toEqual(before);
    // Who reports a message is looked at, and so is on which side.
    const wrongSide = told("recipient", good);
    expect(
      await verdictOf(initiator.call("verifyPairingRoundTrip", { ...params(id), body: wrongSide })),
    ).toBe("422 invalid_request");
    expect((await pair.verify(initiator, id, "initiator", good)).awaiting).toBe("recipient");
  });

  test("knows no message of another board", async () => {
    const pair = await start();
    const { world, ana, bo, scribe, scout } = pair;
    await ana.call("createBoard", { body: { name: "yard" } });
    await ana.call("addPerson", { params: { board: "yard" }, body: { handle: "bo" } });
    const { id, initiator } = await pair.accepted();
    const there = {
      one: await world.seat(ana, "yard", { name: "scribe" }),
      two: await world.seat(bo, "yard", { name: "scout" }),
    };
    const yard = { params: { board: "yard" } };
    for (let i = 0; i < 20; i++)
      await there.one.call("postMessage", { ...yard, body: { body: "x", to: ["@scout"] } });
    const ping = await there.one.call("postMessage", {
      ...yard,
      body: { body: "ping", to: ["@scout"] },
    });
    const reply = await there.two.call("postMessage", {
      ...yard,
      body: { body: "pong", reply_to: ping.id },
    });
    const seqs = { ping_seq: ping.seq, reply_seq: reply.seq };
    expect(await verdictOf(pair.verify(initiator, id, "initiator", seqs))).toBe(
      "422 invalid_request",
    );
    expect([scribe.name, scout.name]).toEqual([there.one.name, there.two.name]);
  });

  test("takes nothing from before the sessions of its generation were selected", async () => {
    const pair = await start();
    const { world, bo, scribe, scout, exchange, verify, params } = pair;
    const early = await exchange(scribe, scout);
    const { id, initiator } = await pair.accepted();
    expect(await verdictOf(verify(initiator, id, "initiator", early))).toBe("409 pairing_changed");
    const first = await exchange(scribe, scout);
    await verify(initiator, id, "initiator", first);

    const replacing = { session: "other", replace: true };
    const next = await select(world, bo, id, "recipient", scout.id, replacing);
    const anew = await select(world, pair.ana, id, "initiator", scribe.id, { generation: 2 });
    await next.call("acceptPairingRequest", {
      ...params(id),
      body: { agent_id: scout.id, generation: 2 },
    });
    const before = await stored(world);
    expect(await verdictOf(verify(anew, id, "initiator", first, 2))).toBe("409 pairing_changed");
    expect(await verdictOf(verify(anew, id, "initiator", first, 1))).toBe("409 pairing_changed");
    expect(await verdictOf(verify(initiator, id, "initiator", first))).toBe("401 unauthorized");
    expect(await stored(world)).toEqual(before);

    await verify(next, id, "recipient", await exchange(scout, scribe), 2);
    const ready = await verify(anew, id, "initiator", await exchange(scribe, scout), 2);
    expect(ready).toMatchObject({ state: "ready", generation: 2 });
  });

  test("keeps the first evidence of a direction, and one handoff for one reply", async () => {
    const pair = await start();
    const { world, scribe, scout, exchange, told, params } = pair;
    const { id, initiator } = await pair.accepted();
    const [one, two] = [await exchange(scribe, scout), await exchange(scribe, scout)];
    await pair.verify(initiator, id, "initiator", one);
    const before = await stored(world);
    expect(await verdictOf(pair.verify(initiator, id, "initiator", two))).toBe(
      "409 pairing_changed",
    );
    const body = { ...told("initiator", two), handoff_id: "another" };
    const again = await initiator.call("verifyPairingRoundTrip", { ...params(id), body });
    expect(again).toMatchObject({ state: "verifying", awaiting: "recipient" });
    expect(await stored(world)).toEqual(before);
  });

  test("a policy that lets agents read what is theirs alone stands in no way", async () => {
    const pair = await start();
    const { ana, scribe, scout, exchange, verify } = pair;
    await ana.call("updateBoard", { ...docs, body: { policy: { visibility: "addressed" } } });
    const { id, initiator, recipient } = await pair.accepted();
    await verify(initiator, id, "initiator", await exchange(scribe, scout));
    await verify(recipient, id, "recipient", await exchange(scout, scribe));
    expect(await pair.stateOf(ana, id)).toBe("ready");
  });

  test("waits for an offline side as long as the request lasts, with credentials that are renewed", async () => {
    const pair = await start();
    const { world, ana, bo, scribe, scout, exchange, verify } = pair;
    const { id, initiator, recipient } = await pair.accepted();
    await verify(initiator, id, "initiator", await exchange(scribe, scout));
    world.pass(6 * 60 * 60);
    expect(await pair.read(ana, id)).toMatchObject({ state: "verifying", awaiting: "recipient" });
    await select(world, bo, id, "recipient", scout.id, { proof: recipient.token });
    const ready = await verify(recipient, id, "recipient", await exchange(scout, scribe));
    expect(ready).toMatchObject({ state: "ready", generation: 1 });
  });

  test("is refused on an archived board", async () => {
    const pair = await start();
    const { id, initiator } = await pair.accepted();
    const seqs = await pair.exchange(pair.scribe, pair.scout);
    await pair.ana.call("archiveBoard", docs);
    expect(await verdictOf(pair.verify(initiator, id, "initiator", seqs))).toBe(
      "409 board_archived",
    );
  });
});
