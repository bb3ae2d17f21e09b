import fc from "fast-check";
import { expect } from "bun:test";
import { boardName } from "../drawn.ts";
import type { BoardModel, Recorded } from "../model.ts";
import { command, type Command } from "../registry.ts";
import { allows, askState } from "../rules.ts";
import {
  aboutOf,
  addressing,
  answeredBy,
  answering,
  defaultTargets,
  isUnknown,
  meant,
  type Answer,
} from "../saying.ts";
import { boardCalled, memberOf, pick } from "../scene.ts";
import { standingOn } from "../standing.ts";

const targetLists = [
  undefined,
  undefined,
  undefined,
  ["all"],
  ["@ana"],
  ["@bo", "@pen"],
  ["@hand"],
  ["@fly", "@gus"],
  ["role:writer"],
  ["role:member", "@eye"],
  ["owner:ana"],
  ["owner:bo", "@eye"],
];
const words = [
  "alpha",
  "beta @pen",
  "gamma @role:reviewer",
  "delta @hand and @ana",
  "`@eye` alpha",
  "alpha yar-1",
  "beta vau-2 and VAU-1",
  "`YAR-1`",
];
const nothing = Array<undefined>(7).fill(undefined);
const aboutLists = [...nothing, ["1"], ["2", "1"], ["3"], [], ["9"]];
/** Those of the numbers that there are tasks of; the greatest stays, to be refused. */
const there = (board: BoardModel, numbers: readonly string[] | undefined) =>
  numbers?.filter((number) => number === "9" || Number(number) <= board.tasks.size);

interface Post {
  readonly board: string;
  readonly to: readonly string[] | undefined;
  readonly body: string;
  readonly urgent: boolean;
  readonly expects_reply: boolean;
  readonly quiet: true | undefined;
  readonly about: readonly string[] | undefined;
  readonly reply_to: string | undefined;
  readonly answer: Answer | undefined;
}

/** Takes what is undefined out of a body. */
const given = (body: object): never =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never;

const posting = command({
  name: "post",
  weight: 30,
  arbitrary: fc.record({
    board: boardName,
    to: fc.constantFrom(...targetLists),
    word: fc.nat(words.length - 1),
    flags: fc.nat(7),
    about: fc.constantFrom(...aboutLists),
    /** Which message it replies to; null for a new one. */
    answers: fc.option(fc.nat(50), { freq: 2 }),
    answer: fc.constantFrom(...nothing, {}, { option: 1 }, { withdrawn: true as const }),
  }),
  choose(scene, _by, { board: name, to, word, flags, about, answers, answer }): Post {
    // The newest first, and asks before the rest: what somebody answers was mostly said just now.
    const board = boardCalled(scene, name);
    const messages = [...board.messages.values()].toReversed();
    const asks = messages.filter(({ ask }) => ask);
    // Some replies go to messages that wait for one.
    const awaited = messages.filter(({ expectsReply }) => expectsReply && flags < 3);
    const [first = []] = [answer ? asks : [], awaited].filter(({ length }) => length > 0);
    const answered = answers === null ? null : pick(first.length > 0 ? first : messages, answers);
    return {
      board: name,
      to,
      body: `common ${words[word]!}`,
      urgent: flags === 7,
      expects_reply: flags % 2 === 1,
      quiet: flags === 6 ? true : undefined,
      about: there(board, about),
      reply_to: answered?.id,
      answer: answered ? answer : undefined,
    };
  },
  model(scene, by, { board: name, to: targets, about: listed, answer, ...message }) {
    const { urgent, expects_reply, quiet, reply_to, body } = message;
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by, { guests: true });
    if (refusal !== null) return { refusal };
    if (!allows(board, me, "post")) return { refusal: "forbidden" };
    if (board.archived) return { refusal: "board_archived" };
    const { message: answered, isHidden } = answeredBy(board, me, reply_to);
    if (isHidden) return { refusal: "message_not_found" };
    const to = targets ?? (answered ? defaultTargets(board, me, answered) : ["all"]);
    // An answer goes to the other side though it has gone; every other such reply has nobody to go to.
    if (to.length === 0) return answered!.ask ? {} : { refusal: "reply_has_no_recipients" };
    if (isUnknown(board, scene, to)) return { refusal: "unknown_recipient" };
    const mayNot = addressing(board, me, { to, urgent });
    if (mayNot) return { refusal: mayNot };
    const about = aboutOf(board, me, listed, answered, body);
    if (!about) return { refusal: "task_not_found" };
    const result = answering(board, me, answered, answer);
    if (result.refusal !== null) return result;
    if (quiet && result.recorded) return { refusal: "invalid_request" };
    const recipients = meant(board, scene, to).flatMap(({ id }) => (id === me.id ? [] : [id]));
    return {
      refusal: null,
      events: ["message.posted"],
      after(_answer, [event]) {
        const { data } = event as Recorded & { type: "message.posted" };
        expect({ ...data, to: data.to.toSorted() }).toMatchObject({
          body,
          urgent,
          expects_reply,
          reply_to: reply_to ?? null,
          to: to.toSorted(),
        });
        expect(data.quiet).toBe(quiet);
        const author = answered && board.members.get(answered.sender)!;
        if (!targets && author?.active && author.id !== me.id)
          expect(data.to[0]).toBe(`@${author.name}`);
        const all = to.includes("all");
        expect(data.recipients?.toSorted()).toEqual(all ? undefined! : recipients.toSorted());
        expect((data.about ?? []).map(({ id, how }) => ({ id, how }))).toEqual(about as never);
        expect(data.answer ?? null).toEqual(result.recorded as never);
      },
    };
  },
  run: (_scene, { client }, { board, ...body }) =>
    client.send("postMessage", { params: { board }, body: given(body) }),
});

