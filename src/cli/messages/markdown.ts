import { aboutSender, markers, targetList } from "./message-text.ts";
import type { Message, Reader } from "./message-types.ts";
import { optionLines } from "./ask-text.ts";
import { attachedLine } from "./attached-text.ts";
import { clean, oneLine } from "../terminal/clean.ts";

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
