import type { Static } from "@sinclair/typebox";
import type { Freshness } from "../../contract/file.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/database.ts";
import { answersIn, messagesIn, messagesSince, tasksClosedIn } from "../../db/file-freshness.ts";
import type { MemberRow } from "../../db/members.ts";
import { lastPlaceOf, placeOf } from "../../db/places.ts";
import { readerOn } from "../messages/reader.ts";

type FreshnessRecord = Static<typeof Freshness>;

/** What happened on a board after each of some places, as far as a member of it may read. The log is walked once. */
export function freshnessAfter(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  places: readonly number[],
): ReadonlyMap<number, FreshnessRecord> {
  const reader = readerOn(board, me);
  const found = new Map<number, FreshnessRecord>();
  let since: FreshnessRecord = { messages_since: 0, tasks_done_since: 0, answers_since: 0 };
  let upTo = lastPlaceOf(board.row);
  for (const after of [...new Set(places)].sort((a, b) => b - a)) {
    const stretch = { boardRow: board.row, after, upTo };
    since = {
      messages_since: since.messages_since + messagesIn(tx, reader, stretch),
      tasks_done_since: since.tasks_done_since + tasksClosedIn(tx, stretch),
      answers_since: since.answers_since + answersIn(tx, reader, stretch),
    };
    found.set(after, since);
    upTo = after;
  }
  return found;
}

/** What happened on a board after a place, as far as a member may read: for what is asked for again and again. */
export function freshnessSince(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  after: number,
): FreshnessRecord {
  const reader = readerOn(board, me);
  const since = { boardRow: board.row, after, upTo: placeOf(board.row, board.head_seq) };
  return {
    messages_since: messagesSince(tx, reader, since),
    tasks_done_since: tasksClosedIn(tx, since),
    answers_since: answersIn(tx, reader, since),
  };
}
