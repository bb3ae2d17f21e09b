import { refuse } from "../../contract/refusal.ts";
import type { PersonRow } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { activeMembership, peopleOf, type MemberRow } from "../../db/members.ts";
import { system } from "../actor.ts";
import type { Recheck } from "../handler.ts";
import { recordAs } from "../record.ts";

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

/** Makes a member the owner of a board that lost its last one with their removal from the server. */
export function passOn(
  tx: Tx,
  board: BoardRow,
  heir: Pick<MemberRow, "id" | "name">,
  person: PersonRow,
): void {
  recordAs(tx, board, system, "person.made_owner", {
    member_id: heir.id,
    person_id: person.id,
    name: heir.name,
    reason: "owner_removed_from_server",
  });
}
