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

/**
 * Makes a key for a secret with this digest. It expires `seconds` after it was made, or after its last use if `idle` is true;
 * never if `seconds` is null.
 */
export function makeKey(
  tx: Tx,
  person: PersonRow,
  {
    name,
    digest,
    seconds,
    idle,
  }: { name: string; digest: string; seconds: number | null; idle: boolean },
) {
  const key = {
    id: newId(tx, "key"),
    person_row: person.row,
    name,
    created_at: tx.now,
    expires_at: seconds === null ? null : afterSeconds(tx.now, seconds),
    idle_expiry_seconds: idle ? seconds : null,
  };
  return { ...key, row: insertKey(tx, { ...key, digest }) };
}

/** Makes a key for a secret with this digest. It expires when it is not used for 90 days. */
export const createIdleKey = (tx: Tx, person: PersonRow, name: string, digest: string) =>
  makeKey(tx, person, { name, digest, seconds: idleKeySeconds, idle: true });

/** Makes such a key with a new secret, and returns both. The secret is shown only here. */
export function newIdleKey(tx: Tx, person: PersonRow, name: string, secrets: Secrets) {
  const token = secrets.create("key");
  return { ...newKeyRecord(createIdleKey(tx, person, name, secrets.digest(token))), token };
}
