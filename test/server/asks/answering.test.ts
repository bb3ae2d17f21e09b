import { describe, expect, test } from "bun:test";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import {
  answerWith,
  askOn,
  askSeenBy,
  startBoardWithAsks,
  waitingFor,
  withdraw,
} from "../../support/boards/board-with-asks.ts";
import {
  docs,
  eventsOf,
  headOf,
  post,
  seatOnDocs,
  setPolicy,
  setRole,
} from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

const blocking = { needs_reply: 1, asks_to_me: { blocking: 1, going_with: 0 } };
const nothing = { needs_reply: 0, asks_to_me: { blocking: 0, going_with: 0 } };

describe("an ask is answered", () => {
  test("by the member asked, with an option", async () => {
    const { ana, bo } = await startBoardWithAsks();
    const question = await askOn(ana, "@bo");
    expect(await waitingFor(bo)).toEqual(blocking);
    const answer = await answerWith(bo, question, 2);
    expect(answer).toMatchObject({
      to: ["@ana"],
      reply_to: question.id,
      answer: {
        ask_id: question.id,
        ask_seq: question.seq,
        option: 2,
        option_text: "that",
        withdrawn: false,
      },
    });
    expect((await eventsOf(ana)).at(-1)!.data).toMatchObject({
      answer: { ask_id: question.id, option: 2, withdrawn: false },
    });
    expect(await askSeenBy(ana, question)).toMatchObject({
      state: "answered",
      answer_seq: answer.seq,
      answer_option: 2,
      can_answer: false,
      can_withdraw: true,
    });
    expect(await waitingFor(bo)).toEqual(nothing);
  });

  test("by the member asked, with any reply in words", async () => {
    const { ana, bo } = await startBoardWithAsks();
    for (const reply of [{}, { answer: {} }]) {
      const question = await askOn(ana, "@bo");
      const answer = await post(bo, { body: "Neither.", reply_to: question.id, ...reply });
      expect(answer.answer).toEqual({
        ask_id: question.id,
        ask_seq: question.seq,
        option: null,
        option_text: null,
        withdrawn: false,
      });
      expect(await askSeenBy(ana, question)).toMatchObject({
        state: "answered",
        answer_seq: answer.seq,
        answer_option: null,
      });
    }
  });

  test("by an agent that was asked", async () => {
    const { ana, scout } = await startBoardWithAsks();
    const question = await askOn(ana, "@scout");
    expect(await askSeenBy(scout, question)).toMatchObject({ can_answer: true });
    await answerWith(scout, question, 1);
    expect(await askSeenBy(ana, question)).toMatchObject({ state: "answered", answer_option: 1 });
  });

  test("by the own person of an agent that asks, with an option or in words", async () => {
    const { ana, writer } = await startBoardWithAsks();
    for (const option of [1, undefined]) {
      const question = await askOn(writer, "@bo");
      expect(await askSeenBy(ana, question)).toMatchObject({ can_answer: true });
      await answerWith(ana, question, option);
      expect(await askSeenBy(writer, question)).toMatchObject({
        state: "answered",
        answer_option: option ?? null,
      });
    }
    const plain = await askOn(writer, "@bo");
    expect((await post(ana, { body: "Do that.", reply_to: plain.id })).answer).toBeDefined();
  });

  test("by nobody who replies to something else in its thread", async () => {
    const { ana, bo, cy } = await startBoardWithAsks();
    const question = await askOn(ana, "@bo");
    const aside = await post(cy, { body: "Hm.", reply_to: question.id });
    expect(await post(bo, { body: "Hm?", reply_to: aside.id })).not.toHaveProperty("answer");
    expect(await askSeenBy(ana, question)).toMatchObject({ state: "open" });
    expect(await waitingFor(bo)).toEqual(blocking);
  });

  test("again: the latest answer is the decision, and each stays recorded", async () => {
    const { ana, bo } = await startBoardWithAsks();
    const question = await askOn(ana, "@bo");
    const first = await answerWith(bo, question, 1);
    const second = await answerWith(bo, question, 2);
    expect(await askSeenBy(bo, question)).toMatchObject({
      state: "answered",
      answer_seq: second.seq,
      answer_option: 2,
      can_answer: true,
    });
    const { message } = await ana.call("getMessage", { params: { message: first.id } });
    expect(message.answer).toMatchObject({ option: 1, option_text: "this" });
  });
});

