import { refuse } from "../../contract/refusal.ts";
import { roleNamed, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberNamed, memberRowsWithRole } from "../../db/members.ts";
import { roleNames } from "../boards/roles.ts";

/** The part of a filter that selects senders. */
interface SendersAsked {
  readonly from?: string;
  readonly role?: string;
}

/** Rows of the members whose messages a filter selects; null for all. Refuses names and roles that the board does not have. */
export function sendersAsked(
  tx: ReadTx,
  board: BoardRow,
  { from, role }: SendersAsked,
): readonly number[] | null {
  const sender = from === undefined ? null : memberNamed(tx, board.row, from);
  if (from !== undefined && !sender)
    throw refuse("member_not_found", { name: from, board: board.name });
  if (role !== undefined && !roleNamed(tx, board.row, role))
    throw refuse("role_not_found", { role, roles: roleNames(tx, board.row) });
  if (sender) return role === undefined || sender.role === role ? [sender.row] : [];
  return role === undefined ? null : memberRowsWithRole(tx, board.row, role);
}
