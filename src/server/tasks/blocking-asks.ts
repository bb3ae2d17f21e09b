import { blockingAsks } from "../../db/asks.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { seqOf } from "../../db/log/log-place.ts";
import type { MemberRow } from "../../db/members.ts";
import { memberRefAt } from "../member-ref.ts";
import { readerOn } from "../access/readable-messages.ts";

/** How many asks block each task, and those of them that the reader may read, oldest first. */
export function blocksOf(tx: ReadTx, board: BoardRow, me: MemberRow, taskRows: readonly number[]) {
  const asks = Map.groupBy(
    blockingAsks(tx, taskRows, readerOn(board, me)),
    ({ task_row }) => task_row,
  );
  return (taskRow: number) => {
    const blocking = asks.get(taskRow) ?? [];
    return {
      blocked: blocking.length > 0,
      blocked_count: blocking.length,
      blocked_on: blocking
        .filter(({ readable }) => readable === 1)
        .map((ask) => ({
          ask_id: ask.id,
          ask_seq: seqOf(ask.place),
          to: memberRefAt(tx, ask.member_row),
          from: memberRefAt(tx, ask.asker_row),
          since: ask.at,
        })),
    };
  };
}
