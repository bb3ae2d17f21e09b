import type { PairingCredentialRow } from "./credentials.ts";
import type { ReadTx, Tx } from "./engine/database.ts";
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
  tx.run(
    "INSERT INTO pairing_endpoint (request_row, side, member_row, key_row, session_binding) VALUES (?, ?, ?, ?, ?)",
    endpoint.request_row,
    endpoint.side,
    endpoint.member_row,
    endpoint.key_row,
    endpoint.session_binding,
  );
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
) =>
  tx.insert(
    "INSERT INTO pairing_credential (id, digest, key_row, request_row, side, member_row, session_binding, generation, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    credential.id,
    credential.digest,
    credential.key_row,
    credential.request_row,
    credential.side,
    credential.member_row,
    credential.session_binding,
    credential.generation,
    tx.now,
    credential.expires_at,
  );
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
) =>
  tx.run(
    "INSERT INTO pairing_evidence (request_row, side, ping_seq, reply_seq, handoff_id, credential_row, told_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    told.request_row,
    told.side,
    told.ping_seq,
    told.reply_seq,
    told.handoff_id,
    told.credential_row,
    tx.now,
  );
