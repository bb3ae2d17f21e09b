import { refuse } from "../../contract/refusal.ts";
import { boardNamed, boardWithId, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { creatorOf, type MemberRow } from "../../db/members.ts";
import { looksAround, memberOn, restorersOf, type Caller } from "../access.ts";
import { actsAsServerAdmin } from "../access/server-admin.ts";
import type { RefusalRecheck } from "../handler.ts";

/** A board as far as the caller reaches it for housekeeping. */
export interface Reach {
  readonly board: BoardRow;
  /** The caller's own member on it: their seat, or their membership. */
  readonly me: MemberRow | null;
  /** The caller may know the board's name. */
  readonly named: boolean;
}

/** The board that a path selects by name or id. A server admin reaches a private board they are not on by its id alone, unnamed. */
export function reachedBoard(tx: ReadTx, caller: Caller, asked: string): Reach {
  const byId = asked.startsWith("brd_");
  const board = byId ? boardWithId(tx, asked) : boardNamed(tx, asked);
  const me = board && memberOn(tx, caller, board);
  const admin = actsAsServerAdmin(caller);
  const seen = me !== null || (board !== null && looksAround(caller, board));
  if (!board || (!seen && !(admin && byId))) throw refuse("board_not_found", { board: asked });
  if (!me && !admin) throw refuse("not_on_board", { board: board.name });
  return { board, me, named: seen };
}

/** Whether the caller may archive and restore a board: its creator while still on it, their agent there, or a server admin. A delegation never. */
export function mayKeepHouse(tx: ReadTx, board: BoardRow, caller: Caller): boolean {
  if (caller.delegation) return false;
  if (actsAsServerAdmin(caller)) return true;
  const creator = creatorOf(tx, board.row);
  return creator.status === "active" && creator.person_row === caller.person.row;
}

/** A refusal that tells of a board is given again only to whoever reaches it now. */
export const reachedAgain: RefusalRecheck<"removeAgent"> &
  RefusalRecheck<"archiveBoard" | "restoreBoard" | "deleteBoard"> = (tx, { caller }, { params }) =>
  void reachedBoard(tx, caller, params.board);

/** Refuses whoever has no authority over a board's life. */
export function requireHousekeeper(tx: ReadTx, board: BoardRow, caller: Caller): void {
  if (!mayKeepHouse(tx, board, caller))
    throw refuse("board_creator_required", { restorers: restorersOf(tx, board) });
}
