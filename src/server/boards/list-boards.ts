import type { Static } from "@sinclair/typebox";
import type { Board } from "../../contract/boards.ts";
import type { Actor } from "../../contract/log.ts";
import { boardAt, boardsOfPerson, openBoardsBeside, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/database.ts";
import { eventAt } from "../../db/log.ts";
import { agentsOfPerson, membershipOf, readPositionOf, type MemberRow } from "../../db/members.ts";
import { placeOf } from "../../db/places.ts";
import type { Handler } from "../handler.ts";
import { boardRecord } from "./views.ts";

export const listBoards: Handler<"listBoards"> = (tx, { caller: { person, seat } }, { query }) => {
  if (seat) return { boards: [boardRecord(tx, boardAt(tx, seat.board_row)!, seat)] };
  const own = boardsOfPerson(tx, person.row).map((board) => {
    const me = membershipOf(tx, board.row, person.row)!;
    return { ...boardRecord(tx, board, me), ...addedBySomeone(tx, board, me) };
  });
  const open = query.all ? openBoardsBeside(tx, person.row) : [];
  return { boards: [...own, ...open.map((board) => boardRecord(tx, board, null))] };
};

/**
 * Who added a person to a board, while nothing of theirs has followed: somebody else did, none of their agents has
 * joined since, and they have not read past it.
 */
function addedBySomeone(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
): Pick<Static<typeof Board>, "added"> {
  const event = eventAt(tx, placeOf(board.row, me.joined_seq));
  if (event?.type !== "person.added" || readPositionOf(tx, me.row) > me.joined_seq) return {};
  const by = JSON.parse(event.actor) as Actor;
  if (by.member_id === me.id) return {};
  if (
    agentsOfPerson(tx, board.row, me.person_row).some((agent) => agent.joined_seq > me.joined_seq)
  )
    return {};
  return { added: { seq: me.joined_seq, at: event.at, by } };
}
