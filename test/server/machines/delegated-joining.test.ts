import { describe, expect, test } from "bun:test";
import { join as pathOf } from "node:path";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";
import {
  docs,
  eventsOf,
  headOf,
  makeDocs,
  personOnDocs,
  post,
} from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { ask, cameTo, stored, verdictOf } from "../../support/raw-requests.ts";
import { makeGuest } from "../../support/other-callers.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const session = "claude-code:1";
const revoked = "401 delegation_revoked";
const dead = "401 unauthorized";

/** Docs, ana who owns it, bo who is on it, and bo's machine. */
async function start(board: Parameters<typeof makeDocs>[1] = {}, file?: string) {
  const world = await startWorld(file === undefined ? {} : { file });
  await makeDocs(world, board);
  const bo = await personOnDocs(world, "bo");
  return { world, ana: world.admin, bo, machine: await machineOf(world, bo) };
}
/** A client with a new delegation of a person's, and its record. */
async function machineOf(world: World, person: Client, name = "laptop") {
  const delegation = await person.call("createDelegation", { body: { name } });
  return { ...world.as(delegation.token), ...delegation };
}
interface Entry {
  readonly board?: string;
  readonly session?: string;
  readonly role?: string;
  readonly name?: string;
  readonly harness?: string;
}
const body = (entry: Entry = {}) => ({ board: "docs", session, ...entry });
const send = (client: Client, entry: Entry = {}) => client.send("join", { body: body(entry) });
const join = (client: Client, entry: Entry = {}) => client.call("join", { body: body(entry) });
const nameOf = async (world: World, token: string) => (await world.as(token).call("getMe")).name;

