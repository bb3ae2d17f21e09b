import type { Typed } from "../../../agent-text/directions.ts";
import { attribute, written } from "../../../agent-text/message-element.ts";
import type { Message } from "../../servers/reaching.ts";
import { waitingOf, type HeldSeat } from "../held/bundle.ts";
import { seatKeyOf } from "../held/live-session.ts";
import { placeOf, type Place } from "./places.ts";

/** The most messages that a notice names. */
const mostNamed = 20;

/**
 * Says which messages wait for the end of the turn: how many, and each of them once by its number, its sender and what that is
 * to the agent, and never by a word. `announced` holds for each seat the last number that was announced. Null if there is
 * nothing new.
 */
export function noticeOf(
  seats: readonly HeldSeat[],
  announced: Map<string, number>,
  typed: Typed,
): string | null {
  const lines = seats.flatMap((seat) => {
    const { agent, mode, generation } = seat.feed;
    if (mode === "off") return [];
    const key = `${seatKeyOf(agent)} ${generation}`;
    const waiting = waitingOf(seat)
      .filter((message) => !isOwners(message))
      .sort((one, other) => one.seq - other.seq);
    const before = announced.get(key) ?? 0;
    const fresh = waiting.filter(({ seq }) => seq > before);
    if (fresh.length === 0) return [];
    announced.set(key, fresh.at(-1)!.seq);
    return [noticeFor(agent.board, waiting.length, fresh, placeOf(agent, seats, typed))];
  });
  return lines.length === 0 ? null : lines.join("\n");
}

/** The owner's own messages come in the turn itself. */
const isOwners = ({ sender, quiet }: Message): boolean => sender === "owner" && quiet !== true;

function noticeFor(board: string, count: number, fresh: readonly Message[], place: Place): string {
  const named = fresh
    .slice(0, mostNamed)
    .map((message) => `#${message.seq} from ${senderOf(message)}`);
  const [more, known] = [fresh.length - named.length, count - fresh.length];
  const rest = [
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(known > 0 ? [`and ${known} that you know of`] : []),
  ];
  const facts = written([
    ["board", board],
    ["waiting", count],
  ]);
  return `<service-notice${facts}>${count} waiting on ${attribute(place.board)}: ${[...named, ...rest].join(", ")}; read them with ${place.typed("inbox")}</service-notice>`;
}

function senderOf({ from, sender }: Message): string {
  const name = attribute(from.name);
  const whole =
    sender === "other_agent" && from.owner ? `${attribute(from.owner)}'s ${name}` : name;
  return `${whole} (${sender})`;
}
