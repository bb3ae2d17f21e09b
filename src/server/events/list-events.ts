import type { Static } from "@sinclair/typebox";
import type { EventEnvelope } from "../../contract/log.ts";
import type { ReadTx } from "../../db/database.ts";
import { eventsAfter, hashAt, type EventRow } from "../../db/log.ts";
import { messageAt, placeOfMessage } from "../../db/messages.ts";
import { type Reader } from "../../db/readers.ts";
import { seqOf } from "../../db/places.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../messages/reader.ts";

export const listEvents: Handler<"listEvents"> = (tx, { board, me }, { query }) => {
  const { after = 0, limit = 50 } = query;
  const reader = readerOn(board, me);
  let previous = hashAt(tx, board.row, after);
  const events = eventsAfter(tx, board.row, after, limit).map((event) => {
    const record = envelope(event, board.id, previous, withheld(tx, event, reader));
    previous = event.hash;
    return record;
  });
  return {
    board: board.name,
    events,
    head_seq: board.head_seq,
    next_after: events.length === limit ? events.at(-1)!.seq : null,
  };
};

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

/** Messages and reactions are withheld from whoever may not read the message now. Everything else is for all on the board. */
function withheld(tx: ReadTx, event: EventRow, reader: Reader): boolean {
  if (reader.readsAll) return false;
  if (event.type === "message.posted") return messageAt(tx, event.place, reader) === null;
  if (event.type !== "reaction.added" && event.type !== "reaction.removed") return false;
  const { message_id: id } = JSON.parse(event.data) as { message_id: string };
  const place = placeOfMessage(tx, id);
  return place === null || messageAt(tx, place, reader) === null;
}
