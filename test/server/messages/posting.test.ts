import { describe, expect, test } from "bun:test";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import {
  docs,
  eventsOf,
  headOf,
  post,
  seatOnDocs,
  setPolicy,
  setRole,
} from "../../support/boards/docs-board.ts";

/** `docs` with ana and bo, ana's agents writer and reviewer, and bo's agent scout, in this join order. */
async function team() {
  const { world, ana, bo, writer, reviewer, scout } = await startDocs(
    { writer: ["ana", "writer"], reviewer: ["ana", "reviewer"], scout: ["bo", "writer"] },
    { template: "writer-reviewer" },
  );
  /** Names of the recorded recipients of the newest event; undefined when none are recorded. */
  const recipients = async () => {
    const { members } = await ana.call("listMembers", { ...docs, query: { removed: true } });
    const names = new Map(members.map(({ id, name }) => [id, name]));
    const { recipients } = (await eventsOf(ana)).at(-1)!.data as { recipients?: string[] };
    return recipients?.map((id) => names.get(id));
  };
  return { world, ana, bo, writer, reviewer, scout, recipients };
}

describe("targets", () => {
  test("a message without targets goes to all and records no recipients", async () => {
    const { writer, recipients } = await team();
    expect((await post(writer, "hello")).to).toEqual(["all"]);
    expect(await recipients()).toBeUndefined();
  });

  test("targets are kept in the order of their first, and each member is recorded once, never the sender", async () => {
    const { scout, recipients } = await team();
    const to = ["role:writer", "@bo", "role:writer", "@writer", "@bo", "role:member"];
    const message = await post(scout, { body: "look", to });
    expect(message.to).toEqual(["role:writer", "@bo", "@writer", "role:member"]);
    expect(await recipients()).toEqual(["writer", "bo"]);
  });

  test("`owner:` records a person's agents in join order, not the person, and may find none", async () => {
    const { ana, bo, scout, recipients } = await team();
    await post(bo, { body: "your agents", to: ["owner:ana"] });
    expect(await recipients()).toEqual(["writer", "reviewer"]);
    await post(scout, { body: "my own", to: ["owner:bo"] });
    expect(await recipients()).toEqual([]);
    await post(ana, { body: "again", to: ["@reviewer", "owner:ana"] });
    expect(await recipients()).toEqual(["reviewer", "writer"]);
  });

  test.each([
    ["all with another", ["all", "@bo"], 422, "invalid_target"],
    ["people", ["people"], 422, "invalid_target"],
    ["a name in capitals", ["@Writer"], 422, "invalid_target"],
    ["a name of nothing", ["@"], 422, "invalid_target"],
    ["a name of 41 characters", [`@${"a".repeat(41)}`], 422, "invalid_target"],
    ["a role in capitals", ["role:Writer"], 422, "invalid_target"],
    ["a handle that ends in a dash", ["owner:bo-"], 422, "invalid_target"],
    ["a name nobody has", ["@nobody"], 422, "unknown_recipient"],
    ["a role the board has not", ["@bo", "role:ghost"], 422, "role_not_found"],
    ["an owner nobody is", ["owner:nobody"], 422, "unknown_recipient"],
    ["an owner who is not on the board", ["owner:zoe"], 422, "unknown_recipient"],
    ["an agent as owner", ["owner:writer"], 422, "unknown_recipient"],
    ["no target in a list", [], 400, "invalid_request"],
    ["an empty target", [""], 400, "invalid_request"],
    ["61 characters", ["@".padEnd(61, "a")], 400, "invalid_request"],
    ["51 targets", Array(51).fill("@bo"), 400, "invalid_request"],
  ])("%s: refused, and nothing is written", async (_, to, status, code) => {
    const { world, bo } = await team();
    await world.person("zoe");
    const head = await headOf(bo);
    expect(await refusalOf(post(bo, { body: "x", to }))).toMatchObject({ status, code });
    expect(await headOf(bo)).toBe(head);
  });

  test("a member who has gone may still be named, and nobody is recorded", async () => {
    const { ana, scout, recipients } = await team();
    await scout.call("leaveAsAgent");
    expect((await post(ana, { body: "bye", to: ["@scout"] })).to).toEqual(["@scout"]);
    expect(await recipients()).toEqual([]);
    await post(ana, { body: "all writers", to: ["role:writer", "owner:bo"] });
    expect(await recipients()).toEqual(["writer"]);
  });
});