describe("a session that joins by a delegation", () => {
  test("gets a new agent of its person's where it has none, and the log says how", async () => {
    const { world, ana, bo, machine } = await start();
    await post(ana, "earlier");
    const { status, data } = await send(machine, { harness: "claude-code" });
    expect(status).toBe(201);
    const { agent, token, board, ...rest } = data as Awaited<ReturnType<typeof join>>;
    expect(rest).toEqual({});
    expect(agent).toMatchObject({
      name: "claude",
      role: "member",
      owner: "bo",
      owner_id: bo.id,
      status: "active",
      harness: "claude-code",
    });
    expect(board).toMatchObject({ name: "docs", on_board: true });
    expect(board).not.toHaveProperty("read_up_to");
    const event = (await eventsOf(ana)).at(-1)!;
    expect(event).toMatchObject({
      type: "member.joined",
      actor: { kind: "human", name: "bo" },
      data: {
        member_id: agent.id,
        join_code_id: null,
        via: "delegation",
        delegation_id: machine.id,
      },
    });
    expect(await world.as(token).call("getInbox")).toMatchObject({
      messages: [],
      cursor: board.head_seq,
    });
  });

  test("gets the token, and nobody gets the session", async () => {
    const { world, ana, machine } = await start();
    const entry = body({ session: "claude-code:very-own" });
    for (const status of [201, 200]) {
      const heard = await ask(world, "POST /v1/join", { token: machine.token, body: entry });
      expect([heard.status, heard.headers["cache-control"]]).toEqual([status, "no-store"]);
      expect(heard.text).not.toContain("very-own");
    }
    const { token } = await join(machine, entry);
    const { seat_token, ...others } = await stored(world);
    expect(seat_token).toMatchObject([{ session: "claude-code:very-own" }]);
    expect(JSON.stringify(others)).not.toContain("very-own");
    expect(JSON.stringify([seat_token, others])).not.toContain(token.slice(4));
    expect(JSON.stringify(await eventsOf(ana))).not.toContain("very-own");
  });

  test("may choose role and name; a taken name and an unknown role are refused and leave nothing", async () => {
    const { world, ana, bo } = await start({ template: "writer-reviewer" });
    const cy = await machineOf(world, await world.person("cy"));
    await world.seat(ana, "docs", { name: "writer" });
    await cy.call("listBoards");
    const before = await stored(world);
    for (const [entry, verdict] of [
      [{ role: "editor" }, "422 role_not_found"],
      [{ name: "writer" }, "409 name_taken"],
      [{ name: "bo" }, "409 name_taken"],
      // Cy's own name, once cy is on the board.
      [{ name: "cy" }, "409 name_taken"],
      [{ harness: "a\nb" }, "422 invalid_request"],
      [{ session: "nothing" }, "400 invalid_request"],
      [{ session: undefined }, "400 invalid_request"],
    ] as const) {
      const came = await cameTo(cy.send("join", { body: { ...body(), ...entry } as never }));
      expect([entry, came]).toEqual([entry, verdict]);
      expect(await stored(world)).toEqual(before);
    }
    const { agent } = await join(cy, { role: "reviewer", name: "critic" });
    expect(agent).toMatchObject({ name: "critic", role: "reviewer", owner: "cy" });
    expect(await nameOf(world, bo.token)).toBe("bo");
  });

  test("brings its person onto an open board first, in the same transaction", async () => {
    const { world, ana } = await start();
    await post(ana, "earlier");
    const cy = await world.person("cy");
    const machine = await machineOf(world, cy);
    const head = await headOf(ana);
    const { agent } = await join(machine);
    const [added, joined, ...more] = (await eventsOf(ana)).filter(({ seq }) => seq > head);
    const via = { via: "delegation", delegation_id: machine.id };
    const actor = { kind: "human", name: "cy", owner: null, member_id: expect.any(String) };
    expect(more).toEqual([]);
    expect(added).toMatchObject({ type: "person.added", actor });
    expect(added!.data).toEqual({
      ...via,
      member_id: added!.actor.member_id,
      person_id: cy.id,
      name: "cy",
      access: "member",
      rejoined: false,
    });
    expect(joined).toMatchObject({
      type: "member.joined",
      actor: added!.actor,
      data: { ...via, member_id: agent.id },
    });
    const [mine] = (await cy.call("listBoards")).boards;
    expect(mine).toMatchObject({ on_board: true, read_up_to: head + 1, unread: 0 });
    expect(mine).not.toHaveProperty("added");
  });

  test("brings a person back under the old member id and name", async () => {
    const { world, ana, bo } = await start();
    const { people } = await ana.call("listPeople", docs);
    await bo.call("leaveBoard", docs);
    const machine = await machineOf(world, bo);
    await join(machine);
    const back = (await ana.call("listPeople", docs)).people.find(({ handle }) => handle === "bo");
    expect(back).toMatchObject({ member_id: people[1]!.member_id, name: "bo" });
    const added = (await eventsOf(ana)).findLast(({ type }) => type === "person.added");
    expect(added!.data).toMatchObject({ rejoined: true, via: "delegation" });
  });

  test("cannot tell a hidden board from none", async () => {
    const { world } = await start({ visibility: "private" });
    const machine = await machineOf(world, await world.person("cy"));
    const tried = (board: string) =>
      ask(world, "POST /v1/join", { token: machine.token, body: body({ board }) });
    const [hidden, missing] = [await tried("docs"), await tried("dacs")];
    expect(hidden.verdict).toBe("404 board_not_found");
    expect(hidden.text.replaceAll("docs", "dacs")).toBe(missing.text);
    const admins = await machineOf(world, world.admin);
    await world.admin.call("addOwner", { ...docs, body: { handle: "bo" } });
    await world.admin.call("leaveBoard", docs);
    expect(await cameTo(send(admins))).toBe("404 board_not_found");
  });

  test("is refused a guest's board, and redeems no code", async () => {
    const { world, bo, machine } = await start();
    const { code } = await bo.call("createJoinCode", { ...docs, body: { role: "member" } });
    for (const each of [code, "nonsense"])
      expect(await verdictOf(machine.call("join", { body: { code: each } }))).toBe("403 forbidden");
    await makeGuest(world, "bo");
    expect(await cameTo(send(machine))).toBe("403 guest_not_allowed");
    expect(await cameTo(send(machine, { board: "plaza" }))).toBe("404 board_not_found");
  });

  test("may add people as a session of its own may, unlike a bot without one", async () => {
    const { world, machine } = await start();
    await world.person("cy");
    const { token } = await join(machine);
    const added = await world.as(token).call("addPerson", { ...docs, body: { handle: "cy" } });
    expect(added.handle).toBe("cy");
  });
});

