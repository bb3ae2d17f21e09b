import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { follow } from "../../support/follow-stream.ts";
import {
  docs,
  eventsOf,
  headOf,
  makeDocs,
  personOnDocs,
  post,
} from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { stored, verdictOf } from "../../support/raw-requests.ts";

const once = { idempotencyKey: "once" };
const remove = (client: Client, handle: string, how = {}) =>
  client.call("removePerson", { params: { board: "docs", handle } }, how);
const raise = (client: Client, handle: string) =>
  client.call("addOwner", { ...docs, body: { handle } });
const codeOf = (client: Client) =>
  client.call("createJoinCode", { ...docs, body: { role: "member" } });

/** Docs, ana's, with bo and his agents scout and ranger, and with cy. */
async function start(visibility: "open" | "private" = "private") {
  const world = await startWorld();
  const { id } = await makeDocs(world, { visibility });
  const [bo, cy] = [await personOnDocs(world, "bo"), await personOnDocs(world, "cy")];
  const scout = await world.seat(bo, "docs", { name: "scout" });
  const ranger = await world.seat(bo, "docs", { name: "ranger" });
  const { people } = await world.admin.call("listPeople", docs);
  const member = people.find(({ handle }) => handle === "bo")!;
  return { world, ana: world.admin, bo, cy, scout, ranger, member, id };
}

