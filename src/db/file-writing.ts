import type { Tx } from "./engine/database.ts";
import type { FileApprovalRow, FileRow, FileVersionRow } from "./files.ts";

/** Stores a new file; its first version follows. */
export const insertFile = (tx: Tx, file: Pick<FileRow, "id" | "board_row" | "name">) =>
  tx.insert(
    "INSERT INTO file (id, board_row, name, maintained, latest, latest_place) VALUES (?, ?, ?, 0, 0, 0)",
    file.id,
    file.board_row,
    file.name,
  );

/** Stores a version of a file, which is its newest from then on. */
export function insertVersion(tx: Tx, version: FileVersionRow): void {
  tx.run(
    "INSERT INTO file_version (file_row, version, place, sha256, size, media_type, writer_row, written_at, base) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    version.file_row,
    version.version,
    version.place,
    version.sha256,
    version.size,
    version.media_type,
    version.writer_row,
    version.written_at,
    version.base,
  );
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
    tx.run(
      "INSERT INTO file_task (file_row, ordinal, task_row) VALUES (?, ?, ?)",
      row,
      ordinal,
      taskRow,
    );
}

/** Stores a person's approval of a file. It replaces their earlier one. */
export const setApproval = (tx: Tx, approval: Omit<FileApprovalRow, "sha256">) =>
  tx.run(
    "INSERT INTO file_approval (file_row, member_row, version, place, approved_at) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (file_row, member_row) DO UPDATE SET version = ?3, place = ?4, approved_at = ?5",
    approval.file_row,
    approval.member_row,
    approval.version,
    approval.place,
    approval.approved_at,
  );
export const insertPosting = (tx: Tx, row: number, place: number, version: number) =>
  tx.run(
    "INSERT INTO file_posted (file_row, place, version) VALUES (?, ?, ?)",
    row,
    place,
    version,
  );
export const deleteApproval = (tx: Tx, row: number, memberRow: number) =>
  tx.run("DELETE FROM file_approval WHERE file_row = ? AND member_row = ?", row, memberRow);
