import { openAskIdsOn } from "../../db/asks.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import { workingCodesOfBoard } from "../../db/join-codes.ts";
import { agentsOf, agentsOfPerson, memberAt, peopleOf } from "../../db/members.ts";
import { system } from "../actor.ts";
import { departed, endSeat, endStay } from "../boards/end-stay.ts";
import { revokeCodes } from "../boards/revoke-codes.ts";
import { recordAs } from "../record.ts";

/**
 * Takes everybody off a board that was just imported: they stayed on the server that it comes from. Their tasks are open
 * again, and what they asked or were asked is withdrawn, since nobody could answer.
 */
export function leaveBehind(tx: Tx, board: BoardRow): void {
  for (const member of peopleOf(tx, board.row)) {
    const leaving = { member, agents: agentsOfPerson(tx, board.row, member.person_row) };
    endStay(tx, board, system, leaving, () =>
      recordAs(tx, board, system, "person.removed", {
        ...departed(tx, leaving),
        from_server: true,
      }),
    );
  }
  for (const { row } of agentsOf(tx, board.row))
    endSeat(tx, board, system, memberAt(tx, row)!, "admin");
  revokeCodes(tx, board, system, workingCodesOfBoard(tx, board.row));
  for (const id of openAskIdsOn(tx, board.row))
    recordAs(tx, board, system, "ask.withdrawn", { ask_id: id });
}
