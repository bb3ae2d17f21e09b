import { concerns, wakes } from "../../../contract/waking.ts";
import type { DeliveryState } from "../../../db/journal/deliveries.ts";
import type { SeatFeed } from "../../servers/seat-feed.ts";
import { reachingOf, type Message } from "../../servers/reaching.ts";

/** A seat of a session, as the daemon hands messages of it. */
export interface HeldSeat {
  readonly feed: SeatFeed;
  readonly generation: number;
  /** The states of messages that were handed before. */
  readonly states: ReadonlyMap<number, DeliveryState>;
  /** Whether a command shows a message of the seat, so that it is not handed. */
  isWithheld(message: Message): boolean;
}

/** The messages of a seat that wait to be handed, urgent ones first, else oldest first. */
export const waitingOf = ({ feed, states, isWithheld }: HeldSeat): Message[] =>
  unreadOf(feed, (seq) => (states.get(seq) ?? "pending") === "pending").filter(
    (message) => !isWithheld(message),
  );

/** The messages of a seat that are still unread and belong to a handoff, in the same order. */
export const handedOf = ({ feed }: HeldSeat, seqs: ReadonlySet<number>): Message[] =>
  unreadOf(feed, (seq) => seqs.has(seq));

const unreadOf = ({ unread }: SeatFeed, isMeant: (seq: number) => boolean): Message[] =>
  [...unread.values()]
    .filter(({ seq }) => isMeant(seq))
    .sort((one, other) => Number(other.urgent) - Number(one.urgent) || one.seq - other.seq);

/** Whether a message wakes the seat's session. One that does not is quiet. */
export const wakesIt = ({ feed }: HeldSeat, message: Message): boolean =>
  wakes(feed.mode, reachingOf(message, feed.recipient));

/** Whether a message concerns the seat's agent, in whatever mode that is. */
export const concernsIt = ({ feed }: HeldSeat, message: Message): boolean =>
  concerns(reachingOf(message, feed.recipient));

/** Why a text is handed: to wake a session, at the start of a turn, or while one runs. */
export type Occasion = "wake" | "turn_start" | "mid_turn";

/** The messages of a seat that go into a text, if the size lets them. */
export function chosenFor(occasion: Occasion, seat: HeldSeat): Message[] {
  const { mode } = seat.feed;
  if (mode === "off") return [];
  const waiting = waitingOf(seat);
  if (occasion === "mid_turn")
    return waiting.filter(({ sender, quiet }) => sender === "owner" && quiet !== true);
  if (occasion === "wake") return waiting.some((one) => wakesIt(seat, one)) ? waiting : [];
  if (mode === "focused") return waiting;
  // Whatever else waits in this mode wakes the session by itself.
  return mode === "all" ? waiting.filter((one) => !wakesIt(seat, one)) : [];
}
