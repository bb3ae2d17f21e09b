import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import {
  docs,
  eventsOf,
  guestOn,
  headOf,
  personOnDocs,
  setRole,
} from "../../support/boards/docs-board.ts";
import { select, startPair } from "../../support/boards/board-with-pairing.ts";
import { ask as askRaw, cameTo, stored, verdictOf } from "../../support/raw-requests.ts";

const start = async () => startPair(await startWorld());
const nobody = (prefix: string) => `${prefix}_${"0".repeat(26)}`;
const hour = 60 * 60;
const idsOf = async (client: Client) =>
  (await client.call("listPairingRequests")).requests.map(({ id }) => id);

/** Whether somebody is on docs. */
const isOn = async (client: Client, handle: string) =>
  (await client.call("listPeople", docs)).people.some((person) => person.handle === handle);

describe("asking", () => {
  test("makes a request that waits for a session of the recipient, for 24 hours", async () => {
    const { ana, bo, docs: board, scribe, ask } = await start();
    const { id: server } = await ana.call("getInfo").then(({ server_id }) => ({ id: server_id }));
    const { id: person } = await ana.call("getMe");
    const { status, data } = await ana.send("createPairingRequest", {
      body: {
        board_id: board.id,
        recipient_id: bo.id,
        initiating_agent_id: scribe.id,
        work: "Review the draft",
      },
    });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^prq_/),
      server_id: server,
      board_id: board.id,
      inviter_id: person,
      initiating_agent_id: scribe.id,
      recipient_id: bo.id,
      work: "Review the draft",
      state: "awaiting_endpoint",
      generation: 1,
      created_at: "2026-01-01T00:00:00.000Z",
      expires_at: "2026-01-02T00:00:00.000Z",
      awaiting: "both",
      next: {
        command: expect.stringMatching(/^service pairing select prq_/),
        resume: expect.any(String),
      },
      display: {
        boards: [{ id: board.id, name: "docs", title: "" }],
        person_handle: "bo",
        agent_name: "scribe",
      },
    } as never);
    expect(await ask(scribe)).toMatchObject({ inviter_id: person });
  });

  test("is bookkeeping: no board's log tells of it", async () => {
    const { ana, bo, ask } = await start();
    const head = await headOf(ana);
    const { id } = await ask();
    await bo.call("declinePairingRequest", { params: { pairing: id } });
    expect(await headOf(ana)).toBe(head);
  });

  test("is for one's own agent on that board, and for nobody else's", async () => {
    const { world, ana, bo, docs: board, scribe, scout } = await start();
    await ana.call("createBoard", { body: { name: "yard" } });
    const elsewhere = await world.seat(ana, "yard");
    const asked = (client: Client, initiating_agent_id: string, board_id = board.id) =>
      client.call("createPairingRequest", {
        body: { board_id, recipient_id: bo.id, initiating_agent_id, work: "x" },
      });
    const before = await stored(world);
    expect(await verdictOf(asked(ana, scout.id))).toBe("403 agent_owner_required");
    expect(await verdictOf(asked(ana, elsewhere.id))).toBe("404 agent_not_found");
    expect(await verdictOf(asked(ana, nobody("mem")))).toBe("404 agent_not_found");
    expect(await verdictOf(asked(bo, scribe.id))).toBe("403 agent_owner_required");
    expect(await verdictOf(asked(elsewhere, scribe.id))).toBe("404 board_not_found");
    expect(await stored(world)).toEqual(before);
    const second = await world.seat(ana, "docs");
    expect(await verdictOf(asked(second, scribe.id))).toBe("403 forbidden");
    await second.call("leaveAsAgent");
    expect(await verdictOf(asked(ana, second.id))).toBe("404 agent_not_found");
  });

  test("answers for a hidden board as for a missing one, and tells a person who is not on an open one to join it", async () => {
    const { world, ana, bo, scribe, docs: open } = await start();
    const { id: hidden } = await ana.call("createBoard", {
      body: { name: "secret", visibility: "private" },
    });
    const cy = await world.person("cy");
    const asked = (board_id: string) =>
      refusalOf(
        cy.call("createPairingRequest", {
          body: { board_id, recipient_id: bo.id, initiating_agent_id: scribe.id, work: "x" },
        }),
      );
    const [shut, missing] = [await asked(hidden), await asked(nobody("brd"))];
    expect(shut.code).toBe("board_not_found");
    expect(JSON.stringify(shut).replaceAll(hidden, nobody("brd"))).toBe(JSON.stringify(missing));
    expect(await asked(open.id)).toMatchObject({ code: "not_on_board" });
  });

  test("finds nobody by the id of a person who never was, was removed, or is a guest elsewhere", async () => {
    const { world, ana, ask } = await start();
    await ana.call("createBoard", { body: { name: "yard" } });
    const gus = await guestOn(world, "gus", "yard");
    const gone = await personOnDocs(world, "gone");
    await ana.call("removeFromServer", { params: { handle: "gone" } });
    for (const recipient_id of [nobody("hum"), gone.id, gus.id])
      expect(await verdictOf(ask(ana, { recipient_id }))).toBe("404 person_not_found");
    const here = await guestOn(world, "hal");
    expect(await verdictOf(ask(ana, { recipient_id: here.id }))).toBe("409 person_is_guest");
  });

  test("needs work that says something, of at most 4000 characters", async () => {
    const { ana, ask } = await start();
    expect(await verdictOf(ask(ana, { work: " \n" }))).toBe("422 invalid_request");
    for (const work of ["", "x".repeat(4001)])
      expect(await verdictOf(ask(ana, { work }))).toBe("400 invalid_request");
    const work = "𝒲".repeat(4000);
    expect((await ask(ana, { work })).work).toBe(work);
  });

  test("is refused on an archived board, where requests are read, declined and cancelled still", async () => {
    const { ana, bo, ask, params, stateOf } = await start();
    const [one, two] = [await ask(), await ask()];
    await ana.call("archiveBoard", docs);
    expect(await verdictOf(ask())).toBe("409 board_archived");
    expect(await stateOf(bo, one.id)).toBe("awaiting_endpoint");
    await bo.call("declinePairingRequest", params(one.id));
    await ana.call("cancelPairingRequest", params(two.id));
  });

  test("a guest and a machine's delegation ask for nothing", async () => {
    const { world, ana, bo, docs: board, scribe } = await start();
    const gus = await guestOn(world, "gus");
    const { token } = await ana.call("createDelegation", { body: { name: "box" } });
    const body = {
      board_id: board.id,
      recipient_id: bo.id,
      initiating_agent_id: scribe.id,
      work: "x",
    };
    for (const client of [gus, gus.agent])
      expect(await verdictOf(client.call("createPairingRequest", { body }))).toBe(
        "403 guest_not_allowed",
      );
    const machine = world.as(token);
    expect(await verdictOf(machine.call("createPairingRequest", { body }))).toBe("403 forbidden");
    expect(await verdictOf(machine.call("listPairingRequests"))).toBe("403 forbidden");
  });
});

