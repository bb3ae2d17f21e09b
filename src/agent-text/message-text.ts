import { bundled, messageElement, type Message } from "./message-element.ts";
import { hintsOf, type AgentReader } from "./message-hints.ts";

/**
 * A message for an agent: the sender's text inside an element, then the lines of this program. `cut` is the first of these
 * lines where the end of the text is left out.
 */
export function messageText(message: Message, reader: AgentReader, cut?: string): string {
  const element = messageElement(message, { seat: reader.seat, truncated: cut !== undefined });
  return [element, ...(cut === undefined ? [] : [cut]), ...hintsOf(message, reader)].join("\n");
}

/** Messages of one board for an agent, in the order in which they are given; null without messages. */
export const messagesText = (
  board: string,
  messages: readonly Message[],
  reader: AgentReader,
): string | null =>
  bundled(
    board,
    messages.map((message) => messageText(message, reader)),
    reader.seat,
  );