describe("with a key", () => {
  test("a board needs a role, and each call makes a new agent", async () => {
    const { bo } = await start();
    const { status, code, message } = await refusalOf(join(bo));
    expect([status, code]).toEqual([400, "invalid_request"]);
    expect(message).toContain("role is missing");
    const made = async () => (await join(bo, { role: "member" })).agent.name;
    expect([await made(), await made()]).toEqual(["member", "member-2"]);
  });
});

describe("a session that has a seat", () => {
  test("gets that seat again with a new token, and every token before it stops", async () => {
    const { world, ana, machine } = await start();
    const first = await join(machine, { name: "writer" });
    const head = await headOf(ana);
    const tokens = [first.token];
    for (let times = 0; times < 3; times++) {
      const { status, data } = await send(machine, { name: "other", role: "nothing" });
      const { agent, token, reused } = data as Awaited<ReturnType<typeof join>>;
      expect({ status, reused, id: agent.id, name: agent.name }).toEqual({
        status: 200,
        reused: true,
        id: first.agent.id,
        name: "writer",
      });
      for (const earlier of tokens)
        expect(await verdictOf(world.as(earlier).call("getMe"))).toBe(dead);
      expect(await nameOf(world, token)).toBe("writer");
      tokens.push(token);
    }
    expect(new Set(tokens).size).toBe(4);
    expect(await headOf(ana)).toBe(head);
  });

  test("keeps its place: position, messages and inbox are the agent's", async () => {
    const { world, ana, machine } = await start();
    const { token } = await join(machine, { name: "writer" });
    await post(world.as(token), "mine");
    await post(ana, { body: "yours", to: ["@writer"] });
    const { token: next } = await join(machine);
    const { messages } = await world.as(next).call("getInbox");
    expect(messages.map(({ body }) => body)).toEqual(["yours"]);
  });

  test("ends whoever waits with the token before, at once", async () => {
    const { world, machine } = await start();
    const { token } = await join(machine);
    const waiting = verdictOf(world.as(token).call("getInbox", { query: { wait: 600 } }));
    await until(() => world.hub.waiting > 0, "the inbox waits");
    await join(machine);
    expect(await waiting).toBe(dead);
  });

  test("may have taken it with a key of the same person, and gets it by any machine of theirs", async () => {
    const { world, bo, machine } = await start();
    const seat = await world.seat(bo, "docs", { session, name: "writer" });
    const other = await bo.call("createKey", { body: { name: "other" } });
    const phone = await machineOf(world, world.as(other.token), "phone");
    for (const each of [machine, phone]) {
      const { agent, reused } = await join(each);
      expect([agent.id, reused]).toEqual([seat.id, true]);
    }
    expect(await verdictOf(seat.call("getMe"))).toBe(dead);
  });

  test("gets the newest of several", async () => {
    const { world, bo, machine } = await start();
    for (const name of ["one", "two"]) await world.seat(bo, "docs", { session, name });
    await world.seat(bo, "docs", { session: "claude-code:2", name: "three" });
    expect((await join(machine)).agent.name).toBe("two");
    await world.seat(bo, "docs", { session, name: "four" });
    expect((await join(machine)).agent.name).toBe("four");
  });

  test("is not that of another person, another board or another session", async () => {
    const { world, ana, bo, machine } = await start();
    await world.seat(ana, "docs", { session, name: "anas" });
    await bo.call("createBoard", { body: { name: "plans" } });
    await world.seat(bo, "plans", { session, name: "there" });
    await world.seat(bo, "docs", { session: "codex:1", name: "codex" });
    const { agent, reused } = await join(machine, { name: "mine" });
    expect([agent.name, reused]).toEqual(["mine", undefined]);
  });

  test("holds its new token under the delegation's key, so that it ends with that and not with the old", async () => {
    const { world, bo, machine } = await start();
    const other = await bo.call("createKey", { body: { name: "other" } });
    const phone = await machineOf(world, world.as(other.token), "phone");
    const first = await join(phone);
    await bo.call("revokeKey", { params: { key: other.id } });
    expect(await verdictOf(world.as(first.token).call("getMe"))).toBe(dead);
    const { token, agent } = await join(machine);
    expect(agent.id).toBe(first.agent.id);
    expect(await nameOf(world, token)).toBe("member");
    const { keys } = await bo.call("listKeys");
    expect(keys.map(({ agent_seats }) => agent_seats)).toEqual([1, 0]);
  });

  test("gets it after the server was started again", async () => {
    const file = pathOf(temporaryFolder(), "db");
    const scene = await start({}, file);
    const first = await join(scene.machine);
    scene.world.stop();
    const world = await startWorld({ file });
    expect(await nameOf(world, first.token)).toBe("member");
    const again = await join(world.as(scene.machine.token));
    expect([again.agent.id, again.reused]).toEqual([first.agent.id, true]);
    expect(await verdictOf(world.as(first.token).call("getMe"))).toBe(dead);
  });
});