describe("whoever is asked", () => {
  test("and is on the board stays as they are", async () => {
    const { ana, bo, ask } = await start();
    await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
    const before = await ana.call("listPeople", docs);
    const head = await headOf(ana);
    await ask();
    expect(await headOf(ana)).toBe(head);
    expect(await ana.call("listPeople", docs)).toEqual(before);
    expect(await isOn(bo, "bo")).toBe(true);
  });

  test("may be oneself, without any allowance", async () => {
    const { ana, ask, scribe } = await start();
    const { id: recipient_id } = await ana.call("getMe");
    for (const client of [ana, scribe])
      expect(await ask(client, { recipient_id })).toMatchObject({
        state: "awaiting_session",
        display: { person_handle: "ana" },
      });
  });

  test("and is not on the board is added by a person as an ordinary member, private or open", async () => {
    const { world, ana, ask } = await start();
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    const cy = await world.person("cy");
    expect(await ask(ana, { recipient_id: cy.id })).toMatchObject({ state: "awaiting_session" });
    const [added] = (await eventsOf(ana)).slice(-1);
    expect(added).toMatchObject({
      type: "person.added",
      actor: { kind: "human", name: "ana" },
      data: { person_id: cy.id, access: "member", rejoined: false },
    });
    expect(added!.data).not.toHaveProperty("by_owner");
    expect(await isOn(ana, "cy")).toBe(true);
  });

  test("is added by an agent with its right to add and its person's allowance, and by neither alone", async () => {
    const { world, ana, docs: board, scribe, ask } = await start();
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    await ana.call("updateBoard", { ...docs, body: { agents_add_people: true } });
    await setRole(world, "member", ["post", "add_people"]);
    const cy = await world.person("cy");
    const asked = () => ask(scribe, { recipient_id: cy.id });
    const allow = (...categories: ("add-people" | "invite-people")[]) =>
      ana.call("setAllowance", { body: { categories } });
    const refused = async (code: string) => {
      const before = await stored(world);
      expect(await verdictOf(asked())).toBe(code);
      expect(await stored(world)).toEqual(before);
    };

    await refused("403 add_people_not_allowed");
    await allow("invite-people");
    await refused("403 add_people_not_allowed");
    await allow("add-people");
    await setRole(world, "member", ["post"]);
    await refused("403 add_people_not_allowed");
    await setRole(world, "member", ["post", "add_people"]);
    await ana.call("updateSettings", { body: { agents_add_people: false } });
    await refused("403 add_people_not_allowed");
    await ana.call("updateSettings", { body: { agents_add_people: true } });
    const plain = await world.seat(ana, "docs");
    expect(
      await verdictOf(
        plain.call("createPairingRequest", {
          body: {
            board_id: board.id,
            recipient_id: cy.id,
            initiating_agent_id: plain.id,
            work: "x",
          },
        }),
      ),
    ).toBe("403 agent_session_required");

    await asked();
    expect((await eventsOf(ana)).at(-1)).toMatchObject({
      type: "person.added",
      actor: { kind: "agent", name: "scribe" },
      data: { person_id: cy.id, by_owner: (await ana.call("getMe")).id },
    });
  });

  test("is left to join an open board by themselves where the agent may not add them", async () => {
    const { world, ana, scribe, ask, read, stateOf } = await start();
    const cy = await world.person("cy");
    const head = await headOf(ana);
    const { id } = await ask(scribe, { recipient_id: cy.id });
    expect(await headOf(ana)).toBe(head);
    const seen = await read(cy, id);
    expect(seen).toMatchObject({
      state: "awaiting_session",
      next: { command: `service join --board docs --server ${world.url}` },
      display: { person_handle: "ana" },
    });
    // Who is on the board is not theirs to know yet.
    expect(seen.display).not.toHaveProperty("agent_name");
    await cy.call("addPerson", { ...docs, body: { handle: "cy" } });
    expect((await read(cy, id)).next?.command).toBe(
      `service invite --board docs --server ${world.url}`,
    );
    await world.seat(cy, "docs");
    expect(await stateOf(cy, id)).toBe("awaiting_endpoint");
  });

  test("loses sight of the request when the open board turns private before they joined", async () => {
    const { world, ana, scribe, ask, read } = await start();
    const cy = await world.person("cy");
    const { id } = await ask(scribe, { recipient_id: cy.id });
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    expect(await verdictOf(read(cy, id))).toBe("404 pairing_not_found");
    expect(await idsOf(cy)).toEqual([]);
    expect(await idsOf(ana)).toEqual([id]);
  });
});

