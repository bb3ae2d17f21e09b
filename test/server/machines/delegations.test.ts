import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import type { OperationName } from "../../../src/contract/index.ts";
import { refusalOf, type World } from "../../support/servers/server-in-process.ts";
import { all, each, verdicts, without } from "../../support/access-matrix/operations-by-class.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, personOnDocs } from "../../support/boards/docs-board.ts";
import { ask, cameTo, stored, verdictOf } from "../../support/raw-requests.ts";
import { browserOf, makeGuest } from "../../support/other-callers.ts";
import { wholeOf } from "../operations.ts";
import { lineOf, setScene } from "../../support/boards/boards-with-one-of-everything.ts";

const hour = 60 * 60;
const day = 24 * hour;
const own = ["listBoards", "join", "createDelegatedBoard"];
const revoked = "401 delegation_revoked";

/** Docs, ana who owns it, bo who is on it, and bo's machine. */
async function start() {
  const { world, bo } = await startDocs();
  return { world, ana: world.admin, bo, machine: await machineOf(world, bo) };
}
/** A client with a new delegation of a person's, and its record. */
async function machineOf(world: World, person: Client, name = "laptop") {
  const delegation = await person.call("createDelegation", { body: { name } });
  return { ...world.as(delegation.token), ...delegation };
}
/** Makes a board by a delegation for the session `claude-code:1`. What is given is sent as it is. */
const boardFor = (machine: Client, body: Record<string, unknown> = {}, options = {}) =>
  machine.call(
    "createDelegatedBoard",
    { body: { session: "claude-code:1", harness: "claude-code", ...body } },
    options,
  );
type BoardBody = Record<string, unknown>;

