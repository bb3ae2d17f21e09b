import {
  aboutSender,
  markers,
  targetList,
  type Message,
  type Reader,
} from "../messages/message-text.ts";
import { optionLines } from "../asks/ask-text.ts";
import { attachedLine } from "../messages/attached-text.ts";
import { clean, oneLine } from "./clean.ts";

/** Messages as Markdown: a title, a bold heading for each, and the texts as quotations. */
export function markdown(board: string, messages: readonly Message[], reader: Reader): string {
  const sections = messages.map((message) =>
    [
      `**#${message.seq} @${oneLine(message.from.name)} → ${targetList(message.to)}**  `,
      [...aboutSender(message, reader), ...markers(message)].join(" · "),
      "",
      ...clean(message.body)
        .split("\n")
        .map((line) => `> ${line}`.trimEnd()),
      ...[...optionLines(message), ...attachedLine(message)].map((line) => `> ${line}`),
    ].join("\n"),
  );
  return [`# ${board}`, ...sections].join("\n\n");
}
