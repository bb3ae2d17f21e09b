import { boardNameForm, idForm, memberNameForm, taskReferenceForm } from "../contract/forms.ts";
import type { OutputOf } from "../contract/index.ts";
import type { DeliveryMode } from "../contract/waking.ts";
import type { Message } from "./message-element.ts";
import type { Work } from "./work-text.ts";

/*
 * What texts for agents are written from, of a server's answers. What stands in them as the program's own words must have its
 * form: a server that lies must not speak in its place. What a newer server adds is not looked at.
 */

type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";
export const isSeq: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFlag: Check = (value) => typeof value === "boolean";
const formed =
  (form: string | RegExp): Check =>
  (value) =>
    isText(value) && new RegExp(form).test(value as string);
const isTime = formed(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(value as string);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
/** A value that may be left out, or null. */
const perhaps =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const has =
  (parts: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && Object.entries(parts).every(([name, check]) => check(value[name]));

const isReference = formed(taskReferenceForm);

const sender = {
  name: isText,
  kind: isText,
  owner: perhaps(isText),
  role: perhaps(isText),
  harness: perhaps(isText),
  origin: perhaps(isText),
};
const ask = {
  to: has(sender),
  options: listOf(isText),
  blocking: isFlag,
  can_answer: isFlag,
  going_with: perhaps(isText),
  going_at: perhaps(isTime),
  answer_seq: perhaps(isSeq),
  task: perhaps(has({ ref: isReference })),
};
const answer = {
  ask_id: isText,
  ask_seq: isSeq,
  withdrawn: isFlag,
  option: perhaps(isSeq),
  option_text: perhaps(isText),
};
const reaction = { emoji: isText, count: isSeq };
const file = { id: formed(idForm("fil")), name: isText, version: isSeq };

const isWholeMessage = has({
  id: isText,
  seq: isSeq,
  body: isText,
  sender: isText,
  from: has(sender),
  board: isText,
  at: isTime,
  to: listOf(isText),
  mentions: listOf(has({ id: isText })),
  urgent: isFlag,
  expects_reply: isFlag,
  damped: perhaps(listOf(isText)),
  reply_to_seq: perhaps(isSeq),
  reply_to_from: perhaps(isText),
  reactions: listOf(has(reaction)),
  about: perhaps(listOf(has({ ref: isText }))),
  ask: perhaps(has(ask)),
  answer: perhaps(has(answer)),
  files: perhaps(listOf(has(file))),
});

const stands = { text: isText, by: has({ name: formed(memberNameForm) }), at: isTime };
/** A word that a newer server may say in the place of those that this build knows. No text of a person's has this form. */
const isWord = formed(/^[a-z][a-z0-9_-]{0,31}$/);
const isLineKind = oneOf("working", "paused");
const line = {
  kind: isWord,
  text: isText,
  until: perhaps(isTime),
  source: isText,
  at: isTime,
};
const brief = { version: isSeq, at: isTime, messages_since: isSeq, tasks_done_since: isSeq };

const isWholeWork = has({
  nudges: isFlag,
  asks_to_it: isSeq,
  asks_waiting: isSeq,
  open_tasks: perhaps(isSeq),
  oldest_open: perhaps(has({ ref: isReference })),
  line: perhaps(has(line)),
  brief: perhaps(has(brief)),
  current_task: perhaps(has({ ref: isReference, title: isText, stands: perhaps(has(stands)) })),
});

/** Whether what a text shows of a message is there. */
export const isMessage = (value: unknown): value is Message => isWholeMessage(value);
/** Whether what a text shows of an agent's work is there. */
export const isWork = (value: unknown): value is Work => isWholeWork(value);

const isWholeInbox = has({
  board: formed(boardNameForm),
  agent: isText,
  messages: listOf(isMessage),
  more: isFlag,
  work: isWork,
});
/** Whether what a text shows of an inbox is there. */
export const isInbox = (value: unknown): value is OutputOf<"getInbox"> => isWholeInbox(value);
/** What an agent works on, without a status line of a kind that only a newer build knows. */
export const knownWork = (work: Work): Work =>
  work.line && !isLineKind(work.line.kind) ? { ...work, line: null } : work;

const isKnownMode = oneOf(
  ...(["focused", "all", "humans", "off"] satisfies readonly DeliveryMode[]),
);
/** Whether a value can be a delivery mode: one that this build knows, or one of a newer server. */
export const isModeWord = (value: unknown): value is DeliveryMode => isWord(value);
/** A mode as this build can apply it. One that it does not know counts as `off`, which does nothing that another one forbids. */
export const knownMode = (mode: DeliveryMode): DeliveryMode => (isKnownMode(mode) ? mode : "off");