describe("reading", () => {
  test("is for both persons, the initiating agent and the recipient's selected one; for others there is none", async () => {
    const { world, ana, bo, scribe, scout, ask, read } = await start();
    const { id } = await ask();
    const cy = await personOnDocs(world, "cy");
    const other = await world.seat(bo, "docs");
    for (const client of [ana, bo, scribe]) expect((await read(client, id)).id).toBe(id);
    for (const client of [cy, scout, other])
      expect(await verdictOf(read(client, id))).toBe("404 pairing_not_found");
    await select(world, bo, id, "recipient", scout.id);
    expect((await read(scout, id)).id).toBe(id);
    expect(await verdictOf(read(other, id))).toBe("404 pairing_not_found");
    const hidden = await refusalOf(read(cy, id));
    expect(hidden).toEqual(await refusalOf(read(cy, nobody("prq"))));
  });

  test("lists a person's own of all boards, an agent's person's of its board, oldest first, for seven days", async () => {
    const { world, ana, bo, docs: board, scribe, scout, ask } = await start();
    const { id: yard } = await ana.call("createBoard", { body: { name: "yard" } });
    const rake = await world.seat(ana, "yard", { name: "rake" });
    const first = await ask();
    world.pass(hour);
    const second = await ana.call("createPairingRequest", {
      body: {
        board_id: yard,
        recipient_id: bo.id,
        initiating_agent_id: rake.id,
        work: "x",
      },
    });
    const third = await bo.call("createPairingRequest", {
      body: {
        board_id: board.id,
        initiating_agent_id: scout.id,
        work: "x",
        recipient_id: (await ana.call("getMe")).id,
      },
    });
    expect(await idsOf(ana)).toEqual([first.id, second.id, third.id]);
    expect(await idsOf(bo)).toEqual([first.id, second.id, third.id]);
    expect(await idsOf(scribe)).toEqual([first.id, third.id]);
    expect(await idsOf(scout)).toEqual([first.id, third.id]);
    expect(await idsOf(rake)).toEqual([second.id]);
    // An agent of the recipient is told whose request it is, and what to do to take part.
    const [shown] = (await scout.call("listPairingRequests")).requests;
    expect(shown!.display!.person_handle).toBe("ana");
    expect(shown!.next!.command).toStartWith(`service pairing accept ${first.id} --here`);
    expect(await idsOf(await personOnDocs(world, "cy"))).toEqual([]);
    world.pass(7 * 24 * hour - hour);
    expect(await idsOf(bo)).toEqual([second.id, third.id]);
    expect((await bo.call("getPairingRequest", { params: { pairing: first.id } })).state).toBe(
      "expired",
    );
  });

  test("a browser reads, asks, declines and cancels as its person", async () => {
    const { world, bo, ask } = await start();
    const { code } = await bo.call("createLoginCode");
    const { token } = await world.as().call("createBrowserToken", { body: { code } });
    const { id } = await ask();
    const browser = world.as(token);
    expect(await idsOf(browser)).toEqual([id]);
    const declined = await browser.call("declinePairingRequest", { params: { pairing: id } });
    expect(declined.state).toBe("declined");
  });
});

