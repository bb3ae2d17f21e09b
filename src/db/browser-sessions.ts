import type { BrowserSessionRow } from "./credentials.ts";
import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

/** A browser session with the id and name of the key that started it. */
export type SessionAndKey = BrowserSessionRow & { key_id: string; key_name: string };

const withKey =
  "SELECT s.*, k.id AS key_id, k.name AS key_name FROM browser_session s JOIN access_key k ON k.row = s.key_row";
const lasting =
  "s.ended_at IS NULL AND s.expires_at > ?1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?1)";

export const sessionAt = (tx: ReadTx, row: number) =>
  tx.get<SessionAndKey>(`${withKey} WHERE s.row = ?`, row);
/** A person's current browser sessions, newest first. */
export const sessionsOfPerson = (tx: ReadTx, personRow: number) =>
  tx.all<SessionAndKey>(
    `${withKey} WHERE ${lasting} AND k.person_row = ?2 ORDER BY s.row DESC`,
    tx.now,
    personRow,
  );
export const insertSession = (
  tx: Tx,
  session: Omit<BrowserSessionRow, "row" | "ended_at"> & { digest: string },
) => insertRow(tx, "browser_session", session);
/** Ends a browser session: its next request is refused, and its open streams end. */
export function endSession(tx: Tx, row: number): void {
  tx.run("UPDATE browser_session SET ended_at = ? WHERE row = ?", tx.now, row);
  tx.signal({ about: "session-ended", sessionRow: row });
}
