import { refuse } from "../../contract/refusal.ts";
import { personNamed } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { activeMembership, seatTokenOf, type MemberRow } from "../../db/members.ts";
import { requireMember } from "../access/visible-boards.ts";
import { requireActive } from "../access/archived-boards.ts";
import { actorOf } from "../actor.ts";
import { roleAllows } from "../access/role-permissions.ts";
import type { Handler, Recheck } from "../handler.ts";
import { settings } from "../info.ts";
import { addToBoard } from "./add-to-board.ts";
import { boardPersonRecord } from "./views.ts";

export const addPerson: Handler<"addPerson"> = (tx, standing, { body: { handle } }) => {
  const { caller, board, me } = standing;
  const joining = !caller.seat && handle === caller.person.handle;
  if (!joining) requireMember(standing);
  if (caller.seat) agentMayAdd(tx, board, caller.seat, handle);
  const person = personNamed(tx, handle);
  if (!person) throw refuse("person_not_found", { handle });
  if (activeMembership(tx, board.row, person.row))
    throw refuse("already_on_board", { handle, board: board.name });
  if (person.server_role === "guest")
    throw refuse("guest_comes_by_code", { handle, board: board.name });
  requireActive(tx, board);

  const actor = me ? actorOf(caller, me) : null;
  const byOwner = caller.seat ? { by_owner: caller.person.id } : {};
  const member = addToBoard(tx, board, person, actor, byOwner);
  return boardPersonRecord(tx, board, member);
};

/** A replay needs a caller on the board who could add people now. */
export const addPersonAgain: Recheck<"addPerson"> = (
  tx,
  standing,
  _kept,
  _tools,
  { body: { handle } },
) => {
  const { caller, board } = standing;
  requireMember(standing);
  if (caller.seat) agentMayAdd(tx, board, caller.seat, handle);
};

/**
 * Refuses an agent without a session of its own or without the permission, and any agent where the server or the board
 * forbids it.
 */
export function agentMayAdd(tx: ReadTx, board: BoardRow, seat: MemberRow, handle: string): void {
  if (seatTokenOf(tx, seat.row)?.session == null)
    throw refuse("agent_session_required", { handle, board: board.name });
  const allowed = settings(tx).agents_add_people && board.agents_add_people === 1;
  if (!allowed || !roleAllows(tx, board, seat, "add_people"))
    throw refuse("add_people_not_allowed", { handle, board: board.name });
}
