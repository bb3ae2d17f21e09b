import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

export interface RestoreRow {
  backup: string;
  taken_at: string;
  restored_at: string;
  generation: string;
  keys: "keep" | "revoke";
  boards: number;
  events: number;
  people: number;
  files: number;
}

/** The receipts of all restores, newest first. */
export const restores = (tx: ReadTx) =>
  tx.all<RestoreRow>(
    "SELECT backup, taken_at, restored_at, generation, choice AS keys, boards, events, people, files FROM restore ORDER BY row DESC LIMIT 200",
  );
export const insertRestore = (tx: Tx, { keys, ...restore }: RestoreRow) =>
  insertRow(tx, "restore", { ...restore, choice: keys });

/** How much a server holds, for the receipt of its restore. */
export const countsForReceipt = (tx: ReadTx) =>
  tx.get<Pick<RestoreRow, "boards" | "events" | "people" | "files">>(
    "SELECT (SELECT count(*) FROM board WHERE lifecycle <> 'deleted') AS boards, (SELECT count(*) FROM event) AS events, " +
      "(SELECT count(*) FROM person WHERE removed_at IS NULL) AS people, (SELECT count(DISTINCT sha256) FROM file_version) AS files",
  )!;

/** Ends what no restore may bring back to life: browser sessions, invitations, requests of machines, and kept answers. */
export function endWhatARestoreEnds(tx: Tx): void {
  tx.run("UPDATE browser_session SET ended_at = ? WHERE ended_at IS NULL", tx.now);
  tx.run(
    "UPDATE invite SET revoked_at = ? WHERE redeemed_at IS NULL AND revoked_at IS NULL",
    tx.now,
  );
  tx.run("DELETE FROM machine_request");
  tx.run("DELETE FROM kept_answer");
}

/** Ends every access key and delegation. The tokens of agents end with the keys that made them. */
export function endEveryKey(tx: Tx): void {
  tx.run("UPDATE access_key SET revoked_at = ? WHERE revoked_at IS NULL", tx.now);
  tx.run("UPDATE delegation SET ended_at = ? WHERE ended_at IS NULL", tx.now);
  tx.run("UPDATE pairing_credential SET ended_at = ? WHERE ended_at IS NULL", tx.now);
}

/** Rows of all boards that are not deleted. */
export const boardRows = (tx: ReadTx) =>
  tx
    .all<{ row: number }>("SELECT row FROM board WHERE lifecycle <> 'deleted' ORDER BY row")
    .map(({ row }) => row);
