import type { OwnAsks } from "./answered-asks.ts";
import { answerHint, askHints } from "./ask-text.ts";
import { attachedHints } from "./attached-text.ts";
import type { Message } from "./message-types.ts";
import { messageElement } from "../../agent-text/message-element.ts";
import type { Typed } from "../frame/suggest.ts";

/** A message for an agent: the sender's text inside an element, then the lines of this program. */
export function wrapped(message: Message, typed: Typed, own: OwnAsks = new Map()): string {
  return [messageElement(message), ...hints(message, typed, own)].join("\n");
}

function hints(message: Message, typed: Typed, own: OwnAsks): string[] {
  const { seq, ask, answer, expects_reply } = message;
  const answered = answer && own.get(answer.ask_id);
  return [
    ...attachedHints(message, typed),
    ...(answered === undefined ? [] : answerHint(message, answered)),
    ...(ask ? askHints(message, typed) : []),
    ...(expects_reply && !ask
      ? [`A reply is asked for: ${typed(`say --reply ${seq} "TEXT"`)}`]
      : []),
  ];
}
