import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

/** A machine request: a machine asks a person for a key. */
export interface MachineRequestRow {
  row: number;
  id: string;
  /** The handle that the machine gave. */
  handle: string;
  /** The person who had that handle then; null if nobody did. */
  person_row: number | null;
  label: string;
  /** The address that it asked from. */
  requested_from: string;
  created_at: string;
  expires_at: string;
  state: "pending" | "approved" | "refused" | "collected";
  approver_key_row: number | null;
  /** How often it asked again and had to wait. */
  polls: number;
}

/** How often a machine may ask again and have to wait. After that its request is over. */
export const mostPolls = 200;

const columns =
  "row, id, handle, person_row, label, requested_from, created_at, expires_at, state, approver_key_row, polls";

/** The undecided request with a code. There is at most one. */
export const undecidedRequestWithCode = (tx: ReadTx, codeDigest: string) =>
  tx.get<MachineRequestRow>(
    `SELECT ${columns} FROM machine_request WHERE code_digest = ? AND state = 'pending' AND polls < ${mostPolls} AND expires_at > ?`,
    codeDigest,
    tx.now,
  );
/** The request with a secret, if it is neither over nor collected. */
export const openRequestWithSecret = (tx: ReadTx, secretDigest: string) =>
  tx.get<MachineRequestRow>(
    `SELECT ${columns} FROM machine_request WHERE secret_digest = ? AND state <> 'collected' AND expires_at > ?`,
    secretDigest,
    tx.now,
  );
/** Stores a request of a machine, and signals the person whom it names. */
export function insertMachineRequest(
  tx: Tx,
  request: Omit<MachineRequestRow, "row" | "state" | "approver_key_row" | "polls"> & {
    code_digest: string;
    secret_digest: string;
  },
): void {
  insertRow(tx, "machine_request", request);
  if (request.person_row !== null) tx.signal({ about: "attention", personRow: request.person_row });
}
/** Records the decision about a request, and the key with which it was made. */
export function decideMachineRequest(
  tx: Tx,
  { row, person_row }: MachineRequestRow,
  state: "approved" | "refused",
  keyRow: number,
): void {
  tx.run(
    "UPDATE machine_request SET state = ?, approver_key_row = ? WHERE row = ?",
    state,
    keyRow,
    row,
  );
  if (person_row !== null) tx.signal({ about: "attention", personRow: person_row });
}
export const countPoll = (tx: Tx, row: number) =>
  tx.run("UPDATE machine_request SET polls = polls + 1 WHERE row = ?", row);
export const setCollected = (tx: Tx, row: number) =>
  tx.run("UPDATE machine_request SET state = 'collected' WHERE row = ?", row);
/** Deletes up to 1,000 requests that are over, and returns how many. They end in the order in which they were made. */
export const dropMachineRequests = (tx: Tx) =>
  tx.run(
    "DELETE FROM machine_request WHERE row IN (SELECT row FROM machine_request ORDER BY row LIMIT 1000) AND expires_at <= ?",
    tx.now,
  );