describe("a delegation", () => {
  test("is made by a person's key, and its token is shown once and kept as a digest", async () => {
    const { world, bo } = await start();
    const { token, ...record } = await bo.call("createDelegation", { body: { name: "phone" } });
    expect(record).toEqual({
      id: expect.stringMatching(/^dlg_[0-9A-HJKMNP-TV-Z]{26}$/),
      name: "phone",
      key_id: bo.keyId,
      created_at: world.clock.now.toISOString(),
    });
    expect(token).toMatch(/^abd_[A-Za-z0-9_-]{43}$/);
    const { delegation, ...others } = await stored(world);
    expect(JSON.stringify([delegation, others])).not.toContain(token.slice(4));
    expect(JSON.stringify(delegation)).toContain(world.secrets.digest(token));
    const heard = await ask(world, "POST /v1/delegations", {
      token: bo.token,
      body: { name: "x" },
    });
    expect([heard.status, heard.headers["cache-control"]]).toEqual([201, "no-store"]);
  });

  test("needs a name formed like a handle", async () => {
    const { bo } = await start();
    for (const name of ["", "My Phone", "x".repeat(41), "a--b", 7])
      expect(await verdictOf(bo.call("createDelegation", { body: { name: name as string } }))).toBe(
        "400 invalid_request",
      );
    expect(await verdictOf(bo.call("createDelegation"))).toBe("400 invalid_request");
  });

  test("is not made by an agent, a browser, another delegation or a guest", async () => {
    const { world, bo, machine } = await start();
    const seat = await world.seat(bo, "docs");
    const make = (token: string) =>
      verdictOf(world.as(token).call("createDelegation", { body: { name: "phone" } }));
    expect(await make(seat.token)).toBe("403 human_token_required");
    expect(await make(await browserOf(world, bo.token))).toBe("403 human_token_required");
    expect(await make(machine.token)).toBe("403 forbidden");
    await makeGuest(world, "bo");
    expect(await make(bo.token)).toBe("403 guest_not_allowed");
    expect((await stored(world))["delegation"]).toHaveLength(1);
  });

  test("ends when its key makes another of its name, and no other does", async () => {
    const { world, bo, machine } = await start();
    const other = world.as((await bo.call("createKey", { body: { name: "other" } })).token);
    const [phone, others] = [await machineOf(world, bo, "phone"), await machineOf(world, other)];
    await machine.call("listBoards");
    const next = await machineOf(world, bo);
    expect(await verdictOf(machine.call("listBoards"))).toBe(revoked);
    for (const each of [next, phone, others])
      expect((await each.call("listBoards")).boards).toHaveLength(1);
    const once = { idempotencyKey: "once" };
    const again = () => bo.call("createDelegation", { body: { name: "laptop" } }, once);
    expect((await again()).token).not.toBe((await again()).token);
    expect(await verdictOf(next.call("listBoards"))).toBe(revoked);
  });

  test("is one of its name, also when two are made at once", async () => {
    const { world, bo, machine } = await start();
    const made = await Promise.all([machineOf(world, bo), machineOf(world, bo)]);
    const came = await Promise.all(made.map((each) => cameTo(each.send("listBoards"))));
    expect(came).toEqual([revoked, "200"]);
    expect(await verdictOf(machine.call("listBoards"))).toBe(revoked);
    const { keys } = await bo.call("listKeys");
    expect(keys[0]).toMatchObject({ delegations: 1 });
  });

  test("ends with its key, however that ends, on every path", async () => {
    const { world, bo } = await start();
    const keyFor = async (name: string, ttl_seconds: number) => {
      const key = await bo.call("createKey", { body: { name, ttl_seconds } });
      return { key, machine: await machineOf(world, world.as(key.token)) };
    };
    const [lost, short] = [await keyFor("lost", day), await keyFor("short", hour)];
    const idle = await machineOf(world, await world.person("cy"));
    const dead = async (machine: { token: string }) => {
      const found = [];
      const { token } = machine;
      for (const line of ["GET /v1/boards", "GET /v1/info", "GET /v1/nothing", "PATCH /v1/boards"])
        found.push((await ask(world, line, { token })).verdict);
      found.push((await ask(world, "POST /v1/join", { token, body: "{" })).verdict);
      expect(found).toEqual(Array(5).fill(revoked));
    };
    for (const { machine } of [lost, short]) await machine.call("listBoards");
    await bo.call("revokeKey", { params: { key: lost.key.id } });
    await dead(lost.machine);
    world.pass(hour - 0.001);
    await short.machine.call("listBoards");
    world.pass(0.001);
    await dead(short.machine);
    world.pass(90 * day);
    await dead(idle);
  });

  test("counts, when it is used, as use of its key", async () => {
    const { world, bo, machine } = await start();
    for (let times = 0; times < 3; times++) {
      world.pass(60 * day);
      await machine.call("listBoards");
      await world.db.write(() => null);
    }
    const { keys } = await bo.call("listKeys");
    expect(keys[0]).toMatchObject({
      state: "working",
      delegations: 1,
      last_used_at: world.clock.now.toISOString(),
    });
  });

  test("is for three operations: every other is 403 forbidden, before board or body is looked at", async () => {
    const { world, machine, sample, docs, secret } = await setScene();
    const others = without(all, own);
    const refused = async (name: OperationName) => {
      const answers = [
        await sample(name, docs, { token: machine }),
        await sample(name, secret, { token: machine }),
        await ask(world, lineOf(name, docs, "surprise=1"), { token: machine }),
      ];
      return new Set(answers.map(({ text }) => text)).size === 1 ? answers[0]!.verdict : "differs";
    };
    expect(await verdicts(others, refused)).toEqual(each(others, "403 forbidden"));
  });

  test("is alone in making its boards: keys, agents and browsers are 403 forbidden", async () => {
    const { world, ana, bo, writer } = await setScene();
    for (const token of [ana.token, writer, await browserOf(world, bo.token)])
      for (const body of [wholeOf("createDelegatedBoard", undefined as never).body, "{"]) {
        const { verdict } = await ask(world, "POST /v1/delegations/boards", { token, body });
        expect(verdict).toBe("403 forbidden");
      }
    expect((await ana.call("listBoards")).boards).toHaveLength(3);
  });
});