interface Ask {
  readonly board: string;
  readonly to: readonly string[] | undefined;
  readonly about: readonly string[] | undefined;
  readonly ask: { readonly options: string[]; going_with?: string; going_at?: string };
}

const asking = command({
  name: "ask",
  weight: 10,
  arbitrary: fc.record({
    board: boardName,
    whom: fc.option(fc.nat(20), { freq: 3 }),
    options: fc.constantFrom<string[]>([], ["Yes", "No"]),
    /** In how many seconds it goes with its choice; null for an ask that blocks. */
    going: fc.option(fc.integer({ min: 0, max: 40 }), { freq: 1 }),
    about: fc.constantFrom(...aboutLists.slice(0, -1)),
  }),
  choose(scene, by, { board: name, whom, options, going, about }): Ask {
    const board = boardCalled(scene, name);
    const member = whom === null ? null : pick([...board.members.values()], whom);
    const at = scene.world.at(going ?? 0);
    return {
      board: name,
      to: member ? [`@${member.name}`] : by.seat ? undefined : ["@pen"],
      about: there(board, about),
      ask: { options, ...(going !== null && { going_with: "Yes", going_at: at }) },
    };
  },
  model(scene, by, { board: name, to, about: listed, ask }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by, { guests: true });
    if (refusal !== null) return { refusal };
    if (board.archived) return { refusal: "board_archived" };
    const asked = [...board.members.values()].find((one) =>
      to ? `@${one.name}` === to[0] : one.kind === "human" && one.person === me.person,
    );
    if (!asked?.active || asked.id === me.id) return { refusal: "ask_invalid" };
    const about = aboutOf(board, me, listed, null, "");
    if (!about) return { refusal: "task_not_found" };
    return {
      refusal: null,
      events: ["message.posted"],
      after(answer, [event]) {
        const { data } = event as Recorded & { type: "message.posted" };
        expect(data).toMatchObject({ expects_reply: true, recipients: [asked.id] });
        expect(data.ask).toMatchObject({
          to: asked.id,
          options: ask.options,
          blocking: ask.going_with === undefined,
          task_id: about[0]?.id ?? null,
        });
        const now = scene.world.clock.now.toISOString();
        const state = askState(board, board.messages.get(answer.id)!, now);
        expect(answer.ask.state).toBe(state);
      },
    };
  },
  run: (_scene, { client }, { board, ...body }) =>
    client.send("postMessage", { params: { board }, body: given({ body: "common?", ...body }) }),
});

const closing = command({
  name: "answer or withdraw",
  weight: 6,
  arbitrary: fc.record({ board: boardName, ask: fc.nat(9) }),
  choose(scene, by, { board: name, ask }) {
    const board = boardCalled(scene, name);
    const me = memberOf(board, by);
    const own = [...board.messages.values()].filter(
      (message) => message.ask && (message.ask.to === me?.id || message.sender === me?.id),
    );
    const chosen = pick(own.toReversed(), ask);
    if (!chosen) return null;
    const answer: Answer = chosen.sender === me!.id ? { withdrawn: true } : {};
    return { board: name, reply_to: chosen.id, answer };
  },
  model(scene, by, { board: name, reply_to, answer }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by, { guests: true });
    if (refusal !== null) return { refusal };
    if (board.archived) return { refusal: "board_archived" };
    const { message, isHidden } = answeredBy(board, me, reply_to);
    if (isHidden) return { refusal: "message_not_found" };
    const { refusal: closed } = answering(board, me, message, answer);
    return closed === null ? { refusal: null, events: ["message.posted"] } : { refusal: closed };
  },
  run: (_scene, { client }, { board, ...body }) =>
    client.send("postMessage", { params: { board }, body: { body: "common: so", ...body } }),
});

/** What is said, asked and answered. */
export const postingCommands: readonly Command[] = [posting, asking, closing];