describe("a session whose seat has ended", () => {
  test("gets a refusal with four details whoever ended it, and no second seat", async () => {
    const remove = (client: Client) =>
      client.call("removeAgent", { params: { board: "docs", member: "writer" } });
    const ends = {
      self: ({ token, world }: { token: string; world: World }) =>
        world.as(token).call("leaveAsAgent"),
      person: ({ bo }: { bo: Client }) => remove(bo),
      board_owner: ({ ana }: { ana: Client }) => remove(ana),
    };
    for (const [by, end] of Object.entries(ends)) {
      const scene = await start();
      const { world, machine } = scene;
      const { token } = await join(machine, { name: "writer" });
      world.pass(5);
      await end({ ...scene, token });
      const removedAt = world.clock.now.toISOString();
      world.pass(5);
      const { status, code, details, hint } = await refusalOf(join(machine));
      expect({ status, code, details }).toEqual({
        status: 403,
        code: "agent_removed",
        details: { agent: "writer", board: "docs", removed_at: removedAt, removed_by: by },
      });
      expect(hint).toContain("Its person can add a new agent");
    }
  });

  test("of a person who left the board is not replaced when they are back, but by their own key", async () => {
    const { world, ana, bo, machine } = await start();
    await join(machine, { name: "writer" });
    await bo.call("leaveBoard", docs);
    expect(await cameTo(send(machine))).toBe("403 agent_removed");
    await ana.call("addPerson", { ...docs, body: { handle: "bo" } });
    expect(await cameTo(send(machine))).toBe("403 agent_removed");
    const seat = await world.seat(bo, "docs", { session, name: "second" });
    const { agent, reused } = await join(machine);
    expect([agent.id, reused]).toEqual([seat.id, true]);
  });

  test("learns nothing of a board that its person cannot see any more", async () => {
    const { ana, machine } = await start();
    await join(machine, { name: "writer" });
    await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    expect(await cameTo(send(machine))).toBe("404 board_not_found");
  });
});

