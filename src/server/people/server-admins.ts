import { refuse } from "../../contract/refusal.ts";
import { personNamed, serverAdmins, type PersonRow } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";

/** The person who has a handle now. */
export function personCalled(tx: ReadTx, handle: string): PersonRow {
  const person = personNamed(tx, handle);
  if (!person) throw refuse("person_not_found", { handle });
  return person;
}

/** Refuses to do without an admin who is the last one. */
export function requireOtherAdmin(tx: ReadTx, person: PersonRow): void {
  if (serverAdmins(tx).every(({ row }) => row === person.row)) throw refuse("last_admin");
}