describe("ending a request", () => {
  test("is declining for its recipient and cancelling for its inviter, and again changes nothing", async () => {
    const { world, ana, bo, scribe, ask, params } = await start();
    const [one, two] = [await ask(), await ask()];
    expect(await verdictOf(ana.call("declinePairingRequest", params(one.id)))).toBe(
      "403 forbidden",
    );
    expect(await verdictOf(bo.call("cancelPairingRequest", params(one.id)))).toBe("403 forbidden");
    const declined = await bo.call("declinePairingRequest", params(one.id));
    expect(declined).toMatchObject({ state: "declined" });
    for (const gone of ["awaiting", "next"]) expect(declined).not.toHaveProperty(gone);
    const cancelled = await ana.call("cancelPairingRequest", params(two.id));
    expect(cancelled.state).toBe("cancelled");
    expect(await bo.call("declinePairingRequest", params(one.id))).toEqual(declined);
    expect(await ana.call("cancelPairingRequest", params(two.id))).toEqual(cancelled);
    expect(await verdictOf(ana.call("cancelPairingRequest", params(one.id)))).toBe(
      "409 pairing_closed",
    );
    expect(await verdictOf(bo.call("declinePairingRequest", params(two.id)))).toBe(
      "409 pairing_closed",
    );
    expect(await refusalOf(scribe.call("cancelPairingRequest", params(two.id)))).toMatchObject({
      code: "human_token_required",
      next: { command: `service pairing cancel ${two.id} --server ${world.url}` },
    });
  });

  test("whoever asks themselves declines and cancels alike", async () => {
    const { ana, ask, params } = await start();
    const { id: recipient_id } = await ana.call("getMe");
    const [one, two] = [await ask(ana, { recipient_id }), await ask(ana, { recipient_id })];
    expect((await ana.call("declinePairingRequest", params(one.id))).state).toBe("declined");
    expect((await ana.call("cancelPairingRequest", params(two.id))).state).toBe("cancelled");
  });

  test("it expires by itself after exactly 24 hours, and is then neither declined nor cancelled", async () => {
    const { world, ana, bo, ask, params, stateOf } = await start();
    const { id } = await ask();
    world.pass(24 * hour - 0.001);
    expect(await stateOf(bo, id)).toBe("awaiting_endpoint");
    world.pass(0.001);
    expect(await stateOf(bo, id)).toBe("expired");
    expect(await verdictOf(bo.call("declinePairingRequest", params(id)))).toBe(
      "409 pairing_closed",
    );
    expect(await verdictOf(ana.call("cancelPairingRequest", params(id)))).toBe(
      "409 pairing_closed",
    );
  });
});