describe("replies", () => {
  test("a reply goes by name to the author of what it answers, then to the others of the thread", async () => {
    const { ana, bo, writer, reviewer, scout } = await team();
    const root = await post(ana, { body: "who?", to: ["@scout", "role:reviewer"] });
    const first = await post(bo, { body: "me", reply_to: root.id });
    expect(first.to).toEqual(["@ana", "@scout"]);
    const second = await post(writer, { body: "no, me", reply_to: first.id });
    expect(second.to).toEqual(["@bo", "@ana", "@scout"]);
    expect((await post(ana, { body: "both", reply_to: second.id })).to).toEqual([
      "@writer",
      "@scout",
      "@bo",
    ]);
    await scout.call("leaveAsAgent");
    expect((await post(reviewer, { body: "fine", reply_to: root.id })).to).toEqual([
      "@ana",
      "@bo",
      "@writer",
    ]);
  });

  test("a reply to oneself alone has no recipients, unless it says whom it is to", async () => {
    const { writer } = await team();
    const root = await post(writer, "hello all");
    expect(await refusalOf(post(writer, { body: "and", reply_to: root.id }))).toMatchObject({
      status: 422,
      code: "reply_has_no_recipients",
    });
    const answer = await post(writer, { body: "and", reply_to: root.id, to: ["all"] });
    expect(answer.to).toEqual(["all"]);
  });

  test("a reply tells what it answers and which thread it is in, one level deep", async () => {
    const { world, ana, bo, writer } = await team();
    const root = await post(ana, "root");
    const first = await post(bo, { body: "one", reply_to: root.id });
    world.pass(60);
    expect(await post(writer, { body: "two", reply_to: first.id })).toMatchObject({
      reply_to: first.id,
      reply_to_seq: first.seq,
      reply_to_from: "bo",
      thread_root: root.id,
      thread_root_seq: root.seq,
      reply_count: 0,
      last_reply_at: null,
    });
    const { message } = await ana.call("getMessage", { params: { message: root.id } });
    expect(message).toMatchObject({
      thread_root: null,
      reply_to_from: null,
      reply_count: 2,
      last_reply_at: "2026-01-01T00:01:00.000Z",
    });
  });

  test("under `addressed` a reply goes only to participants of messages its sender may read", async () => {
    const { world, ana, bo, writer, reviewer } = await team();
    const root = await post(ana, { body: "both", to: ["@writer", "@reviewer"] });
    await setPolicy(world, { visibility: "addressed" });
    await post(bo, { body: "secret", reply_to: root.id, to: ["@reviewer", "@ana"] });
    expect((await post(writer, { body: "yes", reply_to: root.id })).to).toEqual([
      "@ana",
      "@reviewer",
    ]);
    expect((await post(reviewer, { body: "yes", reply_to: root.id })).to).toEqual([
      "@ana",
      "@writer",
      "@bo",
    ]);
  });

  test("what is unreadable, on another board or not there cannot be replied to: the same 404", async () => {
    const { world, ana, writer, scout } = await team();
    await setPolicy(world, { visibility: "addressed" });
    const unreadable = await post(ana, { body: "for scout", to: ["@scout"] });
    await ana.call("createBoard", { body: { name: "other" } });
    const foreign = await ana.call("postMessage", {
      params: { board: "other" },
      body: { body: "elsewhere" },
    });
    const missing = "msg_00000000000000000000000000";
    for (const id of [unreadable.id, foreign.id, missing]) {
      const refusal = await refusalOf(post(writer, { body: "re", reply_to: id, to: ["@ana"] }));
      expect(refusal).toMatchObject({ status: 404, code: "message_not_found" });
    }
    expect(await refusalOf(post(ana, { body: "re", reply_to: foreign.id }))).toMatchObject({
      code: "message_not_found",
    });
    await post(scout, { body: "readable", reply_to: unreadable.id });
  });
});

describe("permission", () => {
  test("an agent needs `post`; people need nothing", async () => {
    const { world, ana, bo, writer } = await team();
    await setRole(world, "writer", ["broadcast", "urgent"]);
    expect(await refusalOf(post(writer, { body: "x", to: ["@ana"] }))).toMatchObject({
      status: 403,
      code: "forbidden",
      message: expect.stringContaining("post"),
    });
    await post(ana, "owner");
    await post(bo, { body: "member", urgent: true });
  });

  test.each([
    ["starter", "member", null, null],
    ["starter", "writer", null, null],
    ["recommended", "member", "broadcast_not_allowed", "urgent_not_allowed"],
    ["recommended", "writer", null, null],
  ] as const)(
    "under %s an agent of role %s is refused all: %p, urgent: %p",
    async (preset, role, all, urgent) => {
      const { world, bo } = await team();
      await setPolicy(world, { preset });
      const agent = await seatOnDocs(world, "agent", role);
      const outcome = async (attempt: Promise<unknown>) => {
        const refusal = await refusalOf(attempt).catch(() => null);
        return refusal && `${refusal.status} ${refusal.code}`;
      };
      expect(await outcome(post(agent, "to all"))).toBe(all && `403 ${all}`);
      expect(await outcome(post(agent, { body: "now", to: ["@bo"], urgent: true }))).toBe(
        urgent && `403 ${urgent}`,
      );
      await post(agent, { body: "to one", to: ["@bo"] });
      await post(agent, { body: "to a role", to: ["role:writer"] });
      await post(bo, { body: "people always may", urgent: true });
    },
  );

  test("one key of the policy can be granted or withheld beside its preset", async () => {
    const { world } = await team();
    const agent = await seatOnDocs(world, "agent", "member");
    await setPolicy(world, { broadcast: "granted" });
    expect(await refusalOf(post(agent, { body: "x", urgent: true }))).toMatchObject({
      code: "broadcast_not_allowed",
      hint: expect.stringContaining("role:"),
    });
    await setPolicy(world, { preset: "recommended", broadcast: "everyone" });
    await post(agent, "to all");
    expect(await refusalOf(post(agent, { body: "x", urgent: true }))).toMatchObject({
      code: "urgent_not_allowed",
    });
  });
});

test("a body has 1 to 32,768 characters, counted as code points", async () => {
  const { ana } = await team();
  const longest = "🎉".repeat(32_768);
  expect((await post(ana, longest)).body).toBe(longest);
  expect(await refusalOf(post(ana, `${longest}!`))).toMatchObject({
    status: 413,
    code: "message_too_large",
  });
  expect(await refusalOf(post(ana, ""))).toMatchObject({ status: 400, code: "invalid_request" });
});
