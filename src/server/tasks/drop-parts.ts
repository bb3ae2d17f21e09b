import type { Actor } from "../../contract/log.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { partsOf } from "../../db/tasks.ts";
import { recordAs } from "../record.ts";
import { takeLineOfSeat } from "./lines-of-task.ts";
import { taskFields } from "./event-task.ts";

/** Gives up every task that these members own or help on, because their seats are about to end. */
export function dropParts(
  tx: Tx,
  board: BoardRow,
  actor: Actor,
  members: readonly Pick<MemberRow, "row" | "id">[],
): void {
  for (const member of members)
    for (const task of partsOf(tx, member.row)) {
      recordAs(tx, board, actor, "task.dropped", {
        ...taskFields(task),
        member_id: member.id,
        as: task.owner_row === member.row ? "owner" : "helper",
        reason: null,
        by: "seat_ended",
      });
      takeLineOfSeat(tx, member.row, task.row);
    }
}
