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
/** A board that the caller may do housekeeping on, such as archiving it or removing agents. */
export interface Reach extends Seen {
  /** The caller may know the names of the board and of its members. */
  readonly named: boolean;
}

/** The board that a name or an id selects. No name looks like an id. */
export const boardCalled = (tx: ReadTx, asked: string): BoardRow | null =>
  isId(asked) ? boardWithId(tx, asked) : boardNamed(tx, asked);
const isId = (asked: string): boolean => asked.startsWith("brd_");

/** Returns the board and the caller's member on it. Refuses a hidden board exactly as a missing one. */
export function seeing(tx: ReadTx, caller: Caller, board: BoardRow | null, asked: string): Seen {
  const me = board && memberOn(tx, caller, board);
  if (!board || (!me && !looksAround(caller, board)))
    throw refuse("board_not_found", { board: asked });
  return { caller, board, me };
}

/** Whether the caller may know that a board exists and what it is called. */
export const sees = (tx: ReadTx, caller: Caller, board: BoardRow): boolean =>
  memberOn(tx, caller, board) !== null || looksAround(caller, board);

/** Whether the caller sees a board that they are not on: people see open boards, guests and agents do not. */
export const looksAround = ({ seat, person }: Caller, board: BoardRow): boolean =>
  seat === null && person.server_role !== "guest" && board.visibility === "open";

/** The caller's own member on a board: their seat, or their membership while it lasts. */
export function memberOn(tx: ReadTx, caller: Caller, board: BoardRow): MemberRow | null {
  if (caller.seat) return caller.seat.board_row === board.row ? caller.seat : null;
  return activeMembership(tx, board.row, caller.person.row);
}

/**
 * Refuses a board that the caller is not on. `asked` is the name or id that the refusal repeats if the board is hidden
 * or missing.
 */
export function onBoard(
  tx: ReadTx,
  caller: Caller,
  board: BoardRow | null,
  asked: string,
): OnBoard {
  const seen = seeing(tx, caller, board, asked);
  return { ...seen, me: requireMember(seen) };
}

/** The caller's member on a board that they see. Refuses a caller who is not on the board. */
export function requireMember({ board, me }: Seen): MemberRow {
  if (!me) throw refuse("not_on_board", { board: board.name });
  return me;
}

/**
 * Finds a board for housekeeping. A server admin who is not on a private board reaches it only by its id, and `named`
 * is false.
 */
export function reaching(tx: ReadTx, caller: Caller, asked: string): Reach {
  const board = boardCalled(tx, asked);
  const me = board && memberOn(tx, caller, board);
  const named = me !== null || (board !== null && looksAround(caller, board));
  if (!board || (!named && !(actsAsServerAdmin(caller) && isId(asked))))
    throw refuse("board_not_found", { board: asked });
  return { caller, board, me, named };
}
