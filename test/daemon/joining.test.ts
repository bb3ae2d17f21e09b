import { expect, test } from "bun:test";
import { Unreachable, type Client } from "../../src/client/client.ts";
import { daemonJournal } from "../../src/client/machine/daemon-files.ts";
import { readFileSync } from "node:fs";
import { post } from "../support/boards/docs-board.ts";
import {
  acknowledged,
  laterHook,
  rung,
  startDaemonOnDocs,
} from "../support/daemon/daemon-on-docs.ts";

const docs = { server: "local", board: "docs", name: "" };

test("a session joins a board by its name, gets its messages, and finds its seat again", async () => {
  const there = await startDaemonOnDocs();
  const { ask, world, saved } = there;
  await ask({ op: "register" });
  const first = await ask({ op: "join", agent: { ...docs, name: "rex" }, role: "member" });
  expect(first).toMatchObject({
    joined: { server: "local", board: "docs", name: "rex" },
    member: { name: "rex", owner: "ana", harness: "fake" },
    board: { name: "docs" },
  });
  expect(first.reused).toBeUndefined();
  expect(saved).toMatchObject([{ board: "docs", name: "rex", server: "local" }]);
  await post(world.admin, { body: "Hello", to: ["@rex"] });
  await rung(there);
  const bundle = (await there.answerRing())!;
  expect(bundle.text).toContain("Hello");
  const again = await ask({ op: "join", agent: docs });
  expect(again).toMatchObject({ reused: true, joined: { name: "rex" } });
  expect(again.previous).toBeUndefined();
  expect(saved).toHaveLength(2);
  expect(saved[1]!.member_id).toBe(saved[0]!.member_id);
  expect(saved[1]!.token).not.toBe(saved[0]!.token);
});

test("what was handed before the token was replaced proves nothing, and is handed again", async () => {
  const there = await startDaemonOnDocs();
  const { ask, world, saved } = there;
  await ask({ op: "register" });
  await ask({ op: "join", agent: docs });
  const { seq } = await post(world.admin, { body: "Hello", to: ["@fake"] });
  await rung(there);
  const old = (await there.answerRing())!;
  await ask({ op: "join", agent: docs });
  const started = await ask({ op: "turn_start", harness_turn: "turn-1", handoff_id: old.id });
  expect(started.handoff_id).not.toBe(old.id);
  expect(started.bundle).toContain("Hello");
  await laterHook();
  await ask({ op: "turn_end", harness_turn: "turn-1" });
  const agent = world.as(saved.at(-1)!.token);
  const position = async () => (await agent.call("getInbox")).cursor;
  await acknowledged({ ...there, position }, seq);
});

test("two joins at once give one seat, and the token that is saved last works", async () => {
  const { ask, world, saved } = await startDaemonOnDocs();
  await ask({ op: "register" });
  const both = await Promise.all([
    ask({ op: "join", agent: docs }),
    ask({ op: "join", agent: docs }),
  ]);
  expect(new Set(both.map(({ joined }) => joined!.member_id)).size).toBe(1);
  expect((await world.as(saved.at(-1)!.token).call("getMe")).id).toBe(saved[0]!.member_id);
});

test("a seat that cannot be saved is not bound, and the next join gets it", async () => {
  const { ask, disk, saved, logged } = await startDaemonOnDocs();
  await ask({ op: "register" });
  disk.isFull = true;
  await expect(ask({ op: "join", agent: docs })).rejects.toMatchObject({ code: "internal" });
  expect((await ask({ op: "agents" })).agents).toEqual([]);
  expect(logged.join()).toContain("the disk is full");
  disk.isFull = false;
  expect((await ask({ op: "join", agent: docs })).reused).toBe(true);
  expect(saved).toHaveLength(1);
});

test("refusals of the server pass on, and nothing is bound", async () => {
  const { ask, world, person } = await startDaemonOnDocs();
  await expect(ask({ op: "join", agent: docs })).rejects.toMatchObject({ code: "session_unknown" });
  await ask({ op: "register" });
  const refusal = (request: Parameters<typeof ask>[0]) =>
    ask(request).then(
      () => "none",
      ({ code }) => code,
    );
  expect(await refusal({ op: "join", agent: { ...docs, board: "none" } })).toBe("board_not_found");
  expect(await refusal({ op: "join", agent: { ...docs, name: "writer" } })).toBe("name_taken");
  expect(await refusal({ op: "join", agent: { ...docs, server: "https://team.example" } })).toBe(
    "login_required",
  );
  expect(await refusal({ op: "join", agent: docs, subagent: "one" })).toBe("subagent_without_seat");
  expect(await refusal({ op: "join" })).toBe("invalid_request");
  const { member } = await ask({ op: "join", agent: docs });
  await world.admin.call("removeAgent", { params: { board: "docs", member: member!.id } });
  const removed = await ask({ op: "join", agent: docs }).catch((error) => error);
  expect(removed).toMatchObject({ code: "agent_removed", details: { agent: member!.name } });
  person.key = null;
  expect(await refusal({ op: "boards", server: "local" })).toBe("login_required");
});

