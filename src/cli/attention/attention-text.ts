import type { OutputOf } from "../../contract/index.ts";
import type { Typed } from "../frame/suggest.ts";
import { oneLine } from "../terminal/clean.ts";
import { bold, dim } from "../terminal/style.ts";
import { counted } from "../terminal/table.ts";
import { span, when } from "../terminal/time-text.ts";

type List = OutputOf<"getAttention">;
type Item = List["items"][number];

interface Shown {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** For how many seconds the command waited in vain. */
  readonly waited: number;
  /** Writes a command so that it reaches the server of the list. */
  readonly typed: Typed;
  /** Writes a command that names its server already. */
  readonly typedAsItIs: Typed;
}

/** The list as text: an item is a heading, what was written, and what to type. */
export function attentionText(list: List, shown: Shown): string {
  const { items, counts, more, next_wake_at } = list;
  const snoozed = next_wake_at ? [`A snoozed item comes back at ${when(next_wake_at)}.`] : [];
  if (items.length === 0) {
    const within = shown.waited ? ` within ${counted(shown.waited, "second", "seconds")}` : "";
    return [`Nothing needs you at ${shown.url}${within}.`, ...snoozed].join("\n");
  }
  const total = counts.now + counts.later;
  const urgent = counts.now > 0 ? `, ${counts.now} of them now` : "";
  return [
    `${total === 1 ? "1 thing needs" : `${total} things need`} you at ${shown.url}${urgent}:`,
    ...items.map((item) => itemText(item, shown)),
    [
      ...(more ? [`These are the first ${items.length}.`] : []),
      ...snoozed,
      dim(
        `Put one aside: ${shown.typed("attention snooze ID --for 2h")}, or ${shown.typed("attention dismiss ID")}`,
      ),
    ].join("\n"),
  ].join("\n\n");
}

/** What a member wrote stands deeper than what to type, so that no text can pass for an option, a command or an id. */
function itemText(item: Item, { now, typed, typedAsItIs }: Shown): string {
  const ago = `${span(now - Date.parse(item.at))} ago`;
  const heading = [
    ...(item.urgency === "now" ? [bold("now")] : []),
    bold(oneLine(item.title)),
    ...(item.board === null ? [] : [item.board]),
    dim(ago),
  ].join(" · ");
  const [action] = item.actions;
  const command = action?.command.replace(/^service /, "");
  const write = command?.includes(" --server ") ? typedAsItIs : typed;
  return [
    heading,
    ...(item.text ? [indented(indented(item.text))] : []),
    ...optionsOf(item),
    ...(command ? [indented(write(command))] : []),
    dim(indented(`ID ${item.id}`)),
  ].join("\n");
}

const optionsOf = ({ actions }: Item): string[] => {
  const options = actions.find(({ name }) => name === "answerAsk")?.options ?? [];
  return options.map((option, at) => indented(`${at + 1}. ${oneLine(option)}`));
};

const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
