import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { creatorOf } from "../../db/members.ts";
import { moveOf } from "../../db/moved-boards.ts";
import type { Caller } from "./identify.ts";
import { actsAsServerAdmin } from "./server-admin.ts";

/** Refuses a caller who may not archive, restore and delete the board. */
export function requireMayArchive(tx: ReadTx, board: BoardRow, caller: Caller): void {
  if (!mayArchive(tx, board, caller))
    throw refuse("board_creator_required", { restorers: restorersOf(tx, board) });
}

/**
 * Whether the caller may archive and restore a board: its creator while still on it, the creator's agent, or a server
 * admin. A delegation may not.
 */
export function mayArchive(tx: ReadTx, board: BoardRow, caller: Caller): boolean {
  if (caller.delegation) return false;
  if (actsAsServerAdmin(caller)) return true;
  const creator = creatorOf(tx, board.row);
  return creator.status === "active" && creator.person_row === caller.person.row;
}

/** Refuses an archived board. */
export function requireActive(tx: ReadTx, board: BoardRow): void {
  if (board.lifecycle !== "archived") return;
  refuseMoved(tx, board);
  throw refuse("board_archived", { board: board.name, restorers: restorersOf(tx, board) });
}

/** Refuses a board that has moved to another server: here it stays archived. */
export function refuseMoved(tx: ReadTx, board: BoardRow): void {
  const move = moveOf(tx, board.row);
  if (move) throw refuse("board_moved", { board: board.name, server: move.server });
}

/** Who can archive, restore and delete a board, for a hint: its creator while still on it, and the server's admins. */
export function restorersOf(tx: ReadTx, board: BoardRow): string {
  const creator = creatorOf(tx, board.row);
  const names = creator.status === "active" ? [`@${creator.handle}, who created it`] : [];
  return [...names, "a server admin"].join(", or ");
}