describe("an ordinary reply is", () => {
  test("one of somebody else, of the asker, or of another agent of the same person", async () => {
    const { ana, cy, writer, second } = await startBoardWithAsks();
    const question = await askOn(writer, "@bo");
    for (const by of [cy, writer, second])
      expect(await post(by, { body: "Hm.", reply_to: question.id })).not.toHaveProperty("answer");
    expect(await askSeenBy(ana, question)).toMatchObject({ state: "open" });
  });

  test("one of an asker's own agent: a person answers for agents, and not the other way", async () => {
    const { ana, bo, writer, scout } = await startBoardWithAsks();
    const question = await askOn(ana, "@bo");
    for (const by of [writer, scout]) {
      expect(await post(by, { body: "Hm.", reply_to: question.id })).not.toHaveProperty("answer");
      expect(await verdictOf(answerWith(by, question, 1))).toBe("403 not_asked");
    }
    expect(await waitingFor(bo)).toEqual(blocking);
  });

  test("one to a withdrawn ask", async () => {
    const { ana, bo } = await startBoardWithAsks();
    const question = await askOn(ana, "@bo");
    await withdraw(ana, question);
    expect(await post(bo, { body: "Oh.", reply_to: question.id })).not.toHaveProperty("answer");
    expect(await askSeenBy(ana, question)).toMatchObject({ state: "withdrawn" });
  });
});

describe("an ask is withdrawn", () => {
  test("by its asker, with or without an answer, and then takes no answer", async () => {
    const { ana, bo } = await startBoardWithAsks();
    for (const answered of [false, true]) {
      const question = await askOn(ana, "@bo");
      if (answered) await answerWith(bo, question, 1);
      const taken = await withdraw(ana, question);
      expect(taken).toMatchObject({
        to: ["@bo"],
        answer: { ask_id: question.id, option: null, option_text: null, withdrawn: true },
      });
      const over = { state: "withdrawn", answer_seq: taken.seq, answer_option: null };
      expect(await askSeenBy(ana, question)).toMatchObject({ ...over, can_withdraw: false });
      expect(await askSeenBy(bo, question)).toMatchObject({ ...over, can_answer: false });
      expect(await waitingFor(bo)).toEqual(nothing);
      for (const attempt of [answerWith(bo, question, 1), answerWith(bo, question)])
        expect(await verdictOf(attempt)).toBe("409 ask_closed");
      expect(await verdictOf(withdraw(ana, question))).toBe("409 ask_closed");
    }
  });

  test("though the member asked has gone", async () => {
    const { world, ana, writer } = await startBoardWithAsks();
    const question = await askOn(writer, "@scout");
    await world.admin.call("removeAgent", { params: { board: "docs", member: "scout" } });
    expect(await withdraw(writer, question)).toMatchObject({ to: ["@scout"] });
    expect(await askSeenBy(ana, question)).toMatchObject({ state: "withdrawn" });
  });
});

test("what an agent asked that has gone since can still be answered", async () => {
  const { ana, bo, writer } = await startBoardWithAsks();
  const question = await askOn(writer, "@bo");
  await writer.call("leaveAsAgent");
  expect(await waitingFor(bo)).toEqual(blocking);
  expect(await answerWith(bo, question, 1)).toMatchObject({ to: ["@writer"] });
  expect(await waitingFor(bo)).toEqual(nothing);
  // With targets it goes to them, and decides all the same.
  const other = await post(bo, { body: "By the way.", to: ["@cy"], reply_to: question.id });
  expect(other.answer).toBeDefined();
  expect(await askSeenBy(ana, question)).toMatchObject({ answer_seq: other.seq });
});

