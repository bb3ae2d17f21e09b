import type { ReadTx } from "../../db/database.ts";
import { membershipOf, peopleOf, type MemberRow } from "../../db/members.ts";

/** Names of a board's owners, for a hint. */
export const ownersOf = (tx: ReadTx, boardRow: number): string =>
  peopleOf(tx, boardRow)
    .filter(({ access }) => access === "admin")
    .map(({ name }) => `@${name}`)
    .join(", ");

/** Whether a member owns the board, or is an agent whose person does. */
export function actsForOwner(tx: ReadTx, me: MemberRow): boolean {
  const person = me.kind === "human" ? me : membershipOf(tx, me.board_row, me.person_row);
  return person?.status === "active" && person.access === "admin";
}
