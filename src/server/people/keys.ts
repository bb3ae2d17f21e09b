import { refuse } from "../../contract/refusal.ts";
import {
  keyOfPerson,
  keysOfPerson,
  revokeKeyAt,
  type KeyRow,
  type PersonRow,
} from "../../db/accounts.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { keyWorks } from "../access/identify.ts";
import type { Handler } from "../handler.ts";
import { daySeconds } from "../time.ts";
import { firstFree } from "../names.ts";
import { makeKey } from "./create-person.ts";
import { keyRecord, newKeyRecord, personRecord } from "./views.ts";

export const listKeys: Handler<"listKeys"> = (tx, { caller: { person, key } }) => ({
  person: personRecord(person),
  keys: keysOfPerson(tx, person.row).map((each) => keyRecord(tx, each)),
  current_key_id: key.id,
  current_key_previous_use: key.last_used_at,
});

export const createKey: Handler<"createKey"> = (tx, { caller: { person } }, { body }, tools) => {
  const { name, ttl_seconds: seconds = 90 * daySeconds } = body;
  if (hasWorkingKey(tx, person, name)) throw refuse("key_name_taken", { name });
  const token = tools.secrets.create("key");
  const digest = tools.secrets.digest(token);
  const key = makeKey(tx, person, { name, digest, seconds, idle: false });
  return { ...newKeyRecord(key), token };
};

const hasWorkingKey = (tx: ReadTx, person: PersonRow, name: string): boolean =>
  keysOfPerson(tx, person.row).some((key) => key.name === name && keyWorks(tx, key));

/** A key name made from `base` that no working key of the person has. */
export const freeKeyName = (tx: ReadTx, person: PersonRow, base: string): string =>
  firstFree(base, (name) => hasWorkingKey(tx, person, name));

export const revokeKey: Handler<"revokeKey"> = (tx, { caller: { person } }, { params }) => {
  const key = keyOfPerson(tx, person.row, params.key);
  if (!key) throw refuse("key_not_found", { key: params.key });
  endKey(tx, key);
  return keyRecord(tx, { ...key, revoked_at: key.revoked_at ?? tx.now });
};

/** Revokes a key, unless it was revoked before. */
export function endKey(tx: Tx, key: KeyRow): void {
  if (key.revoked_at) return;
  revokeKeyAt(tx, key.row);
  tx.signal({ about: "key-ended", keyRow: key.row });
}