describe("is refused, and nothing is written:", () => {
  test("an answer by whoever was not asked, and a withdrawal by whoever did not ask", async () => {
    const { ana, bo, cy, writer, second } = await startBoardWithAsks();
    const question = await askOn(writer, "@bo");
    for (const by of [cy, second, writer])
      for (const option of [1, undefined])
        expect(await refusalOf(answerWith(by, question, option))).toMatchObject({
          status: 403,
          code: "not_asked",
        });
    for (const by of [bo, ana, cy])
      expect(await verdictOf(withdraw(by, question))).toBe("403 not_asked");
  });

  test("an answer to what is no ask, or with an option that it has not", async () => {
    const { ana, bo } = await startBoardWithAsks();
    const plain = await post(ana, { body: "Hello.", to: ["@bo"] });
    const question = await askOn(ana, "@bo");
    const words = await askOn(ana, "@bo", { options: [] });
    for (const attempt of [
      answerWith(bo, plain, 1),
      withdraw(ana, plain),
      answerWith(bo, question, 3),
      answerWith(bo, words, 1),
      post(bo, { body: "So.", reply_to: question.id, answer: { option: 1, withdrawn: true } }),
      post(ana, { body: "So.", reply_to: question.id, answer: { option: 1, withdrawn: true } }),
    ])
      expect(await refusalOf(attempt)).toMatchObject({ status: 422, code: "ask_invalid" });
  });

  test("a caller who may not answer is refused before a wrong answer is, and a wrong answer before a withdrawal", async () => {
    const { ana, bo, cy } = await startBoardWithAsks();
    const question = await askOn(ana, "@bo");
    await withdraw(ana, question);
    expect(await verdictOf(answerWith(cy, question, 4))).toBe("403 not_asked");
    expect(await verdictOf(answerWith(bo, question, 4))).toBe("422 ask_invalid");
    expect(await verdictOf(answerWith(bo, question, 1))).toBe("409 ask_closed");
    // Targets are looked at before all of it.
    const lost = post(cy, { body: "x", to: ["@nobody"], reply_to: question.id, answer: {} });
    expect(await verdictOf(lost)).toBe("422 unknown_recipient");
  });

  test("an answer of an agent that may not post, or on an archived board", async () => {
    const { world, ana, scout, bo } = await startBoardWithAsks();
    const toScout = await askOn(ana, "@scout");
    const toBo = await askOn(ana, "@bo");
    await setRole(world, "member", []);
    expect(await askSeenBy(scout, toScout)).toMatchObject({ can_answer: false });
    expect(await verdictOf(answerWith(scout, toScout, 1))).toBe("403 forbidden");
    await ana.call("archiveBoard", docs);
    expect(await askSeenBy(bo, toBo)).toMatchObject({ state: "open", can_answer: false });
    expect(await askSeenBy(ana, toBo)).toMatchObject({ can_withdraw: false });
    expect(await verdictOf(answerWith(bo, toBo, 1))).toBe("409 board_archived");
    expect(await verdictOf(withdraw(ana, toBo))).toBe("409 board_archived");
  });
});

test("what goes with a choice is open until its time, and can be answered after it", async () => {
  const { world, ana, bo } = await startBoardWithAsks();
  const question = await askOn(ana, "@bo", {
    going_with: "this",
    going_at: "2026-01-01T00:10:00.000Z",
  });
  const waits = { needs_reply: 1, asks_to_me: { blocking: 0, going_with: 1 } };
  world.pass(599);
  expect(await waitingFor(bo)).toEqual(waits);
  expect(await askSeenBy(bo, question)).toMatchObject({ state: "open" });
  world.pass(1);
  expect(await waitingFor(bo)).toEqual(nothing);
  expect(await askSeenBy(bo, question)).toMatchObject({
    state: "went_with",
    answer_seq: null,
    can_answer: true,
  });
  await answerWith(bo, question, 2);
  expect(await askSeenBy(bo, question)).toMatchObject({ state: "answered", answer_option: 2 });
  await withdraw(ana, question);
  expect(await askSeenBy(bo, question)).toMatchObject({ state: "withdrawn" });
});

test("a page shows what an ask has come to by now, to each reader, though it was read before", async () => {
  const { world, ana, bo, scout } = await startBoardWithAsks();
  await askOn(ana, "@scout", { going_with: "this", going_at: "2026-01-01T00:01:00.000Z" });
  const seen = async () => {
    const pages = await Promise.all(
      [ana, bo, scout].map((each) => each.call("listMessages", { ...docs })),
    );
    const { messages } = await scout.call("getInbox");
    return [...pages.map(({ messages: [first] }) => first!), messages[0]!].map(({ ask }) => [
      ask!.state as string,
      ask!.can_answer,
      ask!.can_withdraw,
    ]);
  };
  const by = (state: string) => [
    [state, false, true],
    [state, false, false],
    [state, true, false],
    [state, true, false],
  ];
  expect(await seen()).toEqual(by("open"));
  world.pass(60);
  expect(await seen()).toEqual(by("went_with"));
  const { messages } = await scout.call("getInbox");
  await answerWith(scout, messages[0]!, 1);
  expect(await seen()).toEqual(by("answered"));
});

