import type { Message, Reader } from "./message-types.ts";
import { bold, cyan, dim, yellow } from "../terminal/style.ts";
import { counted } from "../terminal/table.ts";
import { clean, oneLine } from "../terminal/clean.ts";
import { askMarkers, optionLines } from "./ask-text.ts";
import { attachedLine } from "./attached-text.ts";
import { when } from "../terminal/time-text.ts";

/** A heading: the board, then parts such as counts. */
export const header = (board: string, ...parts: readonly string[]): string =>
  [bold(board), ...parts].join(dim(" · "));

/** Messages one after the other, an empty line between them. */
export const messageBlocks = (messages: readonly Message[], reader: Reader): string =>
  messages.map((message) => messageBlock(message, reader)).join("\n\n");

/** A message: a line with sender, targets and markers, a line about the sender, then the indented text. */
export function messageBlock(message: Message, reader: Reader): string {
  const { from, to, seq, body } = message;
  const line = `${bold(`#${seq}`)} ${cyan(`@${oneLine(from.name)}`)} → ${targetList(to)}`;
  const text = clean(body).split("\n");
  return [
    [line, ...markers(message).map(yellow)].join(dim(" · ")),
    `  ${dim(aboutSender(message, reader).join(" · "))}`,
    ...[...text, ...optionLines(message), ...attachedLine(message)].map((one) =>
      `    ${one}`.trimEnd(),
    ),
  ].join("\n");
}

/** The targets of a message as they are typed. */
export const targetList = (to: readonly string[]): string => to.map(oneLine).join(", ");

/** References of the tasks that a message is about. */
export const referencesOf = ({ about = [] }: Message): string[] =>
  about.map(({ ref }) => oneLine(ref));

/** Short remarks about a message, such as `urgent` or `2 replies`. */
export function markers(message: Message): string[] {
  const {
    reply_to_seq,
    urgent,
    quiet,
    expects_reply,
    reply_count,
    reactions,
    ask,
    answer,
    damped,
  } = message;
  const about = referencesOf(message);
  return [
    ...(reply_to_seq === null || answer ? [] : [`reply to #${reply_to_seq}`]),
    ...askMarkers(message),
    ...(about.length > 0 ? [`about ${about.join(", ")}`] : []),
    ...(urgent ? ["urgent"] : []),
    ...(quiet ? ["fyi"] : []),
    ...(damped?.length ? [`did not wake ${counted(damped.length, "agent", "agents")}`] : []),
    ...(expects_reply && !ask ? ["asks for a reply"] : []),
    ...(reply_count ? [counted(reply_count, "reply", "replies")] : []),
    ...reactions.map(({ emoji, count }) => `${oneLine(emoji)} ${count}`),
  ];
}

/** About the sender: role, harness and owner of an agent, the relation to the reader, and the time of the message. */
export function aboutSender({ from, show_owner, sender, at }: Message, reader: Reader): string[] {
  const parts = [
    from.origin === undefined ? null : `of ${from.origin}`,
    from.role,
    from.harness,
    show_owner && from.owner ? `owner @${from.owner}` : null,
    relations[reader][sender],
    when(at),
  ];
  return parts.flatMap((part) => (part ? [oneLine(part)] : []));
}

const relations: Record<Reader, Record<Message["sender"], string>> = {
  agent: {
    self: "you",
    owner: "your owner",
    owner_agent: "your owner's agent",
    other_person: "another person",
    other_agent: "another person's agent",
  },
  person: {
    self: "you",
    owner: "you",
    owner_agent: "your agent",
    other_person: "another person",
    other_agent: "another person's agent",
  },
};
