import type { Tx } from "./engine/database.ts";
import type { FileApprovalRow, FileRow, FileVersionRow } from "./files.ts";
import { insertRow, putRow } from "./insert-row.ts";

/** Stores a new file; its first version follows. */
export const insertFile = (tx: Tx, file: Pick<FileRow, "id" | "board_row" | "name">) =>
  insertRow(tx, "file", { ...file, maintained: 0, latest: 0, latest_place: 0 });

/** Stores a version of a file, which is its newest from then on. */
export function insertVersion(tx: Tx, version: FileVersionRow): void {
  insertRow(tx, "file_version", version);
  tx.run(
    "UPDATE file SET latest = ?2, latest_place = ?3, writer_row = ?4 WHERE row = ?1",
    version.file_row,
    version.version,
    version.place,
    version.writer_row,
  );
}

/**
 * Makes changes to a file and updates its search index: the file is then found by its new name, at this place. With null it
 * is no longer found.
 */
export function rewriteFile(tx: Tx, row: number, place: number | null, change: () => void): void {
  // The index stores no name, so removing an entry needs the old one.
  tx.run(
    "INSERT INTO search_file (search_file, rowid, name) SELECT 'delete', text_place, name FROM file WHERE row = ? AND text_place IS NOT NULL",
    row,
  );
  change();
  tx.run("UPDATE file SET text_place = ?2 WHERE row = ?1", row, place);
  tx.run(
    "INSERT INTO search_file (rowid, name) SELECT text_place, name FROM file WHERE row = ? AND text_place IS NOT NULL",
    row,
  );
}

export const setMaintained = (tx: Tx, row: number, maintained: boolean) =>
  tx.run("UPDATE file SET maintained = ?2 WHERE row = ?1", row, maintained ? 1 : 0);
export const setFileName = (tx: Tx, row: number, name: string) =>
  tx.run("UPDATE file SET name = ?2 WHERE row = ?1", row, name);
/** Removes a file from its board's list. */
export const setRemoved = (tx: Tx, row: number) =>
  tx.run("UPDATE file SET removed = 1 WHERE row = ?", row);

/** Replaces the tasks that a file is about. */
export function setFileTasks(tx: Tx, row: number, taskRows: readonly number[]): void {
  tx.run("DELETE FROM file_task WHERE file_row = ?", row);
  for (const [ordinal, taskRow] of taskRows.entries())
    insertRow(tx, "file_task", { file_row: row, ordinal, task_row: taskRow });
}

/** Stores a person's approval of a file. It replaces their earlier one. */
export const setApproval = (tx: Tx, approval: Omit<FileApprovalRow, "sha256">) =>
  putRow(tx, "file_approval", approval);
export const insertPosting = (tx: Tx, row: number, place: number, version: number) =>
  insertRow(tx, "file_posted", { file_row: row, place, version });
export const deleteApproval = (tx: Tx, row: number, memberRow: number) =>
  tx.run("DELETE FROM file_approval WHERE file_row = ? AND member_row = ?", row, memberRow);