test("boards are listed with the session's seat, and a delegation that has ended is made anew", async () => {
  const { ask, world } = await startDaemonOnDocs();
  await ask({ op: "register" });
  await world.admin.call("createBoard", { body: { name: "code" } });
  // Only a session with a seat leaves out whose boards are meant.
  await expect(ask({ op: "boards" })).rejects.toMatchObject({ code: "invalid_request" });
  const { joined } = await ask({ op: "join", agent: docs });
  expect((await ask({ op: "boards" })).server).toBe("local");
  const listed = await ask({ op: "boards", server: "local" });
  expect(listed.boards!.map(({ name, seat }) => [name, seat?.name])).toEqual([
    ["docs", joined!.name],
    ["code", undefined],
  ]);
  // Another daemon of the same key takes the name.
  const { name } = delegationIn(world);
  await world.admin.call("createDelegation", { body: { name } });
  expect((await ask({ op: "boards", server: "local" })).boards).toHaveLength(2);
  await world.admin.call("createDelegation", { body: { name } });
  const create = { op: "create_board", server: "local", idempotency_key: "k-1" } as const;
  await expect(ask({ ...create, create: { name: "news" } })).rejects.toMatchObject({
    code: "delegation_revoked",
  });
  expect((await ask({ ...create, create: { name: "news" } })).board!.name).toBe("news");
});

const delegationIn = ({ db }: { db: { read: Function } }): { name: string } =>
  db.read((tx: { get: Function }) => tx.get("SELECT name FROM delegation WHERE ended_at IS NULL"));

test("a board is made once although answers are lost, and the session keeps its other seats", async () => {
  let lost = 2;
  const lossy = (_: string, client: Client): Client => ({
    ...client,
    async call(name, ...rest) {
      const answer = await client.call(name, ...rest);
      if ((name as string) !== "createDelegatedBoard" || lost-- <= 0) return answer;
      throw new Unreachable("the answer was lost");
    },
  });
  const there = await startDaemonOnDocs({}, undefined, {}, {}, lossy);
  const { ask, world, saved } = there;
  await ask({ op: "register" });
  await ask({ op: "join", agent: docs });
  const made = await ask({
    op: "create_board",
    server: "local",
    idempotency_key: "k-1",
    role: "member",
    create: { name: "code", title: "Code" },
    agent_name: "coder",
  });
  expect(made).toMatchObject({
    joined: { board: "code", name: "coder" },
    board: { name: "code", title: "Code" },
  });
  expect(made.agents!.map(({ board }) => board)).toEqual(["code", "docs"]);
  const { boards } = await world.admin.call("listBoards");
  expect(boards.map(({ name }) => name)).toEqual(["docs", "code"]);
  expect((await world.as(saved.at(-1)!.token).call("getMe")).name).toBe("coder");
  lost = 3;
  const again = { op: "create_board", server: "local", idempotency_key: "k-2" } as const;
  await expect(ask({ ...again, create: { name: "news" } })).rejects.toMatchObject({
    code: "server_unreachable",
  });
  expect((await ask({ op: "agents" })).agents).toHaveLength(2);
});

test("no token, key or delegation is in an answer, the log or the journal", async () => {
  const { ask, world, saved, logged, machine, stop } = await startDaemonOnDocs();
  await ask({ op: "register" });
  const answers = [
    await ask({ op: "join", agent: docs }),
    await ask({ op: "boards", server: "local" }),
    await ask({ op: "create_board", server: "local", idempotency_key: "k-1", create: {} }),
  ];
  expect(saved).toHaveLength(2);
  await stop();
  const said = JSON.stringify([answers, logged]) + readFileSync(daemonJournal(machine.folders));
  expect(said).not.toMatch(/ab[akd]_[a-z0-9]{10}/i);
  expect(said).not.toContain(world.admin.token);
});

test("a command of a session that has ended does not open it again, and a turn does", async () => {
  const { ask } = await startDaemonOnDocs();
  await ask({ op: "register" });
  await ask({ op: "join", agent: docs });
  await ask({ op: "end" });
  const code = await ask({ op: "agents" }).catch((error) => error.code);
  expect(code).toBe("session_unknown");
  expect((await ask({ op: "status" })).status!.open_sessions).toBe(0);
  await ask({ op: "turn_start", harness_turn: "turn-1" });
  expect((await ask({ op: "agents" })).agents).toHaveLength(1);
});
