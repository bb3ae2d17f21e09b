import { counted } from "./counted.ts";
import type { Directions } from "./directions.ts";
import type { Message } from "./message-element.ts";
import type { OwnAsk, OwnAsks } from "./own-asks.ts";
import { plainLine } from "./text-element.ts";
import { span } from "./time-text.ts";

/** For whom a text is written. */
export interface AgentReader {
  readonly to: Directions;
  /** A timestamp as this reader gets it. */
  when(timestamp: string): string;
  /** Milliseconds since 1970, to say how old a message is. Left out, no message says it. */
  readonly now?: number;
  /** The agent's name on the board, if its session has several seats. */
  readonly seat?: string | undefined;
  /** The asks of the agent that the messages answer. */
  readonly ownAsks?: OwnAsks;
}

type Ask = NonNullable<Message["ask"]>;

const oldMs = 60_000;

/** The lines of this program after a message's element: what the agent may want to know, and what it can do. */
export function hintsOf(message: Message, reader: AgentReader): string[] {
  const { seq, files = [], ask, expects_reply } = message;
  const { to } = reader;
  return [
    ...ageHint(message, reader),
    ...files.map(
      (file) => `Attached: ${plainLine(file.name)} v${file.version}. Fetch it: ${to.fetch(file)}`,
    ),
    ...answerHint(message, reader.ownAsks),
    ...(ask ? askHints(message, ask, reader) : []),
    ...(expects_reply && !ask ? [`A reply is asked for: ${to.reply(seq)}`] : []),
  ];
}

/** When the message was sent, if it is not new. */
function ageHint({ at }: Message, { now, when }: AgentReader): string[] {
  const age = now === undefined ? 0 : now - Date.parse(at);
  return age > oldMs ? [`Sent ${span(age)} ago, at ${when(at)}.`] : [];
}

/** The lines after an ask: what happens without an answer, the options, and how to answer. */
function askHints({ seq, from }: Message, ask: Ask, reader: AgentReader): string[] {
  const { state, options, can_answer, answer_seq } = ask;
  if (state === "withdrawn" || state === "answered") return [`It was ${state} in #${answer_seq}.`];
  if (!can_answer) return [];
  const { to } = reader;
  return [
    ...goingHint(ask, `@${plainLine(from.name)}`, reader),
    ...options.map((text, i) => `${i + 1}. ${plainLine(text)}`),
    options.length
      ? `Choose one: ${to.choose(seq)}, or answer in words: ${to.answer(seq)}`
      : `Answer it: ${to.answer(seq)}`,
  ];
}

/** What the asker does without an answer, and when. No line if the asker waits. */
function goingHint(
  { state, going_with, going_at }: Ask,
  asker: string,
  { when }: AgentReader,
): string[] {
  if (going_with === null || going_at === null) return [];
  const choice = `“${plainLine(going_with)}”`;
  return state === "went_with"
    ? [`${asker} went with ${choice} at ${when(going_at)}. You can still answer.`]
    : [`${asker} goes with ${choice} at ${when(going_at)}, unless you answer otherwise.`];
}

/** The lines after an answer: which option it chooses, and more if it answers an ask of the reader. */
function answerHint({ from, answer }: Message, ownAsks: OwnAsks = new Map()): string[] {
  if (!answer || answer.withdrawn) return [];
  const { ask_id, ask_seq, option, option_text } = answer;
  const text = option_text === null ? "" : `: ${plainLine(option_text)}`;
  const own = ownAsks.get(ask_id);
  if (own === undefined) return text === "" ? [] : [`It chooses option ${option}${text}`];
  const how = option === null ? "in words" : `with option ${option}${text}`;
  const ask = own?.message.ask;
  // Only the person who was asked approves; others' answers approve nothing.
  const approves =
    ask?.approval && option === 1 && from.name === ask.to.name && from.origin === ask.to.origin;
  const files = approves ? (own?.message.files ?? []) : [];
  return [
    `@${plainLine(from.name)} answered your ask #${ask_seq} ${how}.`,
    ...files.map(({ name, version }) => `Approved: ${plainLine(name)} version ${version}.`),
    ...(ask?.blocking && ask.task ? [`${ask.task.ref} is ${blockedStill(own!)}.`] : []),
  ];
}

/** What blocks a task after one of its asks was answered. */
function blockedStill({ blocks }: OwnAsk): string {
  if (blocks === null) return "no longer blocked by it";
  return blocks === 0
    ? "no longer blocked"
    : `still blocked by ${counted(blocks, "other ask", "other asks")}`;
}