describe("a delegation's list of boards", () => {
  test("has every board that its person can see, with counts and without what is the person's own", async () => {
    const { world, ana, bo, machine } = await start();
    await world.seat(ana, "docs", { name: "writer" });
    const gone = await world.seat(ana, "docs", { name: "gone" });
    await gone.call("leaveAsAgent");
    for (const [name, visibility] of [
      ["plaza", "open"],
      ["secret", "private"],
    ] as const)
      await ana.call("createBoard", { body: { name, visibility } });
    await bo.call("createBoard", { body: { name: "mine", visibility: "private" } });
    await world.seat(ana, "plaza");
    await ana.call("postMessage", { ...docs, body: { body: "hello", to: ["@bo"] } });

    for (const query of [{}, { all: true }]) {
      const answer = await machine.call("listBoards", { query });
      expect(Object.keys(answer).sort()).toEqual(["archived_count", "boards"]);
      const shown = answer.boards.map(({ name, on_board, people_count, agent_count }) => [
        name,
        on_board,
        people_count,
        agent_count,
      ]);
      expect(shown).toEqual([
        ["docs", true, 2, 1],
        ["mine", true, 1, 0],
        ["plaza", false, 1, undefined],
      ]);
      for (const board of answer.boards)
        for (const field of ["read_up_to", "unread", "needs_reply"])
          expect(board).not.toHaveProperty(field);
    }
    const [forBo] = (await bo.call("listBoards")).boards;
    expect(forBo).toMatchObject({ unread: 1 });
    expect(forBo).not.toHaveProperty("people_count");
  });

  test("tells who added its person, while nothing of theirs has followed", async () => {
    const { world, ana } = await start();
    const cy = await personOnDocs(world, "cy");
    const machine = await machineOf(world, cy);
    const { boards } = await machine.call("listBoards");
    expect(boards[0]!.added).toMatchObject({ by: { name: "ana" } });
    expect(boards[0]!.added).toEqual((await cy.call("listBoards")).boards[0]!.added);
    expect((await ana.call("listBoards")).boards[0]).not.toHaveProperty("added");
  });

  test("gives its person's powers to nobody: an admin's sees no hidden board and keeps no house", async () => {
    const { world, ana, bo } = await start();
    await bo.call("createBoard", { body: { name: "hidden", visibility: "private" } });
    await ana.call("createBoard", { body: { name: "old" } });
    await ana.call("archiveBoard", { params: { board: "old" } });
    const machine = await machineOf(world, ana);
    const list = await machine.call("listBoards", { query: { all: true, lifecycle: "all" } });
    expect(list).not.toHaveProperty("hidden_boards");
    expect(list.archived_count).toBe(1);
    expect(list.boards.map(({ name, lifecycle }) => `${name} ${lifecycle}`)).toEqual([
      "docs active",
      "old archived",
    ]);
    for (const { can_archive, can_restore, can_delete } of list.boards)
      expect([can_archive, can_restore, can_delete]).toEqual([false, false, false]);
    const archived = await machine.call("listBoards", { query: { lifecycle: "archived" } });
    expect(archived.boards.map(({ name }) => name)).toEqual(["old"]);
  });

  test("has only a guest's own boards for a guest's", async () => {
    const { world, ana, bo, machine } = await start();
    await ana.call("createBoard", { body: { name: "plaza" } });
    await makeGuest(world, "bo");
    const { boards } = await machine.call("listBoards", { query: { all: true } });
    expect(boards.map(({ name }) => name)).toEqual(["docs"]);
    expect(await verdictOf(bo.call("createDelegation", { body: { name: "x" } }))).toBe(
      "403 guest_not_allowed",
    );
  });
});