describe("on a board that is archived or deleted", () => {
  test("no seat is made and no token is given, and the one there is goes on", async () => {
    const { world, ana, machine } = await start();
    const { token } = await join(machine, { name: "writer" });
    const gone = await join(machine, { session: "codex:1", name: "gone" });
    await world.as(gone.token).call("leaveAsAgent");
    const cy = await machineOf(world, await world.person("cy"));
    await ana.call("archiveBoard", docs);
    const tried = async () => [
      await cameTo(send(machine)),
      await cameTo(send(machine, { session: "codex:2" })),
      await cameTo(send(cy)),
      await cameTo(send(machine, { session: "codex:1" })),
    ];
    expect(await tried()).toEqual([
      ...Array<string>(3).fill("409 board_archived"),
      "403 agent_removed",
    ]);
    const { hint } = await refusalOf(join(machine));
    expect(hint).toContain("@ana");
    expect(await nameOf(world, token)).toBe("writer");
    await ana.call("deleteBoard", docs);
    expect(await tried()).toEqual(Array(4).fill("404 board_not_found"));
  });
});

describe("again and at once", () => {
  const once = { idempotencyKey: "once" };

  test("a repeat finds the seat and replaces its token: nothing is kept", async () => {
    const { world, machine } = await start();
    const sent = () => machine.send("join", { body: body() }, once);
    const [first, second] = [await sent(), await sent()];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.headers.get("idempotent-replayed")).toBeNull();
    const [one, two] = [first, second].map(({ data }) => (data as { token: string }).token);
    expect(await verdictOf(world.as(one!).call("getMe"))).toBe(dead);
    expect(await nameOf(world, two!)).toBe("member");
    expect((await stored(world))["kept_answer"]).toEqual([]);
    const other = machine.send("join", { body: body({ session: "codex:1" }) }, once);
    expect((await other).status).toBe(201);
  });

  test("two joins of one session are one seat, with one token that works", async () => {
    const { world, ana } = await start();
    const machine = await machineOf(world, await world.person("cy"));
    const both = await Promise.all([send(machine), send(machine)]);
    expect(both.map(({ status }) => status)).toEqual([201, 200]);
    const tokens = both.map(({ data }) => (data as { token: string }).token);
    const came = await Promise.all(tokens.map((token) => cameTo(world.as(token).send("getMe"))));
    expect(came).toEqual([dead, "200"]);
    const { members } = await ana.call("listMembers", docs);
    expect(members.map(({ name }) => name)).toEqual(["ana", "bo", "cy", "member"]);
  });

  test("a join beside the end of its delegation, its key or its seat is before it or after it", async () => {
    for (const [end, verdict] of [
      [
        (_: World, bo: Client) => bo.call("createDelegation", { body: { name: "laptop" } }),
        revoked,
      ],
      [
        (_: World, bo: Client & { keyId: string }) =>
          bo.call("revokeKey", { params: { key: bo.keyId } }),
        revoked,
      ],
      [
        (world: World) =>
          world.admin.call("removeAgent", { params: { board: "docs", member: "writer" } }),
        "403 agent_removed",
      ],
    ] as const) {
      const { world, bo, machine } = await start();
      await join(machine, { name: "writer" });
      const [, came] = await Promise.all([end(world, bo), cameTo(send(machine))]);
      expect(["200", verdict]).toContain(came);
      expect(await cameTo(send(machine))).toBe(verdict);
      const seats = world.db.read((tx) => tx.all("SELECT row FROM member WHERE kind = 'agent'"));
      expect(seats).toHaveLength(1);
    }
  });

  test("a key's repeated join gives no token that a delegation replaced since", async () => {
    const { bo, machine } = await start();
    const joining = () =>
      bo.call("join", { body: { board: "docs", role: "member", session } }, once);
    const { agent } = await joining();
    await join(machine);
    const { status, code, hint } = await refusalOf(joining());
    expect([status, code]).toEqual([409, "seat_token_replaced"]);
    expect(hint).toContain("`service join --board docs`");
    const { members } = await bo.call("listMembers", docs);
    expect(members.filter(({ kind }) => kind === "agent").map(({ id }) => id)).toEqual([agent.id]);
  });
});
