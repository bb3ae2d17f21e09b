import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/database.ts";
import { activeMembership, peopleOf, type MemberRow } from "../../db/members.ts";
import type { Recheck } from "../handler.ts";

/** Names of a board's owners, for a hint. */
export const ownersOf = (tx: ReadTx, boardRow: number): string =>
  peopleOf(tx, boardRow)
    .filter(({ access }) => access === "admin")
    .map(({ name }) => `@${name}`)
    .join(", ");

/** Refuses a member who does not own the board. */
export function requireOwner(tx: ReadTx, board: BoardRow, me: MemberRow): void {
  if (me.access !== "admin")
    throw refuse("owner_required", { board: board.name, owners: ownersOf(tx, board.row) });
}

/** A repeat is answered only while the caller owns the board. */
export const ownsStill: Recheck<"addOwner"> & Recheck<"setVisibility"> = (tx, { board, me }) =>
  requireOwner(tx, board, me);

/** Whether a member owns the board, or is an agent whose person does. */
export function actsForOwner(tx: ReadTx, me: MemberRow): boolean {
  const person = me.kind === "human" ? me : activeMembership(tx, me.board_row, me.person_row);
  return person?.access === "admin";
}
