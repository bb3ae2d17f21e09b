import { oneLine } from "../terminal/clean.ts";
import type { OwnAsk } from "./answered-asks.ts";
import { counted } from "../terminal/table.ts";
import type { Message } from "./message-types.ts";
import { withoutElements } from "../../agent-text/own-element.ts";
import { when } from "../terminal/time-text.ts";

type Ask = NonNullable<Message["ask"]>;

/** Short remarks about an ask or an answer, such as its state. */
export function askMarkers({ ask, answer }: Message): string[] {
  return [
    ...(ask ? [`${ask.approval ? "ask to approve" : "ask"}, ${stateOf(ask)}`] : []),
    ...(answer
      ? [
          answer.withdrawn
            ? `withdraws #${answer.ask_seq}`
            : `answers #${answer.ask_seq}${optionOf(answer)}`,
        ]
      : []),
  ];
}

function stateOf({ state, going_with, going_at, options, answer_seq, answer_option }: Ask): string {
  const choice = going_with && `“${oneLine(going_with)}”`;
  if (state === "went_with") return `went with ${choice}`;
  if (state === "withdrawn") return `withdrawn in #${answer_seq}`;
  if (state === "answered") {
    const text = answer_option === null ? undefined : options[answer_option - 1];
    return `answered in #${answer_seq}${text === undefined ? "" : `: ${numbered(text, answer_option!)}`}`;
  }
  return choice && going_at ? `open, goes with ${choice} at ${when(going_at)}` : "open";
}

/** The chosen option after a colon, or nothing for an answer in words. */
function optionOf({ option, option_text }: NonNullable<Message["answer"]>): string {
  if (option === null) return "";
  return option_text === null ? `: option ${option}` : `: ${numbered(option_text, option)}`;
}

const numbered = (text: string, number: number): string => `${number}. ${oneLine(text)}`;

/** The options of an ask, each on a line with its number. */
export const optionLines = ({ ask }: Message): string[] =>
  (ask?.options ?? []).map((text, i) => numbered(text, i + 1));

// Options and choices are printed outside of the sender's element.
const plain = (text: string): string => withoutElements(oneLine(text));

/** For an agent, the lines after an ask: what happens without an answer, the options, and how to answer. */
export function askHints({ seq, from, ask }: Message, typed: (command: string) => string) {
  if (!ask) return [];
  if (ask.state === "withdrawn" || ask.state === "answered")
    return [`It was ${ask.state} in #${ask.answer_seq}.`];
  if (!ask.can_answer) return [];
  const words = typed(`say --reply ${seq} "TEXT"`);
  return [
    ...goingHint(ask, `@${oneLine(from.name)}`),
    ...ask.options.map((text, i) => `${i + 1}. ${plain(text)}`),
    ask.options.length
      ? `Choose one: ${typed(`say --reply ${seq} --option K`)}, or answer in words: ${words}`
      : `Answer it: ${words}`,
  ];
}

/** What the asker does without an answer, and when. No line if the asker waits. */
function goingHint({ state, going_with, going_at }: Ask, asker: string): string[] {
  if (going_with === null || going_at === null) return [];
  const choice = `“${plain(going_with)}”`;
  return state === "went_with"
    ? [`${asker} went with ${choice} at ${when(going_at)}. You can still answer.`]
    : [`${asker} goes with ${choice} at ${when(going_at)}, unless you answer otherwise.`];
}

/** For an agent, the lines after an answer to its own ask. `own` is null if the ask could not be read again. */
export function answerHint({ from, answer }: Message, own: OwnAsk | null): string[] {
  if (!answer || answer.withdrawn) return [];
  const { ask_seq, option, option_text } = answer;
  const how =
    option === null
      ? "in words"
      : `with option ${option}${option_text === null ? "" : `: ${plain(option_text)}`}`;
  const ask = own?.message.ask;
  // Only the person who was asked approves; others' answers approve nothing.
  const approves = ask?.approval && option === 1 && from.name === ask.to.name;
  const files = approves ? (own?.message.files ?? []) : [];
  return [
    `@${oneLine(from.name)} answered your ask #${ask_seq} ${how}.`,
    ...files.map(({ name, version }) => `Approved: ${oneLine(name)} version ${version}.`),
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
