import { counted } from "./counted.ts";
import { digestText } from "./digest.ts";
import type { Typed } from "./directions.ts";
import { messagesElement, type Message } from "./message-element.ts";
import type { AgentReader } from "./message-hints.ts";
import { messagesText, messageText } from "./message-text.ts";

/** The messages of one board in a text, by how they are shown. */
export interface BoardMessages {
  readonly board: string;
  /** Whole. */
  readonly main: readonly Message[];
  /** Whole, and apart from the others, because they woke nobody. */
  readonly quiet: readonly Message[];
  /** On one line each. */
  readonly digest: readonly Message[];
}

/** An agent that types commands. */
export interface BoardReader extends AgentReader {
  readonly typed: Typed;
}

/** What an agent gets from one board: the messages that concern it, then those that did not wake it. */
export function boardText(shown: BoardMessages, reader: BoardReader): string {
  const { board, main, quiet, digest } = shown;
  const parts = [
    messagesText(board, main, reader),
    quiet.length === 0 ? null : quietText(board, quiet, reader),
    digest.length === 0 ? null : digestText(board, digest, reader.typed, reader.seat),
  ];
  return parts.filter((part) => part !== null).join("\n\n");
}

function quietText(board: string, messages: readonly Message[], reader: BoardReader): string {
  const count = messages.length;
  const texts = messages.map((message) => messageText(message, reader));
  return [
    `${counted(count, "message", "messages")} came on ${board} while you were idle. ${count === 1 ? "It" : "They"} did not wake you: answer only where it is needed.`,
    messagesElement(board, texts, { seat: reader.seat, quiet: true }),
  ].join("\n");
}

/** What becomes of a message that is shown without its end: it counts as received, or it stays in the inbox. */
export type CutMessage = "received" | "unread";

/** As much of one message as fits into so many bytes, and how to get the whole. */
export function cutText(
  message: Message,
  reader: BoardReader,
  becomes: CutMessage,
  bytes: number,
): string {
  const { typed } = reader;
  const line =
    becomes === "received"
      ? `This is its beginning. The whole message: ${typed(`message ${message.seq}`)}`
      : `This is its beginning. The whole message waits in your inbox, and comes when this turn ends: ${typed("inbox")}`;
  const characters = [...message.body];
  const beginning = (count: number) => {
    const body = characters.slice(0, count).join("");
    return messageText({ ...message, body }, reader, line);
  };
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Buffer.byteLength(beginning(middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return beginning(low);
}
