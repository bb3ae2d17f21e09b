import type { Static } from "@sinclair/typebox";
import type { AccessKey, Person } from "../../contract/people.ts";
import {
  seatCountOfKey,
  sessionCountOfKey,
  type KeyRow,
  type PersonRow,
} from "../../db/accounts.ts";
import { delegationsOfKey } from "../../db/delegations.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { keyWorks } from "../access/identify.ts";

export const personRecord = (person: PersonRow): Static<typeof Person> => ({
  id: person.id,
  handle: person.handle,
  display_name: person.display_name,
  server_role: person.server_role,
  created_at: person.created_at,
});

/** The record of a key that was just made. */
export const newKeyRecord = (
  key: Pick<KeyRow, "id" | "name" | "created_at" | "expires_at" | "idle_expiry_seconds">,
): Static<typeof AccessKey> => ({
  id: key.id,
  name: key.name,
  created_at: key.created_at,
  expires_at: key.expires_at,
  idle_expiry_seconds: key.idle_expiry_seconds,
});

/** A key with its state and what it started. Seats outlast their key; browser sessions and delegations end with it. */
export function keyRecord(tx: ReadTx, key: KeyRow): Static<typeof AccessKey> {
  const expired = key.expires_at !== null && key.expires_at <= tx.now;
  const working = keyWorks(tx, key);
  return {
    ...newKeyRecord(key),
    state: key.revoked_at ? "revoked" : expired ? "expired" : "working",
    revoked_at: key.revoked_at,
    last_used_at: key.last_used_at,
    browser_sessions: working ? sessionCountOfKey(tx, key.row) : 0,
    agent_seats: seatCountOfKey(tx, key.row),
    delegations: working ? delegationsOfKey(tx, key.row) : 0,
  };
}
