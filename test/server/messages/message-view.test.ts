import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, makeDocs, post, seatOnDocs, setPolicy } from "../../support/boards/docs-board.ts";

/** `docs` with ana and bo, ana's agents writer and reviewer, and bo's agent scout. */
const team = () => startDocs({ writer: "ana", reviewer: "ana", scout: "bo" });

const seen = async (reader: Client, id: string) =>
  (await reader.call("getMessage", { params: { message: id } })).message;

test("`sender` says what the sender is to the reader, by persons and not by roles", async () => {
  const { ana, bo, writer, reviewer, scout } = await team();
  const readers = { ana, bo, writer, reviewer, scout };
  const relations: Record<string, string[]> = {};
  for (const [name, sender] of Object.entries(readers)) {
    const { id } = await post(sender, "hello");
    relations[name] = await Promise.all(
      Object.values(readers).map(async (reader) => (await seen(reader, id)).sender),
    );
  }
  expect(relations).toEqual({
    ana: ["self", "other_person", "owner", "owner", "other_person"],
    bo: ["other_person", "self", "other_person", "other_person", "owner"],
    writer: ["owner_agent", "other_agent", "self", "owner_agent", "other_agent"],
    reviewer: ["owner_agent", "other_agent", "owner_agent", "self", "other_agent"],
    scout: ["other_agent", "owner_agent", "other_agent", "other_agent", "self"],
  });
});

test("owners are shown while agents of two or more people are on the board", async () => {
  const { ana, scout } = await team();
  const { id, from } = await post(scout, "hello");
  expect(from.owner).toBe("bo");
  expect((await seen(ana, id)).show_owner).toBe(true);
  await scout.call("leaveAsAgent");
  expect((await seen(ana, id)).show_owner).toBe(false);
  expect((await seen(ana, id)).from).toMatchObject({ kind: "agent", name: "scout", owner: "bo" });
});

test("a sender's harness is hidden from other agents where the policy says so, never from people", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const seat = (name: string) =>
    world.seat(world.admin, "docs", { name, role: "member", harness: "claude-code" });
  const [writer, reviewer] = [await seat("writer"), await seat("reviewer")];
  const { id } = await post(writer, "hello");
  const shown = async (reader: Client) => (await seen(reader, id)).from.harness;
  expect(await shown(reviewer)).toBe("claude-code");
  await setPolicy(world, { show_harness: false });
  expect(await shown(reviewer)).toBeNull();
  expect(await shown(writer)).toBe("claude-code");
  expect(await shown(world.admin)).toBe("claude-code");
  const { id: ofPerson } = await post(world.admin, "I have none");
  expect((await seen(writer, ofPerson)).from).toMatchObject({ harness: null, owner: null });
});

describe("needs_reply", () => {
  const needed = async (person: Client) => (await person.call("getBoard", docs)).needs_reply;

  test("counts questions to the person by name or role, until they reply to that very message", async () => {
    const { ana, bo, writer } = await team();
    const ask = (to: string[]) => post(writer, { body: "?", to, expects_reply: true });
    const question = await ask(["@bo"]);
    await ask(["@ana", "@bo"]);
    expect(question.expects_reply).toBe(true);
    expect([await needed(bo), await needed(ana)]).toEqual([2, 1]);

    await bo.call("ackBoard", { ...docs, body: { up_to: question.seq } });
    const other = await post(ana, { body: "I can say", reply_to: question.id, to: ["@bo"] });
    await post(bo, { body: "elsewhere in the thread", reply_to: other.id });
    expect(await needed(bo)).toBe(2);
    await post(bo, { body: "yes", reply_to: question.id });
    await post(bo, { body: "and yes", reply_to: question.id });
    expect([await needed(bo), await needed(ana)]).toEqual([1, 1]);
  });

  test("counts nothing that goes to all, to a person's agents, by a mention, or without a question", async () => {
    const { ana, bo, writer } = await team();
    await post(writer, { body: "anyone? @bo", expects_reply: true });
    await post(writer, { body: "agents?", to: ["owner:bo"], expects_reply: true });
    await post(writer, { body: "for you", to: ["@bo"] });
    await post(ana, { body: "me?", to: ["@ana"], expects_reply: true });
    expect([await needed(bo), await needed(ana)]).toEqual([0, 0]);
  });

  test("is not told to agents, nor to people off the board", async () => {
    const { world, writer } = await team();
    const zoe = await world.person("zoe");
    expect(await needed(writer)).toBeUndefined();
    expect(await zoe.call("getBoard", docs)).not.toContainAnyKeys([
      "needs_reply",
      "unread",
      "read_up_to",
    ]);
  });
});

