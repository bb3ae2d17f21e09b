import { refuse } from "../../contract/refusal.ts";
import type { PersonRow } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { JoinCodeRow } from "../../db/join-codes.ts";
import { membershipOf, type MemberRow } from "../../db/members.ts";
import { addToBoard } from "../boards/add-to-board.ts";
import { beginStay, joinedPerson } from "../boards/begin-stay.ts";
import { newId } from "../ids.ts";
import { freeMemberName } from "../names.ts";

/** Refuses everybody but the guest of the code; one who got the handle by another code as if the code had ended. */
export function requireBound(code: JoinCodeRow, person: PersonRow): void {
  if (code.guest_row === person.row) return;
  const namesake = person.server_role === "guest" && person.handle === code.guest;
  throw refuse(namesake ? "join_code_invalid" : "guest_code_not_for_members");
}

/**
 * The guest's member on the board of their code. Brings the guest onto the board if they are not on it, with their old
 * member if they had one.
 */
export function bringGuest(
  tx: Tx,
  board: BoardRow,
  code: JoinCodeRow,
  person: PersonRow,
): MemberRow {
  const former = membershipOf(tx, board.row, person.row);
  if (former?.status === "active") return former;
  if (former) return addToBoard(tx, board, person, null);
  const id = newId(tx, "mem");
  const name = freeMemberName(tx, board.row, person.handle);
  const joined = joinedPerson({
    member_id: id,
    person_id: person.id,
    name,
    access: "member",
    join_code_id: code.id,
    guest: true,
  });
  return beginStay(tx, board, { kind: "human", member_id: id, name, owner: null }, joined);
}