describe.each([
  ["removed", "person.removed", "board_owner", "ana"],
  ["leaves", "person.left", "person", "bo"],
] as const)("a person who is %s", (how, type, removed_by, by) => {
  const go = ({ ana, bo }: { ana: Client; bo: Client }, more = {}) =>
    how === "removed" ? remove(ana, "bo", more) : bo.call("leaveBoard", docs, more);

  test("goes with their agents and the codes of both, in one go and one event each", async () => {
    const scene = await start();
    const { world, ana, cy, bo, scout, ranger, member } = scene;
    const [, own] = [await codeOf(cy), await codeOf(bo)];
    world.pass(1);
    const [ofRanger, ofScout] = [await codeOf(ranger), await codeOf(scout)];
    await bo.call("revokeJoinCode", {
      params: { board: "docs", join_code: (await codeOf(bo)).id },
    });
    world.pass(1);
    const head = await headOf(ana);
    expect(await go(scene)).toEqual(member);
    const events = (await eventsOf(ana)).filter(({ seq }) => seq > head);
    expect(events.map((event) => [event.type, event.actor.name, event.data])).toEqual([
      [
        type,
        by,
        {
          member_id: member.member_id,
          person_id: bo.id,
          name: "bo",
          agents: [scout.id, ranger.id],
        },
      ],
      ...[own, ofScout, ofRanger].map(
        ({ id }) => ["joincode.revoked", by, { join_code_id: id }] as never,
      ),
    ] as never);
    const { people } = await ana.call("listPeople", docs);
    expect(people.map(({ handle }) => handle)).toEqual(["ana", "cy"]);
    for (const agent of [scout, ranger])
      expect(await refusalOf(agent.call("getMe"))).toMatchObject({
        status: 403,
        code: "agent_removed",
        details: {
          agent: agent.name,
          board: "docs",
          removed_by,
          removed_at: world.clock.now.toISOString(),
        },
      });
    const { members } = await ana.call("listMembers", { ...docs, query: { removed: true } });
    expect(
      members
        .filter(({ kind, status }) => kind === "agent" && status !== "active")
        .map((each) => [each.name, each.status, each.removed_by]),
    ).toEqual([
      ["scout", "removed", removed_by],
      ["ranger", "removed", removed_by],
    ]);
  });

  test("is shut out at once, and what they wrote stays", async () => {
    const scene = await start();
    const { ana, bo, cy } = scene;
    const { id } = await post(bo, { body: "mine", to: ["@cy"] });
    await go(scene);
    for (const operation of ["getBoard", "listPeople", "listMessages", "listEvents"] as const)
      expect(await verdictOf(bo.call(operation, docs))).toBe("404 board_not_found");
    expect(await verdictOf(post(bo, "x"))).toBe("404 board_not_found");
    expect(await verdictOf(bo.call("getMessage", { params: { message: id } }))).toBe(
      "404 message_not_found",
    );
    expect((await bo.call("listBoards", { query: { lifecycle: "all" } })).boards).toEqual([]);
    expect((await cy.call("getMessage", { params: { message: id } })).message.from.name).toBe("bo");
    const { seq } = await post(ana, { body: "x", to: ["@bo"] });
    const receipts = await ana.call("getReceipts", { params: { board: "docs", seq } });
    expect(receipts.recipients).toEqual([]);
  });

  test("comes back under the old member id and name, as an ordinary member, with new agents", async () => {
    const scene = await start("open");
    const { world, ana, bo, scout, member } = scene;
    await raise(ana, "bo");
    await raise(ana, "cy");
    await post(ana, { body: "?", to: ["@bo"], expects_reply: true });
    await go(scene);
    await post(ana, "meanwhile");
    world.pass(5);
    const back = await bo.call("addPerson", { ...docs, body: { handle: "bo" } });
    expect(back).toEqual({
      ...member,
      board_role: "member",
      joined_at: world.clock.now.toISOString(),
    });
    expect((await eventsOf(ana)).at(-1)!.data).toMatchObject({
      member_id: member.member_id,
      name: "bo",
      rejoined: true,
    });
    const board = await bo.call("getBoard", docs);
    expect([board.read_up_to, board.unread]).toEqual([board.head_seq, 0]);
    expect(await verdictOf(scout.call("getMe"))).toBe("403 agent_removed");
    const join = (name: string) =>
      bo.call("join", { body: { board: "docs", role: "member", name } });
    expect(await verdictOf(join("scout"))).toBe("409 name_taken");
    expect((await join("scout-two")).agent.id).not.toBe(scout.id);
  });

  test("is told so on the stream, which goes on, and their waits and those of their agents end", async () => {
    const scene = await start();
    const { world, ana, bo, scout, id } = scene;
    const { id: message } = await post(ana, "wait for it");
    const [ofBo, ofAna] = [await follow(bo), await follow(ana)];
    await ofBo.next(2);
    await ofAna.next(2);
    const ends = Promise.all([
      verdictOf(scout.call("getInbox", { query: { wait: 600, after: 1000 } })),
      verdictOf(bo.call("listReplies", { params: { message }, query: { wait: 600 } })),
    ]);
    await until(() => world.hub.waiting === 2, "both wait");
    // An agent that waits reads as idle.
    for (const stream of [ofBo, ofAna])
      expect((await stream.next(1)).map(({ event }) => event)).toEqual(["presence"]);
    await go(scene);
    expect(await ends).toEqual(["403 agent_removed", "404 message_not_found"]);
    expect(await ofBo.next(1)).toEqual([{ event: "board_unavailable", board_id: id }]);
    expect((await ofAna.next(1)).map(({ event }) => event)).toEqual(["head"]);
    await ana.call("addPerson", { ...docs, body: { handle: "bo" } });
    expect((await ofBo.next(2)).map(({ event }) => event)).toEqual(["head", "unread"]);
  });
});

test("leaving is repeated only to a person who is back, removing only to one who is still there", async () => {
  const { ana, bo } = await start("open");
  const left = await bo.call("leaveBoard", docs, once);
  expect(await verdictOf(bo.call("leaveBoard", docs, once))).toBe("403 not_on_board");
  await bo.call("addPerson", { ...docs, body: { handle: "bo" } });
  expect(await bo.call("leaveBoard", docs, once)).toEqual(left);
  expect((await bo.call("getBoard", docs)).on_board).toBe(true);
  const removed = await remove(ana, "bo", once);
  await ana.call("addPerson", { ...docs, body: { handle: "bo" } });
  expect(await remove(ana, "bo", once)).toEqual(removed);
  expect((await ana.call("listPeople", docs)).people).toHaveLength(3);
  await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
  await bo.call("leaveBoard", docs);
  expect(await verdictOf(bo.call("leaveBoard", docs, once))).toBe("404 board_not_found");
});

