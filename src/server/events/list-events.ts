import type { Static } from "@sinclair/typebox";
import type { EventEnvelope } from "../../contract/log.ts";
import { refuse, type Refusal } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { EventRow } from "../../db/log/chain.ts";
import { endsTooEarly, eventsAfter, hashAt } from "../../db/log/log.ts";
import { messageAt, placeOfMessage } from "../../db/messages.ts";
import { type Reader } from "../../db/readers.ts";
import { seqOf } from "../../db/log/log-place.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";

export const listEvents: Handler<"listEvents"> = (tx, { board, me }, { query }) => {
  const { after = 0, limit = 50 } = query;
  const reader = readerOn(board, me);
  const stored = eventsAfter(tx, board.row, after, limit);
  const bad = stored.findIndex((event) => unreadable(event) !== null);
  const sound = bad < 0 ? stored : stored.slice(0, bad);
  const damage = damageAfter(tx, board, stored[bad], stored.length < limit);
  if (damage && sound.length === 0) throw damage;
  let previous = hashAt(tx, board.row, after);
  const events = sound.map((event) => {
    const record = envelope(event, board.id, previous, withheld(tx, event, reader));
    previous = event.hash;
    return record;
  });
  return {
    board: board.name,
    events,
    head_seq: board.head_seq,
    next_after: events.length === limit || damage ? events.at(-1)!.seq : null,
  };
};

/** The problem that makes a stored event unreadable, or null. */
function unreadable({ actor, data }: EventRow): "hash_mismatch" | "data_hash_mismatch" | null {
  if (!isObject(actor)) return "hash_mismatch";
  return isObject(data) ? null : "data_hash_mismatch";
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

/** The refusal after the last sound event: the next one is unreadable, or the log has lost its end. */
function damageAfter(
  tx: ReadTx,
  board: BoardRow,
  event: EventRow | undefined,
  atEnd: boolean,
): Refusal | null {
  const refusal = (seq: number, reason: string, problem: string) =>
    refuse("record_damaged", { board: board.name, seq, problem }, { seq, reason });
  if (event)
    return refusal(seqOf(event.place), unreadable(event)!, "the event there cannot be read");
  return atEnd && endsTooEarly(tx, board)
    ? refusal(board.head_seq + 1, "seq_gap", "what followed is gone")
    : null;
}

function envelope(
  event: EventRow,
  boardId: string,
  previousHash: string,
  hidden: boolean,
): Static<typeof EventEnvelope> {
  return {
    id: event.id,
    board_id: boardId,
    seq: seqOf(event.place),
    type: event.type,
    at: event.at,
    actor: JSON.parse(event.actor) as Static<typeof EventEnvelope>["actor"],
    ...(hidden
      ? { data_withheld: true as const }
      : { data: JSON.parse(event.data) as Record<string, unknown> }),
    data_hash: `sha256:${event.data_hash}`,
    prev_hash: `sha256:${previousHash}`,
    hash: `sha256:${event.hash}`,
  };
}

/** Withholds messages, and reactions to them, from a reader who may not read the message now. All other events are for every member. */
function withheld(tx: ReadTx, event: EventRow, reader: Reader): boolean {
  if (reader.readsAll) return false;
  if (event.type === "message.posted") return messageAt(tx, event.place, reader) === null;
  if (event.type !== "reaction.added" && event.type !== "reaction.removed") return false;
  const { message_id: id } = JSON.parse(event.data) as { message_id: string };
  const place = placeOfMessage(tx, id);
  return place === null || messageAt(tx, place, reader) === null;
}