describe("a board made by a delegation", () => {
  test("is its person's, with a seat for the session that has no owner's powers, and the log says how", async () => {
    const { world, bo, machine } = await start();
    const before = await stored(world);
    const { agent, token, board, ...rest } = await boardFor(machine, {
      name: "plans",
      title: "Plans",
      visibility: "private",
      session: "claude-code:very-own",
    });
    expect(rest).toEqual({});
    expect(agent).toMatchObject({
      name: "claude",
      role: "member",
      owner: "bo",
      harness: "claude-code",
      access: null,
      status: "active",
    });
    expect(board).toMatchObject({
      name: "plans",
      title: "Plans",
      visibility: "private",
      on_board: true,
      head_seq: 3,
      can_archive: false,
      created_by: { name: "bo" },
    });
    expect(board).not.toHaveProperty("read_up_to");
    const { people } = await bo.call("listPeople", { params: { board: "plans" } });
    expect(people).toMatchObject([{ handle: "bo", board_role: "owner" }]);
    expect(await world.as(token).call("getMe")).toMatchObject({ name: "claude", board: "plans" });
    expect((await world.as(token).call("getInbox")).cursor).toBe(3);

    const events = await eventsOf(bo, "plans");
    const via = { via: "delegation", delegation_id: machine.id };
    const person = people[0]!.member_id;
    const actor = { kind: "human", member_id: person, name: "bo", owner: null } as const;
    expect(events.map(({ type }) => type)).toEqual([
      "board.created",
      "member.joined",
      "member.joined",
    ]);
    for (const event of events) expect(event.actor).toEqual(actor);
    expect(events[0]!.data).toMatchObject({ ...via, agent_id: agent.id });
    expect(events[1]!.data).toMatchObject({ member_id: person, access: "admin" });
    expect(events[1]!.data).not.toHaveProperty("via");
    expect(events[2]!.data).toMatchObject({ ...via, member_id: agent.id, join_code_id: null });

    const { event, seat_token, ...others } = await stored(world);
    expect(JSON.stringify([event, others])).not.toContain("very-own");
    expect(seat_token).toHaveLength((before["seat_token"] ?? []).length + 1);
    expect(JSON.stringify(others["kept_answer"])).not.toContain(token);
    expect(
      await verdictOf(
        world.as(token).call("setVisibility", {
          params: { board: "plans" },
          body: { visibility: "open" },
        }),
      ),
    ).toBe("403 human_token_required");
  });

  test("takes what a board takes, and a role and a name for the seat", async () => {
    const { machine } = await start();
    const { agent, board } = await boardFor(machine, {
      template: "writer-reviewer",
      role: "reviewer",
      agent_name: "critic",
      charter: "Write well.",
      preset: "recommended",
    });
    expect(agent).toMatchObject({ name: "critic", role: "reviewer" });
    expect(board).toMatchObject({
      name: "writer-reviewer",
      charter: "Write well.",
      visibility: "open",
      policy: { preset: "recommended" },
    });
    const next = await boardFor(machine, { session: "codex:1", harness: "codex" });
    expect([next.board.name, next.agent.name]).toEqual(["general", "codex"]);
  });

  test("is refused whole: nothing of it is left", async () => {
    const { world, ana, machine } = await start();
    await ana.call("createBoard", { body: { name: "secret", visibility: "private" } });
    await machine.call("listBoards");
    const before = await stored(world);
    const refused = async (body: BoardBody, verdict: string) => {
      expect(await verdictOf(boardFor(machine, body))).toBe(verdict);
      expect(await stored(world)).toEqual(before);
    };
    await refused({ name: "docs" }, "409 board_name_taken");
    await refused({ name: "secret" }, "409 board_name_taken");
    await refused({ role: "editor" }, "422 role_not_found");
    await refused({ agent_name: "bo" }, "409 name_taken");
    await refused({ template: "none" }, "422 template_not_found");
    await refused({ title: "a\nb" }, "422 invalid_request");
    await refused({ harness: "codex" }, "422 invalid_request");
    await refused({ harness: "claude" }, "422 invalid_request");
    for (const body of [
      { session: "claude-code" },
      { session: undefined },
      { harness: undefined },
      { name: "x" },
      { surprise: 1 },
    ])
      await refused(body, "400 invalid_request");
  });

  test("needs the right to make boards, which a guest never has", async () => {
    const { world, ana, machine } = await start();
    await ana.call("updateSettings", { body: { board_creation: "admins" } });
    const { code, hint } = await refusalOf(boardFor(machine));
    expect(code).toBe("board_creation_restricted");
    expect(hint).toContain("@ana");
    expect((await boardFor(await machineOf(world, ana))).board.name).toBe("general");
    await makeGuest(world, "bo");
    expect(await verdictOf(boardFor(machine))).toBe("403 guest_not_allowed");
  });

  test("says that an archived board has its name only to whom its person's key would", async () => {
    const { world, bo, machine } = await start();
    await bo.call("createBoard", { body: { name: "old" } });
    await bo.call("archiveBoard", { params: { board: "old" } });
    const other = await machineOf(world, await world.person("cy"));
    const hints = [];
    for (const each of [machine, other])
      hints.push((await refusalOf(boardFor(each, { name: "old" }))).hint);
    expect(hints[0]).toContain("@bo");
    expect(hints[1]).not.toContain("@bo");
  });
});