test("only an owner removes others, anyone themselves, and no agent anybody", async () => {
  const { world, ana, bo, cy, scout } = await start("open");
  const dee = await world.person("dee");
  const herald = await world.seat(ana, "docs", { name: "herald" });
  const before = await stored(world);
  for (const handle of ["ana", "bo", "dee", "nobody"]) {
    const { status, code, hint } = await refusalOf(remove(cy, handle));
    expect([status, code, hint]).toEqual([403, "owner_required", "Ask one of its owners: @ana."]);
  }
  expect(await verdictOf(remove(dee, "bo"))).toBe("403 not_on_board");
  expect(await verdictOf(dee.call("leaveBoard", docs))).toBe("403 not_on_board");
  for (const agent of [scout, herald]) {
    expect(await verdictOf(remove(agent, "cy"))).toBe("403 human_token_required");
    expect(await verdictOf(raise(agent, "cy"))).toBe("403 human_token_required");
    expect(await verdictOf(agent.call("leaveBoard", docs))).toBe("403 human_token_required");
  }
  for (const handle of ["dee", "nobody", "scout"])
    expect(await verdictOf(remove(ana, handle))).toBe("404 person_not_on_board");
  expect({ ...(await stored(world)), access_key: 0 }).toEqual({ ...before, access_key: 0 });
  await remove(cy, "cy");
  expect((await eventsOf(bo)).at(-1)).toMatchObject({ type: "person.left", actor: { name: "cy" } });
  expect(await verdictOf(remove(ana, "cy"))).toBe("404 person_not_on_board");
});

test("a board keeps an owner: the last one cannot go, archived or not", async () => {
  const { ana, bo } = await start();
  const stuck = async () => {
    for (const attempt of [() => remove(ana, "ana"), () => ana.call("leaveBoard", docs)]) {
      const { status, code, hint } = await refusalOf(attempt());
      expect([status, code]).toEqual([409, "last_owner"]);
      expect(hint).toContain("owner");
    }
  };
  await stuck();
  await ana.call("archiveBoard", docs);
  await stuck();
  await ana.call("restoreBoard", docs);
  await raise(ana, "bo");
  await remove(bo, "ana");
  expect(await verdictOf(bo.call("leaveBoard", docs))).toBe("409 last_owner");
  expect((await eventsOf(bo)).at(-1)).toMatchObject({
    type: "person.removed",
    actor: { name: "bo" },
  });
});

test("an owner makes owners, each with one event, and a repeat changes nothing", async () => {
  const { world, ana, bo, cy, member } = await start();
  await world.person("dee");
  expect(await verdictOf(raise(cy, "bo"))).toBe("403 owner_required");
  expect(await verdictOf(raise(ana, "dee"))).toBe("404 person_not_on_board");
  expect(await verdictOf(raise(ana, "scout"))).toBe("404 person_not_on_board");
  expect(await raise(ana, "bo")).toEqual({ ...member, board_role: "owner" });
  const head = await headOf(ana);
  expect((await eventsOf(ana)).at(-1)).toMatchObject({
    type: "person.made_owner",
    actor: { name: "ana" },
    seq: head,
    data: { member_id: member.member_id, person_id: bo.id, name: "bo" },
  });
  expect((await raise(bo, "bo")).board_role).toBe("owner");
  expect((await raise(bo, "ana")).board_role).toBe("owner");
  expect(await headOf(ana)).toBe(head);
  await bo.call("updateBoard", { ...docs, body: { title: "By bo" } });
  const { members } = await ana.call("listMembers", docs);
  expect(members.filter(({ access }) => access === "admin").map(({ name }) => name)).toEqual([
    "ana",
    "bo",
  ]);
});
