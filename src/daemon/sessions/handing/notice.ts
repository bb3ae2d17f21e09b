import type { Typed } from "../../../agent-text/directions.ts";
import { attribute, written } from "../../../agent-text/message-element.ts";
import type { Message } from "../../servers/reaching.ts";
import { waitingOf, type HeldSeat } from "../held/bundle.ts";
import { seatKeyOf } from "../held/live-session.ts";
import { typedOn } from "./texts.ts";

/** The most messages that a notice names. */
const mostNamed = 20;

/**
 * Says which messages wait for the end of the turn, once each: numbers, senders and what they are to the agent, and never
 * a word of theirs. `announced` holds for each seat the last number that was announced. Null if there is nothing new.
 */
export function noticeOf(
  seats: readonly HeldSeat[],
  announced: Map<string, number>,
  typed: Typed,
): string | null {
  const lines = seats.flatMap((seat) => {
    const { agent, mode } = seat.feed;
    if (mode === "off") return [];
    const key = seatKeyOf(agent);
    const waiting = waitingOf(seat)
      .filter((message) => !isOwners(message))
      .sort((one, other) => one.seq - other.seq);
    const last = waiting.at(-1)?.seq ?? 0;
    if (last <= (announced.get(key) ?? 0)) return [];
    announced.set(key, last);
    const here = seats.length > 1 ? typedOn(typed, agent.board) : typed;
    return [noticeFor(agent.board, waiting, here)];
  });
  return lines.length === 0 ? null : lines.join("\n");
}

/** The owner's own messages come in the turn itself. */
const isOwners = ({ sender, quiet }: Message): boolean => sender === "owner" && quiet !== true;

function noticeFor(board: string, waiting: readonly Message[], typed: Typed): string {
  const count = waiting.length;
  const named = waiting
    .slice(0, mostNamed)
    .map((message) => `#${message.seq} from ${senderOf(message)}`);
  const more = count > mostNamed ? `, and ${count - mostNamed} more` : "";
  const facts = written([
    ["board", board],
    ["waiting", count],
  ]);
  return `<service-notice${facts}>${count} waiting on ${attribute(board)}: ${named.join(", ")}${more}; read them with ${typed("inbox")}</service-notice>`;
}

function senderOf({ from, sender }: Message): string {
  const name = attribute(from.name);
  const whole =
    sender === "other_agent" && from.owner ? `${attribute(from.owner)}'s ${name}` : name;
  return `${whole} (${sender})`;
}
