import { describe, expect, test } from "bun:test";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { askOn, askSeenBy, startBoardWithAsks } from "../../support/boards/board-with-asks.ts";
import { put } from "../../support/boards/board-with-files.ts";
import {
  docs,
  eventsOf,
  guestOn,
  post,
  setPolicy,
  setRole,
} from "../../support/boards/docs-board.ts";
import { ask, verdictOf } from "../../support/raw-requests.ts";

test("an ask goes to one member, expects a reply and blocks; its event says what was asked", async () => {
  const { ana, bo } = await startBoardWithAsks();
  const message = await askOn(ana, "@bo");
  expect(message).toMatchObject({
    to: ["@bo"],
    expects_reply: true,
    ask: {
      to: { name: "bo", kind: "human" },
      options: ["this", "that"],
      blocking: true,
      going_with: null,
      going_at: null,
      task: null,
      state: "open",
      answer_seq: null,
      answer_option: null,
      can_answer: false,
      can_withdraw: true,
    },
  });
  expect(message.ask).not.toHaveProperty("approval");
  expect(message).not.toHaveProperty("answer");
  expect(await askSeenBy(bo, message)).toMatchObject({ can_answer: true, can_withdraw: false });
  const { id } = (await ana.call("listMembers", docs)).members.find(({ name }) => name === "bo")!;
  expect((await eventsOf(ana)).at(-1)).toMatchObject({
    type: "message.posted",
    data: {
      expects_reply: true,
      recipients: [id],
      ask: {
        to: id,
        options: ["this", "that"],
        blocking: true,
        going_with: null,
        going_at: null,
        task_id: null,
      },
    },
  });
  expect(await post(ana, "plain")).not.toHaveProperty("ask");
});

test("an agent that names nobody asks its own person", async () => {
  const { scout, ana } = await startBoardWithAsks();
  const message = await post(scout, { body: "May I?", ask: {} });
  expect(message).toMatchObject({ to: ["@bo"], ask: { to: { name: "bo" }, options: [] } });
  expect(await refusalOf(post(ana, { body: "May I?", ask: {} }))).toMatchObject({
    status: 422,
    code: "ask_invalid",
  });
});

test("an ask to a name that nobody has is refused with the names that there are", async () => {
  const { ana } = await startBoardWithAsks();
  const refused = await refusalOf(post(ana, { body: "You?", to: ["@scuot"], ask: {} }));
  expect(refused.code).toBe("ask_invalid");
  expect(refused.message).toContain("nobody on the board is called @scuot; its members are ");
  expect(refused.message).toMatch(/\bscout\b/);
});

test("an agent is asked as a person is, and one target named twice is one", async () => {
  const { ana } = await startBoardWithAsks();
  const message = await post(ana, { body: "You?", to: ["@scout", "@scout"], ask: {} });
  expect(message).toMatchObject({ to: ["@scout"], ask: { to: { name: "scout", kind: "agent" } } });
});

test("an ask that goes with a choice does not block, and goes at the time it was posted unless said", async () => {
  const { world, ana } = await startBoardWithAsks();
  const at = (await askOn(ana, "@bo", { going_with: "this" })).ask!;
  expect(at).toMatchObject({
    blocking: false,
    going_with: "this",
    going_at: world.clock.now.toISOString(),
    state: "went_with",
  });
  const later = await askOn(ana, "@bo", {
    going_with: "this",
    going_at: "2026-01-01T02:00:00.5+01:00",
  });
  expect(later.ask).toMatchObject({ going_at: "2026-01-01T01:00:00.500Z", state: "open" });
});

