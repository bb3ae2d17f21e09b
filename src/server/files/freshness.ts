import type { Static } from "@sinclair/typebox";
import type { Freshness } from "../../contract/file-record.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { happenedAfter } from "../../db/file-freshness.ts";
import type { MemberRow } from "../../db/members.ts";
import { placeOf } from "../../db/log/log-place.ts";
import { readerOn } from "../access/readable-messages.ts";

type FreshnessRecord = Static<typeof Freshness>;

/** Counts what happened on a board after each of some places, as far as a member of it may read. */
export function freshnessAfter(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  places: readonly number[],
): ReadonlyMap<number, FreshnessRecord> {
  const head = placeOf(board.row, board.head_seq);
  const happened = happenedAfter(tx, readerOn(board, me), board.row, places, head);
  return new Map(
    [...happened].map(([place, { messages, tasksClosed, answers }]) => [
      place,
      { messages_since: messages, tasks_done_since: tasksClosed, answers_since: answers },
    ]),
  );
}

/** Counts what happened after one place. */
export const freshnessSince = (
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  after: number,
): FreshnessRecord => freshnessAfter(tx, board, me, [after]).get(after)!;
