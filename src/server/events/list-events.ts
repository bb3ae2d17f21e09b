import type { Static } from "@sinclair/typebox";
import type { Operations } from "../../contract/index.ts";
import type { Actor, EventEnvelope } from "../../contract/log.ts";
import type { Input } from "../../contract/operation.ts";
import { refuse, type Refusal } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { genesisHash, type EventRow } from "../../db/log/chain.ts";
import { endsTooEarly, eventsWithin, hashAt } from "../../db/log/log.ts";
import { memberAt, memberKeyOf } from "../../db/members.ts";
import { messageAt, placeOfMessage } from "../../db/messages.ts";
import { type Reader } from "../../db/readers.ts";
import { importOf } from "../../db/stand-ins.ts";
import { boardRowOf, seqOf } from "../../db/log/log-place.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { pageAlongLog, type PageAlongLog } from "../page-along-log.ts";

export const listEvents: Handler<"listEvents"> = (tx, { board, me }, { query }) => {
  const reader = readerOn(board, me);
  const { rows, ...ends } = soundPart(tx, board, query);
  let previous = rows[0] ? hashAt(tx, board.row, seqOf(rows[0].place) - 1) : genesisHash;
  const events = rows.map((event) => {
    const record = envelope(event, board.id, previous, withheld(tx, event, reader));
    const origin = originOf(tx, record.actor, event);
    previous = event.hash;
    return origin === null ? record : { ...record, origin };
  });
  return { board: board.name, events, head_seq: board.head_seq, ...ends };
};

type Query = Input<Operations["listEvents"]>["query"];
type Page = PageAlongLog<EventRow>;

/**
 * The page up to the first damage in the direction of reading. It says that there is more where the damage is, so that
 * whoever reads on gets the refusal.
 */
function soundPart(tx: ReadTx, board: BoardRow, query: Query): Page {
  const page = pageAlongLog(query, (window) => eventsWithin(tx, board.row, window));
  const { rows, ...ends } = withLostEnd(tx, board, query, page);
  const isBad = (event: EventRow) => unreadable(event) !== null;
  const at = query.newest ? rows.findLastIndex(isBad) : rows.findIndex(isBad);
  const bad = rows[at];
  if (!bad) return { rows, ...ends };
  const sound = query.newest ? rows.slice(at + 1) : rows.slice(0, at);
  const nearest = query.newest ? sound[0] : sound.at(-1);
  if (!nearest)
    throw damageAt(board, seqOf(bad.place), unreadable(bad)!, "the event there cannot be read");
  const seq = seqOf(nearest.place);
  return { rows: sound, ...ends, ...(query.newest ? { prev_before: seq } : { next_after: seq }) };
}

/** The same page, but it says that more follows if the log has lost its end. Refuses a page of that end alone. */
function withLostEnd(tx: ReadTx, board: BoardRow, { before }: Query, page: Page): Page {
  if (page.next_after !== null || !endsTooEarly(tx, board)) return page;
  const last = page.rows.at(-1);
  if (last) return { ...page, next_after: seqOf(last.place) };
  const lost = board.head_seq + 1;
  if (before !== undefined && before <= lost) return page;
  throw damageAt(board, lost, "seq_gap", "what followed is gone");
}

const damageAt = ({ name }: BoardRow, seq: number, reason: string, problem: string): Refusal =>
  refuse("record_damaged", { board: name, seq, problem }, { seq, reason });

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

/**
 * The server of who caused an event, if they are a stand-in. For the system it is that of the member whose stay ended. What
 * happened before an import happened there, whoever did it.
 */
function originOf(tx: ReadTx, { member_id: id }: Actor, { place, data }: EventRow): string | null {
  const about = id ?? (JSON.parse(data) as { member_id?: string }).member_id;
  const member = about === undefined ? null : memberKeyOf(tx, about);
  if (member && member.person_row < 0) return memberAt(tx, member.row)!.origin;
  const from = importOf(tx, boardRowOf(place));
  return from && seqOf(place) <= from.head_seq ? from.origin : null;
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