describe("a repeat with the same Idempotency-Key", () => {
  const once = { idempotencyKey: "once" };

  test("of asking makes no second request and adds nobody a second time", async () => {
    const { world, ana, docs: board, scribe } = await start();
    const cy = await world.person("cy");
    const body = {
      board_id: board.id,
      recipient_id: cy.id,
      initiating_agent_id: scribe.id,
      work: "x",
    };
    const first = await ana.call("createPairingRequest", { body }, once);
    const before = await stored(world);
    expect(await ana.call("createPairingRequest", { body }, once)).toEqual(first);
    expect(await stored(world)).toEqual(before);
    expect(await idsOf(ana)).toEqual([first.id]);
  });

  test("is refused once the caller could not ask any more", async () => {
    const { ana, bo, docs: board, scout } = await start();
    const { id: recipient_id } = await ana.call("getMe");
    const input = {
      body: { board_id: board.id, recipient_id, initiating_agent_id: scout.id, work: "x" },
    };
    const repeat = (client: Client) => cameTo(client.send("createPairingRequest", input, once));
    expect(await repeat(bo)).toBe("201");
    expect(await repeat(scout)).toBe("201");
    await bo.call("removeAgent", { params: { board: "docs", member: "scout" } });
    expect(await repeat(bo)).toBe("404 agent_not_found");
    expect(await repeat(scout)).toBe("403 agent_removed");
    await bo.call("leaveBoard", docs);
    expect(await repeat(bo)).toBe("403 not_on_board");
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    expect(await repeat(bo)).toBe("404 board_not_found");
  });

  test("of an agent that brought somebody is refused once its person took the allowance back", async () => {
    const { world, ana, docs: board, scribe } = await start();
    await setRole(world, "member", ["post", "add_people"]);
    await ana.call("setAllowance", { body: { categories: ["add-people"] } });
    const cy = await world.person("cy");
    const input = (recipient_id: string) => ({
      body: { board_id: board.id, recipient_id, initiating_agent_id: scribe.id, work: "x" },
    });
    const bo = (await ana.call("listPeople", docs)).people.find(({ handle }) => handle === "bo")!;
    const call = (id: string, key: string) =>
      cameTo(scribe.send("createPairingRequest", input(id), { idempotencyKey: key }));
    for (const [id, key] of [
      [cy.id, "brings"],
      [bo.id, "asks"],
    ] as const)
      expect([await call(id, key), await call(id, key)]).toEqual(["201", "201"]);
    await ana.call("setAllowance", { body: { categories: [] } });
    expect(await call(cy.id, "brings")).toBe("403 add_people_not_allowed");
    expect(await call(bo.id, "asks")).toBe("201");
  });

  test("of a refusal or an ending says nothing to a caller who no longer sees the request", async () => {
    const { ana, bo, ask, params } = await start();
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    const { id } = await ask();
    const cancelling = () => cameTo(bo.send("cancelPairingRequest", params(id), once));
    const declining = () =>
      cameTo(bo.send("declinePairingRequest", params(id), { idempotencyKey: "two" }));
    expect([await cancelling(), await declining()]).toEqual(["403 forbidden", "200"]);
    expect([await cancelling(), await declining()]).toEqual(["403 forbidden", "200"]);
    await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
    for (const repeat of [cancelling, declining])
      expect(await repeat()).toBe("404 pairing_not_found");
  });

  test("of a refusal about an agent is refused as any request, once the caller is off the open board", async () => {
    const { docs: board, bo, scribe } = await start();
    const body = { board_id: board.id, recipient_id: bo.id, initiating_agent_id: scribe.id };
    const asking = () =>
      cameTo(bo.send("createPairingRequest", { body: { ...body, work: "x" } }, once));
    expect(await asking()).toBe("403 agent_owner_required");
    expect(await asking()).toBe("403 agent_owner_required");
    await bo.call("leaveBoard", docs);
    expect(await asking()).toBe("403 not_on_board");
  });

  test("and another body is a conflict", async () => {
    const { world, ana, docs: board, bo, scribe } = await start();
    const asked = (work: string) =>
      askRaw(world, "POST /v1/pairing-requests", {
        token: ana.token,
        headers: { "idempotency-key": "one" },
        body: {
          board_id: board.id,
          recipient_id: bo.id,
          initiating_agent_id: scribe.id,
          work,
        },
      });
    expect((await asked("x")).verdict).toBe("201");
    expect((await asked("y")).verdict).toBe("422 idempotency_conflict");
  });
});
