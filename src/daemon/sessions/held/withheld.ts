import type { SeatKey } from "../../../db/journal/journal-sessions.ts";
import type { Message } from "../../servers/reaching.ts";
import { seatKeyOf } from "./live-session.ts";

/** Messages that are kept from sessions because commands show them. It is forgotten when the daemon ends. */
export interface Withheld {
  /** Keeps back every message of a seat, until the function that it gives is called. */
  all(seat: SeatKey): () => void;
  /** Keeps back the replies to a message of the seat's board, until the function that it gives is called. */
  replies(seat: SeatKey, to: number): () => void;
  has(seat: SeatKey, message: Message): boolean;
}

type Reason = (message: Message) => boolean;

/** Makes the set, which is empty at first. */
export function createWithheld(): Withheld {
  const reasons = new Map<string, Set<Reason>>();
  function add(seat: SeatKey, reason: Reason): () => void {
    const key = seatKeyOf(seat);
    const those = reasons.get(key) ?? new Set();
    reasons.set(key, those.add(reason));
    return () => {
      those.delete(reason);
      if (those.size === 0 && reasons.get(key) === those) reasons.delete(key);
    };
  }
  return {
    all: (seat) => add(seat, () => true),
    replies: (seat, to) => add(seat, ({ reply_to_seq }) => reply_to_seq === to),
    has: (seat, message) =>
      [...(reasons.get(seatKeyOf(seat)) ?? [])].some((reason) => reason(message)),
  };
}