describe("a repeat of making a board", () => {
  const once = { idempotencyKey: "once" };
  const plans = { params: { board: "plans" } };
  /** The board plans, made by bo's machine under a key, and the same request again. */
  async function startMade(body: BoardBody = {}) {
    const scene = await start();
    const whole = { session: "claude-code:1", harness: "claude-code", name: "plans", ...body };
    const again = (machine: Client = scene.machine) =>
      machine.send("createDelegatedBoard", { body: whole }, once);
    const first = await again();
    expect(first.status).toBe(201);
    const made = first.data as Awaited<ReturnType<typeof boardFor>>;
    return { ...scene, again, made };
  }

  test("gives the same seat and token, makes nothing, and is marked", async () => {
    const { world, bo, machine, again, made } = await startMade();
    const { status, data, headers } = await again();
    expect([status, headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(data).toEqual(made);
    expect((await world.as(made.token).call("getMe")).name).toBe("claude");
    expect(await eventsOf(bo, "plans")).toHaveLength(3);
    const changed = boardFor(machine, { name: "plans", title: "Other" }, once);
    expect(await verdictOf(changed)).toBe("422 idempotency_conflict");
    world.pass(day);
    expect(await cameTo(again())).toBe("409 board_name_taken");
  });

  test("at the same moment makes one board", async () => {
    const { bo, machine } = await start();
    const body = { session: "codex:1", harness: "codex" };
    const both = await Promise.all(
      [1, 2].map(() => machine.send("createDelegatedBoard", { body }, once)),
    );
    expect(both[0]!.data).toEqual(both[1]!.data);
    expect((await bo.call("listBoards")).boards.map(({ name }) => name)).toEqual([
      "docs",
      "general",
    ]);
  });

  test("is another's own: another delegation of the same person makes a board of its own", async () => {
    const { world, bo, again } = await startMade();
    expect(await cameTo(again(await machineOf(world, bo, "phone")))).toBe("409 board_name_taken");
  });

  test("is 401 once the delegation, its key or its person is gone", async () => {
    const ends: ((scene: Awaited<ReturnType<typeof startMade>>) => Promise<unknown>)[] = [
      ({ world, bo }) => machineOf(world, bo),
      ({ bo }) => bo.call("revokeKey", { params: { key: bo.keyId } }),
    ];
    for (const end of ends) {
      const scene = await startMade();
      await end(scene);
      expect(await cameTo(scene.again())).toBe(revoked);
    }
  });

  test("is 404 once the board or its person's place on it is gone, an open board's too", async () => {
    for (const visibility of ["open", "private"]) {
      const scene = await startMade({ visibility });
      for (const operation of ["addPerson", "addOwner"] as const)
        await scene.bo.call(operation, { ...plans, body: { handle: "ana" } });
      await scene.bo.call("leaveBoard", plans);
      expect(await cameTo(scene.again())).toBe("404 board_not_found");
    }
    const { bo, again } = await startMade();
    await bo.call("archiveBoard", plans);
    expect(await cameTo(again())).toBe("409 board_archived");
    await bo.call("deleteBoard", plans);
    expect(await cameTo(again())).toBe("404 board_not_found");
  });

  test("is 403 agent_removed once the seat has ended, with its details", async () => {
    const { world, made, machine } = await startMade();
    await world.as(made.token).call("leaveAsAgent");
    expect(await refusalOf(boardFor(machine, { name: "plans" }, once))).toMatchObject({
      status: 403,
      code: "agent_removed",
      details: {
        agent: "claude",
        board: "plans",
        removed_by: "self",
        removed_at: world.clock.now.toISOString(),
      },
    });
  });

  test("is 409 once the seat has another token", async () => {
    const { world, machine, again } = await startMade();
    const body = { board: "plans", session: "claude-code:1" };
    const { token, agent } = await machine.call("join", { body });
    expect(agent.name).toBe("claude");
    expect(await cameTo(again())).toBe("409 seat_token_replaced");
    expect((await world.as(token).call("getMe")).name).toBe("claude");
  });

  test("of one that was refused tells of a name only what a new call would", async () => {
    const { world, bo, ana, machine } = await start();
    await bo.call("createBoard", { body: { name: "old" } });
    await bo.call("archiveBoard", { params: { board: "old" } });
    await ana.call("listBoards");
    const again = () => refusalOf(boardFor(machine, { name: "old" }, once));
    expect((await again()).hint).toContain("@bo");
    await world.db.write((tx) =>
      tx.run("UPDATE member SET status = 'removed', access = 'member' WHERE board_row = 2"),
    );
    const { code, hint } = await again();
    expect(code).toBe("board_name_taken");
    expect(hint).not.toContain("@bo");
  });

  test("is not needed: without an Idempotency-Key each call makes a board", async () => {
    const { world, machine } = await start();
    const made = async () => (await boardFor(machine)).board.name;
    expect([await made(), await made()]).toEqual(["general", "general-2"]);
    const empty = await ask(world, "POST /v1/delegations/boards", {
      token: machine.token,
      body: { session: "claude-code:1", harness: "claude-code" },
      headers: { "idempotency-key": "" },
    });
    expect(empty.verdict).toBe("400 invalid_request");
  });
});
