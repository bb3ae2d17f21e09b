import { refuse } from "../../contract/refusal.ts";
import { boardNamed, boardWithId, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { activeMembership, type MemberRow } from "../../db/members.ts";
import type { Caller } from "./identify.ts";
import { actsAsServerAdmin } from "./server-admin.ts";

/** A board that the caller sees, and their own member on it if they are on it. */
export interface Seen {
  readonly caller: Caller;
  readonly board: BoardRow;
  readonly me: MemberRow | null;
}
/** A board that the caller is on. */
export interface OnBoard extends Seen {
  readonly me: MemberRow;
}
/** A board as far as the caller reaches it for housekeeping. */
export interface Reach extends Seen {
  /** The caller may know the names of the board and of its members. */
  readonly named: boolean;
}

/** The board that a name or an id selects. No name looks like an id. */
export const boardCalled = (tx: ReadTx, asked: string): BoardRow | null =>
  isId(asked) ? boardWithId(tx, asked) : boardNamed(tx, asked);
const isId = (asked: string): boolean => asked.startsWith("brd_");

/** The caller's view of a board: the board and their own member on it, or the one refusal for hidden and missing alike. */
export function seeing(tx: ReadTx, caller: Caller, board: BoardRow | null, asked: string): Seen {
  const me = board && memberOn(tx, caller, board);
  if (!board || (!me && !looksAround(caller, board)))
    throw refuse("board_not_found", { board: asked });
  return { caller, board, me };
}

/** Whether the caller may know a board and its name: they are on it, or it is open and they are no guest. */
export const sees = (tx: ReadTx, caller: Caller, board: BoardRow): boolean =>
  memberOn(tx, caller, board) !== null || looksAround(caller, board);

/** Whether a board that the caller is not on shows itself to them: an open one does to people who are no guests. */
export const looksAround = ({ seat, person }: Caller, board: BoardRow): boolean =>
  seat === null && person.server_role !== "guest" && board.visibility === "open";

/** The caller's own member on a board: their seat, or their membership while it lasts. */
export function memberOn(tx: ReadTx, caller: Caller, board: BoardRow): MemberRow | null {
  if (caller.seat) return caller.seat.board_row === board.row ? caller.seat : null;
  return activeMembership(tx, board.row, caller.person.row);
}

/** A board that the caller is on. `asked` is what the refusal of a hidden or missing one repeats. */
export function onBoard(
  tx: ReadTx,
  caller: Caller,
  board: BoardRow | null,
  asked: string,
): OnBoard {
  const seen = seeing(tx, caller, board, asked);
  return { ...seen, me: requireMember(seen) };
}

/** The caller's own member on a board that they see. Refuses whoever is not on it. */
export function requireMember({ board, me }: Seen): MemberRow {
  if (!me) throw refuse("not_on_board", { board: board.name });
  return me;
}

/** A board for housekeeping. A server admin reaches a private board that they are not on by its id alone, unnamed. */
export function reaching(tx: ReadTx, caller: Caller, asked: string): Reach {
  const board = boardCalled(tx, asked);
  const me = board && memberOn(tx, caller, board);
  const named = me !== null || (board !== null && looksAround(caller, board));
  if (!board || (!named && !(actsAsServerAdmin(caller) && isId(asked))))
    throw refuse("board_not_found", { board: asked });
  return { caller, board, me, named };
}