describe("who has got it", () => {
  const receipts = (reader: Client, seq: number) =>
    reader.call("getReceipts", { params: { board: "docs", seq } });

  test("receipts name the recipients in the message's order and how far each has read", async () => {
    const { ana, bo, writer, reviewer, scout } = await team();
    const { seq, id } = await post(ana, { body: "go", to: ["@scout", "@bo", "role:member"] });
    await writer.call("ackInbox", { body: { up_to: seq } });
    await bo.call("ackBoard", { ...docs, body: { up_to: seq } });
    await reviewer.call("ackInbox", { body: { up_to: seq - 1 } });
    await reviewer.call("setPresence", { body: { presence: "working" } });
    const answer = await receipts(ana, seq);
    expect(answer).toMatchObject({ seq, message_id: id, to_everyone: false, available: true });
    expect(answer.recipients.map((r) => [r.member.name, r.state, r.presence])).toEqual([
      ["scout", "pending", "no_session"],
      ["bo", "read", null],
      ["writer", "received", "no_session"],
      ["reviewer", "pending", "working"],
    ]);
    await scout.call("leaveAsAgent");
    expect((await receipts(bo, seq)).recipients.map((r) => r.member.name)).not.toContain("scout");
  });

  test("a message to all has no receipts, and a later holder of a role is in none", async () => {
    const { world, ana, writer } = await team();
    const all = await post(ana, "all of you");
    expect(await receipts(writer, all.seq)).toMatchObject({ to_everyone: true, recipients: [] });
    const role = await post(ana, { body: "members", to: ["role:member"] });
    await seatOnDocs(world, "late");
    const names = (await receipts(ana, role.seq)).recipients.map((r) => r.member.name);
    expect(names).toEqual(["writer", "reviewer", "scout"]);
  });

  test("receipts of what is no message, or none that one may read, are 404", async () => {
    const { world, ana, writer } = await team();
    await setPolicy(world, { visibility: "addressed" });
    const { seq } = await post(ana, { body: "for bo", to: ["@bo"] });
    for (const attempt of [receipts(writer, seq), receipts(ana, 1), receipts(ana, seq + 1)])
      expect(await refusalOf(attempt)).toMatchObject({ status: 404, code: "message_not_found" });
    expect((await receipts(ana, seq)).recipients).toHaveLength(1);
  });

  test("a message's status lists the agents it was addressed to, what they read and what they replied", async () => {
    const { ana, writer, reviewer } = await team();
    const { id, seq } = await post(ana, { body: "go", to: ["@writer", "@bo", "@reviewer"] });
    const status = async () => {
      const { recipients } = await ana.call("getMessage", { params: { message: id } });
      return recipients.map((r) => [r.member.name, r.state, r.reply_ids]);
    };
    await reviewer.call("ackInbox", { body: { up_to: seq } });
    expect(await status()).toEqual([
      ["writer", "pending", []],
      ["reviewer", "received", []],
    ]);
    const one = await post(writer, { body: "done", reply_to: id });
    const two = await post(writer, { body: "really", reply_to: id });
    await post(reviewer, { body: "good", reply_to: two.id });
    expect(await status()).toEqual([
      ["writer", "replied", [one.id, two.id]],
      ["reviewer", "received", []],
    ]);
  });

  test("a message's status tells nothing of replies that its reader may not read", async () => {
    const { world, ana, writer, reviewer } = await team();
    await setPolicy(world, { visibility: "addressed" });
    const { id } = await post(writer, { body: "go", to: ["@reviewer"] });
    const reply = await post(reviewer, { body: "asking ana", to: ["@ana"], reply_to: id });
    const status = async (reader: Client) =>
      (await reader.call("getMessage", { params: { message: id } })).recipients;
    expect(await status(writer)).toMatchObject([{ state: "pending", reply_ids: [] }]);
    expect(await status(ana)).toMatchObject([{ state: "replied", reply_ids: [reply.id] }]);
  });
});
