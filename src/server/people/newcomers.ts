import { insertKey, insertPerson, type PersonRow } from "../../db/accounts.ts";
import type { Tx } from "../../db/engine/database.ts";
import { newId } from "../ids.ts";
import type { Secrets } from "../secrets.ts";
import { afterSeconds, idleKeySeconds } from "../time.ts";
import { newKeyRecord } from "./views.ts";

/** Adds a person to the server. */
export function createPerson(
  tx: Tx,
  handle: string,
  displayName: string | null,
  role: PersonRow["server_role"],
): PersonRow {
  const person = {
    id: newId(tx, "hum"),
    handle,
    display_name: displayName,
    server_role: role,
    created_at: tx.now,
  };
  return { ...person, removed_at: null, row: insertPerson(tx, person) };
}

/** Makes a key of a secret with this digest. It ends after so many seconds, counted from its last use where `idle` is true. */
export function makeKey(
  tx: Tx,
  person: PersonRow,
  { name, digest, seconds, idle }: { name: string; digest: string; seconds: number; idle: boolean },
) {
  const key = {
    id: newId(tx, "key"),
    person_row: person.row,
    name,
    created_at: tx.now,
    expires_at: afterSeconds(tx.now, seconds),
    idle_expiry_seconds: idle ? seconds : null,
  };
  return { ...key, row: insertKey(tx, { ...key, digest }) };
}

/** Makes a key that ends when it is not used for 90 days, of a secret with this digest. */
export const createIdleKey = (tx: Tx, person: PersonRow, name: string, digest: string) =>
  makeKey(tx, person, { name, digest, seconds: idleKeySeconds, idle: true });

/** The same with a new secret, which is shown with it this once. */
export function newIdleKey(tx: Tx, person: PersonRow, name: string, secrets: Secrets) {
  const token = secrets.create("key");
  return { ...newKeyRecord(createIdleKey(tx, person, name, secrets.digest(token))), token };
}