describe("is refused, and nothing is written:", () => {
  const body = "Which?";
  const none = `msg_${"0".repeat(26)}`;
  test.each([
    ["an ask to all", { body, to: ["all"], ask: {} }],
    ["an ask to several", { body, to: ["@bo", "@cy"], ask: {} }],
    ["an ask to a role", { body, to: ["role:member"], ask: {} }],
    ["an ask to a person's agents", { body, to: ["owner:bo"], ask: {} }],
    ["an ask to nobody known", { body, to: ["@nobody"], ask: {} }],
    ["an ask to what is no target", { body, to: ["bo"], ask: {} }],
    ["an ask to oneself", { body, to: ["@ana"], ask: {} }],
    ["an ask as a reply", { body, to: ["@bo"], ask: {}, reply_to: none }],
    ["an ask that answers", { body, to: ["@bo"], ask: {}, answer: { option: 1 } }],
    ["a blank option", { body, to: ["@bo"], ask: { options: ["this", " "] } }],
    ["a blank choice", { body, to: ["@bo"], ask: { going_with: " " } }],
    [
      "a time without a choice",
      { body, to: ["@bo"], ask: { going_at: "2026-01-02T00:00:00.000Z" } },
    ],
    ["an approval without files", { body, to: ["@bo"], ask: { approval: true, options: ["yes"] } }],
    [
      "an approval without options",
      { body, to: ["@bo"], ask: { approval: true }, files: [{ file: "a.md" }] },
    ],
    [
      "an approval by an agent",
      {
        body,
        to: ["@scout"],
        ask: { approval: true, options: ["yes"] },
        files: [{ file: "a.md" }],
      },
    ],
    ["an answer to no message", { body, answer: { option: 1 } }],
  ])("%s, 422 ask_invalid", async (_, message) => {
    const { ana } = await startBoardWithAsks();
    expect(await refusalOf(post(ana, message))).toMatchObject({ status: 422, code: "ask_invalid" });
  });

  test.each([
    ["five options", { options: ["1", "2", "3", "4", "5"] }],
    ["an option of 81 characters", { options: ["🎉".repeat(81)] }],
    ["an empty option", { options: [""] }],
    ["a choice of 121 characters", { going_with: "x".repeat(121) }],
    ["an empty choice", { going_with: "" }],
    ["a time that is none", { going_with: "x", going_at: "tomorrow" }],
    ["a time that no calendar has", { going_with: "x", going_at: "2026-02-30T00:00:00Z" }],
    ["a time before all years", { going_with: "x", going_at: "0000-01-01T00:00:00+05:00" }],
    ["an unknown field", { urgent: true }],
  ])("%s, 400 invalid_request", async (_, asked) => {
    const { world, ana } = await startBoardWithAsks();
    const attempt = ask(world, "POST /v1/boards/docs/messages", {
      token: ana.token,
      body: { body, to: ["@bo"], ask: asked },
    });
    expect((await attempt).verdict).toBe("400 invalid_request");
  });

  test("an ask to a member who has gone, 422 ask_invalid", async () => {
    const { ana, bo } = await startBoardWithAsks();
    await bo.call("leaveBoard", docs);
    for (const to of ["@bo", "@scout"])
      expect(await verdictOf(askOn(ana, to))).toBe("422 ask_invalid");
  });

  test("an ask to a guest for an approval, 422 ask_invalid; another one is theirs to answer", async () => {
    const { world, ana } = await startBoardWithAsks();
    const gus = await guestOn(world, "gus");
    const attempt = post(ana, {
      body: "Good?",
      to: ["@gus"],
      ask: { approval: true, options: ["yes"] },
      files: [{ file: "a.md" }],
    });
    expect(await refusalOf(attempt)).toMatchObject({
      code: "ask_invalid",
      message: expect.stringContaining("guest"),
    });
    expect(await askSeenBy(gus, await askOn(ana, "@gus"))).toMatchObject({ can_answer: true });
    expect(await askOn(gus.agent, undefined)).toMatchObject({ to: ["@gus"] });
  });

  test("an ask of an agent that may not post, and of anybody on an archived board", async () => {
    const { world, ana, writer } = await startBoardWithAsks();
    await setRole(world, "member", []);
    expect(await verdictOf(askOn(writer, "@bo"))).toBe("403 forbidden");
    await ana.call("archiveBoard", docs);
    // What is wrong with the ask is told after that.
    expect(await verdictOf(askOn(ana, "all"))).toBe("409 board_archived");
  });
});

test("an ask of 4 options of 80 characters and a choice of 120 is taken", async () => {
  const { ana } = await startBoardWithAsks();
  const options = ["1", "2", "3", "4"].map((one) => one + "🎉".repeat(79));
  const going_with = "🎉".repeat(120);
  expect((await askOn(ana, "@bo", { options, going_with })).ask).toMatchObject({
    options,
    going_with,
  });
});

test("an ask to approve names versions of files, and is marked as one", async () => {
  const { ana, bo } = await startBoardWithAsks();
  await put(ana, "plan.md");
  const message = await post(ana, {
    body: "Good?",
    to: ["@bo"],
    ask: { approval: true, options: ["Yes", "No"] },
    files: [{ file: "plan.md" }],
  });
  expect(message).toMatchObject({ ask: { approval: true }, files: [{ version: 1 }] });
  expect((await eventsOf(bo)).at(-1)!.data!["ask"]).toMatchObject({ approval: true });
});

test("an ask may be urgent where its sender may send urgent messages", async () => {
  const { world, ana, writer } = await startBoardWithAsks();
  await setPolicy(world, { urgent: "granted" });
  await setRole(world, "member", ["post"]);
  const urgent = { body: "Now?", to: ["@bo"], ask: {}, urgent: true };
  expect(await verdictOf(post(writer, urgent))).toBe("403 urgent_not_allowed");
  expect(await post(ana, urgent)).toMatchObject({ urgent: true });
});

test("a repeat of an ask under one key is one ask", async () => {
  const { ana, bo } = await startBoardWithAsks();
  const given = { ...docs, body: { body: "Which?", to: ["@bo"], ask: { options: ["this"] } } };
  const first = await ana.call("postMessage", given, { idempotencyKey: "k" });
  expect(await ana.call("postMessage", given, { idempotencyKey: "k" })).toEqual(first);
  expect((await bo.call("listAsks")).asks.map(({ id }) => id)).toEqual([first.id]);
});

test("ServerInfo names asks", async () => {
  const { ana } = await startBoardWithAsks();
  expect((await ana.call("getInfo")).features).toContain("asks");
});
