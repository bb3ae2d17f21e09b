import type { OutputOf } from "../contract/index.ts";
import type { Message } from "../agent-text/message-element.ts";
import type { AgentReader } from "../agent-text/message-hints.ts";
import {
  messagesText as textOfMessages,
  messageText as textOfMessage,
} from "../agent-text/message-text.ts";
import { plainLine, textElement } from "../agent-text/text-element.ts";

export type { Message };
/** A task, as the server gives it to the agent. */
export type Task = OutputOf<"getTask">;

/** A call of a tool, as a hint writes it. */
export const call = (tool: string, args: object = {}): string =>
  `\`${tool}\` ${JSON.stringify(args)}`;

/** A number with its word, such as `2 messages`. */
export const counted = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? "" : "s"}`;

/** An agent that reads with tools. Programs read times as they are on the wire. */
const reader: AgentReader = {
  to: {
    reply: (reply) => call("say", { reply, text: "…" }),
    answer: (message) => call("ask", { do: "answer", message, text: "…" }),
    choose: (message) => call("ask", { do: "answer", message, option: 1 }),
    fetch: ({ id, version }) => call("file", { do: "get", name: id, version }),
  },
  when: (timestamp) => timestamp,
};

/** Messages in one element each, with what the agent can do about each one after its element. */
export const messagesText = (board: string, messages: readonly Message[]): string =>
  textOfMessages(board, messages, reader) ?? `No messages on ${board}.`;

/** A message in its element, and what the agent can do about it. */
export const messageText = (message: Message): string => textOfMessage(message, reader);

/** A task on one line. */
export function taskLine({ ref, title, state, owner, with: helpers, blocked }: Task): string {
  const others = helpers.map(({ name }) => `@${name}`).join(", ");
  return [
    `${ref} ${plainLine(title)}`,
    state,
    ...(owner ? [`@${owner.name}`] : []),
    ...(others ? [`with ${others}`] : []),
    ...(blocked ? ["blocked"] : []),
  ].join(" · ");
}

/** A task with its texts. */
export function taskText(task: Task): string {
  const { about, stands, closed_note, blocked_on, message_count, ref } = task;
  return [
    taskLine(task),
    ...(about ? [textElement(`about ${ref}`, about.by.name, about.text)] : []),
    ...(stands
      ? [textElement(`where ${ref} stands, version ${stands.version}`, stands.by.name, stands.text)]
      : []),
    ...blocked_on.map(({ ask_seq, to }) => `Blocked by ask #${ask_seq} to @${to.name}.`),
    ...(closed_note === null ? [] : [textElement(`closing note of ${ref}`, null, closed_note)]),
    ...(message_count
      ? [`${counted(message_count, "message")}: ${call("read", { do: "messages", task: ref })}`]
      : []),
  ].join("\n");
}
