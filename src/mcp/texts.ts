import type { OutputOf } from "../contract/index.ts";
import { bundled, messageElement } from "../agent-text/message-element.ts";
import { plainLine, textElement } from "../agent-text/text-element.ts";

/** A message, as the server gives it to the agent. */
export type Message = OutputOf<"postMessage">;
/** A task, as the server gives it to the agent. */
export type Task = OutputOf<"getTask">;

/** A call of a tool, as a hint writes it. */
export const call = (tool: string, args: object = {}): string =>
  `\`${tool}\` ${JSON.stringify(args)}`;

/** A number with its word, such as `2 messages`. */
export const counted = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? "" : "s"}`;

/** Messages in one element each, with what the agent can do about each one after its element. */
export const messagesText = (board: string, messages: readonly Message[]): string =>
  bundled(board, messages.map(messageText)) ?? `No messages on ${board}.`;

/** A message in its element, and what the agent can do about it. */
export const messageText = (message: Message): string =>
  [messageElement(message), ...hintsOf(message)].join("\n");

function hintsOf(message: Message): string[] {
  const { seq, ask, answer, expects_reply, files = [] } = message;
  return [
    ...files.map(
      ({ id, name, version }) =>
        `Attached: ${plainLine(name)} v${version}. Fetch it: ${call("file", { do: "get", name: id, version })}`,
    ),
    ...(answer?.option_text
      ? [`It chooses option ${answer.option}: ${plainLine(answer.option_text)}`]
      : []),
    ...(ask ? askHints(seq, ask) : []),
    ...(expects_reply && !ask
      ? [`A reply is asked for: ${call("say", { reply: seq, text: "…" })}`]
      : []),
  ];
}

function askHints(message: number, ask: NonNullable<Message["ask"]>): string[] {
  const { state, options, can_answer, going_with, going_at, answer_seq } = ask;
  const going = going_with !== null && `goes with “${plainLine(going_with)}” at ${going_at}`;
  if (state === "answered" || state === "withdrawn") return [`It was ${state} in #${answer_seq}.`];
  return [
    ...(state === "went_with" ? ["The asker went on without an answer."] : []),
    ...(going && state === "open" ? [`Without an answer the asker ${going}.`] : []),
    ...options.map((text, i) => `${i + 1}. ${plainLine(text)}`),
    ...(can_answer
      ? [
          `Answer it: ${call("ask", { do: "answer", message, ...(options.length ? { option: 1 } : { text: "…" }) })}`,
        ]
      : []),
  ];
}

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