describe("where agents read only what is addressed to them,", () => {
  test("an ask that they may not read does not exist for them", async () => {
    const { world, ana, second } = await startBoardWithAsks();
    await setPolicy(world, { visibility: "addressed" });
    const question = await askOn(ana, "@scout");
    expect(await verdictOf(answerWith(second, question, 1))).toBe("404 message_not_found");
    expect(await verdictOf(withdraw(second, question))).toBe("404 message_not_found");
  });

  test("an answer tells its option's text to who may read the ask alone", async () => {
    const { world, ana, bo, second, scout } = await startBoardWithAsks();
    await setPolicy(world, { visibility: "addressed" });
    const question = await askOn(ana, "@bo");
    const answer = await post(bo, {
      body: "For everybody.",
      to: ["all"],
      reply_to: question.id,
      answer: { option: 1 },
    });
    const seenBy = async (reader: typeof second | typeof ana) =>
      (await reader.call("getMessage", { params: { message: answer.id } })).message.answer;
    const told = { ask_id: question.id, ask_seq: question.seq, option: 1, withdrawn: false };
    expect(await seenBy(ana)).toEqual({ ...told, option_text: "this" });
    for (const agent of [second, scout])
      expect(await seenBy(agent)).toEqual({ ...told, option_text: null });
  });
});

test("a repeat of an answer under one key is one answer, though the ask was withdrawn meanwhile", async () => {
  const { ana, bo } = await startBoardWithAsks();
  const question = await askOn(ana, "@bo");
  const given = { ...docs, body: { body: "So.", reply_to: question.id, answer: { option: 1 } } };
  const first = await bo.call("postMessage", given, { idempotencyKey: "k" });
  await withdraw(ana, question);
  expect(await bo.call("postMessage", given, { idempotencyKey: "k" })).toEqual(first);
  expect(await verdictOf(bo.call("postMessage", given))).toBe("409 ask_closed");
});

test("of an answer and a withdrawal at once either the answer is refused or both are recorded in their order", async () => {
  const { ana, bo } = await startBoardWithAsks();
  for (let round = 0; round < 10; round++) {
    const question = await askOn(ana, "@bo");
    const attempts = [
      () => answerWith(bo, question, 1),
      () => withdraw(ana, question),
      () => answerWith(bo, question, 2),
    ];
    const order = round % 2 ? attempts : attempts.toReversed();
    const came = await Promise.allSettled(order.map((attempt) => attempt()));
    const refused = came.filter(({ status }) => status === "rejected");
    for (const each of refused)
      expect((each as PromiseRejectedResult).reason).toMatchObject({ code: "ask_closed" });
    const answers = came.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    const last = answers.toSorted((a, b) => b.seq - a.seq)[0]!;
    expect(last.answer).toMatchObject({ withdrawn: true });
    expect(await askSeenBy(ana, question)).toMatchObject({
      state: "withdrawn",
      answer_seq: last.seq,
    });
  }
});

test("a question that is no ask waits for a direct reply, beside the asks that are open", async () => {
  const { world, ana, bo, writer } = await startBoardWithAsks();
  await post(ana, { body: "And?", to: ["@bo"], expects_reply: true });
  const question = await askOn(ana, "@bo");
  await askOn(ana, "@bo", { going_with: "this", going_at: "2026-01-01T00:10:00.000Z" });
  expect(await waitingFor(bo)).toEqual({
    needs_reply: 3,
    asks_to_me: { blocking: 1, going_with: 1 },
  });
  await answerWith(bo, question, 1);
  world.pass(600);
  expect(await waitingFor(bo)).toEqual({ ...nothing, needs_reply: 1 });
  // An agent's board says neither.
  expect(await waitingFor(writer)).toEqual({ needs_reply: undefined, asks_to_me: undefined });
});

test("an answer wakes the agent that waits for it", async () => {
  const { world, ana, bo } = await startBoardWithAsks();
  const waiter = await seatOnDocs(world, "waiter");
  const question = await askOn(waiter, "@bo");
  await waiter.call("ackInbox", { body: { up_to: await headOf(ana) } });
  const waited = waiter.call("getInbox", { query: { wait: 30 } });
  await answerWith(bo, question, 1);
  expect((await waited).messages.map(({ answer }) => answer?.ask_id)).toEqual([question.id]);
});
