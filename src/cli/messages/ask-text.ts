import { oneLine } from "../terminal/clean.ts";
import type { Message } from "./message-types.ts";
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
