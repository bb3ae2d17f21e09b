import type { PairingCredentialRow } from "./credentials.ts";
import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";
import { signalParties } from "./pairings.ts";

/** The two sides of a pairing request. */
export type PairingSide = PairingCredentialRow["side"];

/** The session that is selected for a side. */
export interface PairingEndpointRow {
  request_row: number;
  side: PairingSide;
  member_row: number;
  key_row: number;
  session_binding: string;
  accepted_at: string | null;
}
/** A message to the other side and its reply. */
interface PairingEvidenceRow {
  ping_seq: number;
  reply_seq: number;
  handoff_id: string;
}

export const endpointOf = (tx: ReadTx, requestRow: number, side: PairingSide) =>
  tx.get<PairingEndpointRow>(
    "SELECT * FROM pairing_endpoint WHERE request_row = ? AND side = ?",
    requestRow,
    side,
  );
/** Selects a session for a side. */
export function insertEndpoint(tx: Tx, endpoint: Omit<PairingEndpointRow, "accepted_at">): void {
  insertRow(tx, "pairing_endpoint", endpoint);
  signalParties(tx, endpoint.request_row);
}
/** Records that the recipient's session has accepted. */
export function setAccepted(tx: Tx, requestRow: number): void {
  tx.run(
    "UPDATE pairing_endpoint SET accepted_at = ? WHERE request_row = ? AND side = 'recipient'",
    tx.now,
    requestRow,
  );
  signalParties(tx, requestRow);
}

export const insertPairingCredential = (
  tx: Tx,
  credential: Omit<PairingCredentialRow, "row" | "created_at" | "ended_at"> & { digest: string },
) => insertRow(tx, "pairing_credential", { ...credential, created_at: tx.now });
export const pairingCredentialWithId = (tx: ReadTx, id: string) =>
  tx.get<PairingCredentialRow>(
    "SELECT row, id, key_row, request_row, side, member_row, session_binding, generation, created_at, expires_at, ended_at FROM pairing_credential WHERE id = ?",
    id,
  );
/** Changes when a credential expires. */
export const renewPairingCredential = (tx: Tx, row: number, expiresAt: string) =>
  tx.run("UPDATE pairing_credential SET expires_at = ? WHERE row = ?", expiresAt, row);
/** Ends the credentials of one side of a request. */
export const endCredentialsOfSide = (tx: Tx, requestRow: number, side: PairingSide) =>
  tx.run(
    "UPDATE pairing_credential SET ended_at = ? WHERE request_row = ? AND side = ? AND ended_at IS NULL",
    tx.now,
    requestRow,
    side,
  );

export const evidenceOf = (tx: ReadTx, requestRow: number, side: PairingSide) =>
  tx.get<PairingEvidenceRow>(
    "SELECT ping_seq, reply_seq, handoff_id FROM pairing_evidence WHERE request_row = ? AND side = ?",
    requestRow,
    side,
  );
export const insertEvidence = (
  tx: Tx,
  told: PairingEvidenceRow & { request_row: number; side: PairingSide; credential_row: number },
) => insertRow(tx, "pairing_evidence", { ...told, told_at: tx.now });
