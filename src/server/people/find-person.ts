import { refuse } from "../../contract/refusal.ts";
import { personNamed, type PersonRow } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";

/** The person who has a handle now. Refuses an unknown handle. */
export function personCalled(tx: ReadTx, handle: string): PersonRow {
  const person = personNamed(tx, handle);
  if (!person) throw refuse("person_not_found", { handle });
  return person;
}
