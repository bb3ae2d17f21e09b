import { describe, expect, test } from "bun:test";
import { eventTypes, type EventType } from "../../../src/contract/log.ts";
import type { Client } from "../../../src/client/client.ts";
import { fits } from "../../../src/contract/validate.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, makeDocs, post, seatOnDocs } from "../../support/boards/docs-board.ts";

/** Gives, each time, what was written to `docs` since the last time: type, actor's name and data of each event. */
function sinceLast(reader: Client, board = "docs") {
  let seen = 0;
  return async () => {
    const events = (await eventsOf(reader, board)).slice(seen);
    seen += events.length;
    for (const { type, data } of events)
      expect([type, fits(eventTypes()[type as EventType], data)]).toEqual([type, true]);
    return events.map(({ type, actor, data }) => [type, actor.name, data]);
  };
}

describe("each operation writes exactly its events", () => {
  test("making a board writes its making and its maker's joining", async () => {
    const world = await startWorld();
    const { id: ana } = await world.admin.call("getMe");
    const board = await makeDocs(world, { charter: "Be kind." });
    const { members } = await world.admin.call("listMembers", docs);
    const events = await eventsOf(world.admin);
    const actor = { kind: "human", member_id: members[0]!.id, name: "ana", owner: null };
    expect(events.map((event) => [event.seq, event.type, event.actor, event.data])).toEqual([
      [
        1,
        "board.created",
        actor,
        {
          board_id: board.id,
          name: "docs",
          template: "general",
          charter: "Be kind.",
          roles: board.roles,
          policy: board.policy,
          agents_add_people: true,
        },
      ],
      [
        2,
        "member.joined",
        actor,
        {
          member_id: members[0]!.id,
          person_id: ana,
          name: "ana",
          kind: "human",
          role: null,
          owner: null,
          harness: null,
          access: "admin",
          join_code_id: null,
        },
      ],
    ]);
    await world.admin.call("createBoard", {
      body: { name: "own", title: "Own", visibility: "private" },
    });
    expect((await eventsOf(world.admin, "own"))[0]!.data).toMatchObject({
      title: "Own",
      visibility: "private",
      agents_add_people: false,
    });
  });

  test("changing a board writes one event for each part, by whoever changed it", async () => {
    const world = await startWorld();
    const { policy } = await makeDocs(world);
    const agent = await seatOnDocs(world, "a");
    const written = sinceLast(world.admin);
    await written();
    const change = (by: Client, body: object) => by.call("updateBoard", { ...docs, body });
    await change(world.admin, {
      title: " First ",
      policy: { urgent: "granted" },
      agents_add_people: false,
      task_prefix: "DOC",
    });
    const strict = { ...policy, urgent: "granted" as const, overrides: ["urgent" as const] };
    expect(await written()).toEqual([
      ["board.titled", "ana", { before: null, after: "First" }],
      ["board.policy_changed", "ana", { before: policy, after: strict, preset_applied: null }],
      ["board.agents_add_people_changed", "ana", { agents_add_people: false }],
      ["board.task_prefix_set", "ana", { before: null, after: "DOC" }],
    ]);
    await change(agent, { title: "", task_prefix: "NEW" });
    await change(world.admin, { policy: { preset: "starter" } });
    expect(await written()).toEqual([
      ["board.titled", "a", { before: "First", after: null }],
      ["board.task_prefix_set", "a", { before: "DOC", after: "NEW" }],
      ["board.policy_changed", "ana", { before: strict, after: policy, preset_applied: "starter" }],
    ]);
    expect((await eventsOf(world.admin)).at(-2)!.actor).toEqual({
      kind: "agent",
      member_id: agent.id,
      name: "a",
      owner: "ana",
    });
  });

  test("people who are added, join, are invited along, are added by an agent, or come back", async () => {
    const world = await startWorld();
    const { admin } = world;
    const board = await makeDocs(world);
    const agent = await world.seat(admin, "docs", { name: "a", session: "claude-code:1" });
    const written = sinceLast(admin);
    await written();
    const added = async (handle: string, by: string, more: object = {}) => {
      const { people } = await admin.call("listPeople", docs);
      const { id, member_id } = people.find((person) => person.handle === handle)!;
      const data = { member_id, person_id: id, name: handle, access: "member", rejoined: false };
      return ["person.added", by, { ...data, ...more }];
    };
    const add = (by: Client, handle: string) => by.call("addPerson", { ...docs, body: { handle } });
    await world.person("bo");
    await add(admin, "bo");
    await add(await world.person("cy"), "cy");
    const { invite } = await admin.call("createServerInvite", { body: { boards: [board.id] } });
    await world.as().call("connect", { body: { invite, handle: "di", key_name: "k" } });
    await world.person("ed");
    await add(agent, "ed");
    await world.db.write((tx) => tx.run("UPDATE member SET status = 'left' WHERE name = 'bo'"));
    await add(admin, "bo");
    const { id: owner } = await admin.call("getMe");
    expect(await written()).toEqual([
      await added("bo", "ana"),
      await added("cy", "cy"),
      await added("di", "ana"),
      await added("ed", "a", { by_owner: owner }),
      await added("bo", "ana", { rejoined: true }),
    ]);
  });

  test("agents who join by name or code, are set, leave or are removed, and the codes they take along", async () => {
    const { world, bo } = await startDocs();
    const written = sinceLast(bo);
    await written();
    const code = await bo.call("createJoinCode", { ...docs, body: { role: "member" } });
    const one = await bo.call("join", { body: { code: code.code, harness: "codex" } });
    const two = await world.seat(bo, "docs", { name: "two", session: "codex:x" });
    const third = await two.call("createJoinCode", {
      ...docs,
      body: { role: "member", ttl_seconds: 60 },
    });
    const fourth = await two.call("createJoinCode", { ...docs, body: { role: "member" } });
    world.pass(60);
    await bo.call("setDeliveryMode", {
      params: { board: "docs", member: "two" },
      body: { mode: "off" },
    });
    await two.call("leaveAsAgent");
    await world.admin.call("removeAgent", { params: { board: "docs", member: one.agent.id } });
    await bo.call("revokeJoinCode", { params: { board: "docs", join_code: code.id } });
    const joined = (
      id: string,
      name: string,
      harness: string | null,
      join_code_id: string | null,
    ) => [
      "member.joined",
      "bo",
      {
        member_id: id,
        person_id: bo.id,
        name,
        kind: "agent",
        role: "member",
        owner: "bo",
        harness,
        access: null,
        join_code_id,
      },
    ];
    const created = (by: string, { id, expires_at }: typeof code) => [
      "joincode.created",
      by,
      { join_code_id: id, role: "member", expires_at },
    ];
    const ended = (id: string, name: string, removed_by: string) => ({
      member_id: id,
      name,
      person_id: bo.id,
      owner: "bo",
      removed_by,
    });
    expect(await written()).toEqual([
      created("bo", code),
      joined(one.agent.id, "codex", "codex", code.id),
      joined(two.id, "two", null, null),
      created("two", third),
      created("two", fourth),
      [
        "agent.delivery_changed",
        "bo",
        { member_id: two.id, name: "two", before: "focused", after: "off" },
      ],
      ["agent.left", "two", ended(two.id, "two", "self")],
      ["joincode.revoked", "two", { join_code_id: fourth.id }],
      ["agent.removed", "ana", ended(one.agent.id, "codex", "board_owner")],
      ["joincode.revoked", "bo", { join_code_id: code.id }],
    ]);
  });

  test("an admin from outside a private board is an actor without a member", async () => {
    const world = await startWorld();
    const bo = await world.person("bo");
    const { id } = await bo.call("createBoard", { body: { name: "own", visibility: "private" } });
    const agent = await world.seat(bo, "own", { name: "a" });
    await world.admin.call("removeAgent", { params: { board: id, member: agent.id } });
    const event = (await eventsOf(bo, "own")).at(-1)!;
    expect(event.actor).toEqual({ kind: "human", member_id: null, name: "ana", owner: null });
    expect(event.data).toMatchObject({ removed_by: "admin", name: "a" });
  });

  test("messages and reactions, with what is absent absent and what is null null", async () => {
    const world = await startWorld();
    await makeDocs(world);
    const agent = await seatOnDocs(world, "a");
    const written = sinceLast(world.admin);
    await written();
    const first = await post(world.admin, "hello @a");
    const second = await post(agent, {
      body: "hi",
      to: ["@ana", "@a"],
      reply_to: first.id,
      urgent: true,
      expects_reply: true,
    });
    const reaction = { params: { message: first.id, reaction: "heart" as const } };
    await agent.call("addReaction", reaction);
    await agent.call("removeReaction", reaction);
    const { members } = await agent.call("listMembers", docs);
    const flags = { urgent: false, expects_reply: false, redactions: [] };
    const heart = { message_id: first.id, name: "heart", emoji: "❤️" };
    const mention = {
      id: agent.id,
      kind: "agent",
      name: "a",
      text: "@a",
      wakes: true,
      reason: null,
    };
    expect(await written()).toEqual([
      [
        "message.posted",
        "ana",
        {
          message_id: first.id,
          to: ["all"],
          body: "hello @a",
          reply_to: null,
          ...flags,
          mentions: [mention],
        },
      ],
      [
        "message.posted",
        "a",
        {
          ...flags,
          message_id: second.id,
          to: ["@ana", "@a"],
          body: "hi",
          reply_to: first.id,
          urgent: true,
          expects_reply: true,
          mentions: [],
          recipients: [members.find(({ name }) => name === "ana")!.id],
        },
      ],
      ["reaction.added", "a", heart],
      ["reaction.removed", "a", heart],
    ]);
  });
});
