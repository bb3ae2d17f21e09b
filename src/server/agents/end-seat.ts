import type { Actor } from "../../contract/log.ts";
import { personAt } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import { workingCodesOf } from "../../db/join-codes.ts";
import type { MemberRow } from "../../db/members.ts";
import { revokeCodes } from "../joining/revoke-codes.ts";
import { recordAs } from "../record.ts";
import { dropParts } from "../tasks/drop-parts.ts";

/** Ends an agent's seat for good, its parts of tasks, and the join codes that it made. A pruned one says since when it was disconnected. */
export function endSeat(
  tx: Tx,
  board: BoardRow,
  actor: Actor,
  seat: MemberRow,
  by: NonNullable<MemberRow["ended_by"]>,
  prunedSince?: string,
): void {
  const person = personAt(tx, seat.person_row)!;
  dropParts(tx, board, actor, [seat]);
  recordAs(tx, board, actor, by === "self" ? "agent.left" : "agent.removed", {
    member_id: seat.id,
    name: seat.name,
    person_id: person.id,
    owner: person.handle,
    removed_by: by,
    ...(prunedSince !== undefined && { pruned: true, disconnected_since: prunedSince }),
  });
  revokeCodes(tx, board, actor, workingCodesOf(tx, seat.row));
}
