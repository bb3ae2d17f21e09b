import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

/** A pairing request: a session of one person is to work with an agent of another, or of the same. */
export interface PairingRow {
  row: number;
  id: string;
  board_row: number;
  /** The person who asks. */
  inviter_row: number;
  /** The initiating agent's member. */
  agent_row: number;
  /** The person who is asked; null until the invitation is redeemed. */
  recipient_row: number | null;
  invite_id: string | null;
  work: string;
  /** Whether an agent brought the recipient onto the board with this request. */
  admitted_by_agent: 0 | 1;
  generation: number;
  since_seq: number;
  created_at: string;
  expires_at: string;
  ended: "declined" | "cancelled" | null;
  ready_at: string | null;
}

export const pairingWithId = (tx: ReadTx, id: string) =>
  tx.get<PairingRow>("SELECT * FROM pairing_request WHERE id = ?", id);
export const pairingAt = (tx: ReadTx, row: number) =>
  tx.get<PairingRow>("SELECT * FROM pairing_request WHERE row = ?", row);
export const pairingOfInvite = (tx: ReadTx, inviteId: string) =>
  tx.get<PairingRow>("SELECT * FROM pairing_request WHERE invite_id = ?", inviteId);
/** The newest requests in which a person takes part and that were made after a moment, oldest first. */
export const pairingsOfPerson = (
  tx: ReadTx,
  personRow: number,
  madeAfter: string,
  limit: number,
): PairingRow[] =>
  tx
    .all<PairingRow>(
      "SELECT * FROM pairing_request WHERE (inviter_row = ?1 OR recipient_row = ?1) AND created_at > ?2 ORDER BY row DESC LIMIT ?3",
      personRow,
      madeAfter,
      limit,
    )
    .toReversed();

/** Stores a request and returns its row. */
export function insertPairing(
  tx: Tx,
  pairing: Omit<
    PairingRow,
    "row" | "generation" | "since_seq" | "created_at" | "ended" | "ready_at"
  >,
): number {
  const row = insertRow(tx, "pairing_request", { ...pairing, created_at: tx.now });
  signalParties(tx, row);
  return row;
}
/** Signals both people of a request that it may wait for another one of them. */
export function signalParties(tx: Tx, row: number): void {
  const { inviter_row, recipient_row } = pairingAt(tx, row)!;
  tx.signal({ about: "attention", personRow: inviter_row });
  if (recipient_row !== null) tx.signal({ about: "attention", personRow: recipient_row });
}
/** Records who redeemed the invitation that a request came with. */
export function setRecipient(tx: Tx, row: number, personRow: number): void {
  tx.run("UPDATE pairing_request SET recipient_row = ? WHERE row = ?", personRow, row);
  signalParties(tx, row);
}
/** Ends a request and the credentials of its sessions. */
export function endPairing(tx: Tx, row: number, as: NonNullable<PairingRow["ended"]>): void {
  tx.run("UPDATE pairing_request SET ended = ? WHERE row = ?", as, row);
  endCredentialsOf(tx, row);
  signalParties(tx, row);
}
/** Records that both sides have reached each other. */
export function setReady(tx: Tx, row: number): void {
  tx.run("UPDATE pairing_request SET ready_at = ? WHERE row = ?", tx.now, row);
  signalParties(tx, row);
}
/** Records the head of the board's log at a selection. */
export const setSince = (tx: Tx, row: number, seq: number) =>
  tx.run("UPDATE pairing_request SET since_seq = ? WHERE row = ?", seq, row);
/** Resets a request: no session is selected, no evidence is recorded, and no credential works. */
export function nextGeneration(tx: Tx, row: number): void {
  tx.run("UPDATE pairing_request SET generation = generation + 1 WHERE row = ?", row);
  tx.run("DELETE FROM pairing_endpoint WHERE request_row = ?", row);
  tx.run("DELETE FROM pairing_evidence WHERE request_row = ?", row);
  endCredentialsOf(tx, row);
  signalParties(tx, row);
}
const endCredentialsOf = (tx: Tx, row: number) =>
  tx.run(
    "UPDATE pairing_credential SET ended_at = ? WHERE request_row = ? AND ended_at IS NULL",
    tx.now,
    row,
  );
