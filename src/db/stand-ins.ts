import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

/** A person of another server in the log of an imported board. */
export interface StandInRow {
  /** Below 0, so that it is never the row of a person of this server. */
  row: number;
  board_row: number;
  id: string;
  handle: string;
  /** The address of their server. */
  origin: string;
}
/** A board that came from another server. */
export interface ImportedBoardRow {
  board_row: number;
  origin: string;
  name: string;
  /** Where its log ended there. */
  head_seq: number;
  imported_at: string;
}

/** Records that a board came from another server, before its log is stored. */
export const insertImportedBoard = (tx: Tx, board: ImportedBoardRow) =>
  insertRow(tx, "imported_board", board);
/** Where a board came from, and where its log ended there; null for a board of this server. */
export const importOf = (tx: ReadTx, boardRow: number) =>
  tx.rowCache.get("import", boardRow, () =>
    tx.get<ImportedBoardRow>("SELECT * FROM imported_board WHERE board_row = ?", boardRow),
  );
/** The name that an imported board got here; null for a board of this server. */
export const nameOfImported = (tx: ReadTx, boardRow: number) =>
  tx.get<{ name: string }>("SELECT name FROM imported_board WHERE board_row = ?", boardRow)?.name ??
  null;

/** Stores a stand-in of a board, under the next row below 0. */
export function insertStandIn(tx: Tx, standIn: Omit<StandInRow, "row">): void {
  const { row } = tx.get<{ row: number }>("SELECT coalesce(min(row), 0) - 1 AS row FROM stand_in")!;
  insertRow(tx, "stand_in", { row, ...standIn });
}
/** The row of a board's stand-in with an id; null if it has none. */
export const standInRow = (tx: ReadTx, boardRow: number, id: string) =>
  tx.rowCache.get("stand-in of", `${boardRow} ${id}`, () =>
    tx.get<{ row: number }>(
      "SELECT row FROM stand_in WHERE board_row = ? AND id = ?",
      boardRow,
      id,
    ),
  )?.row ?? null;
/** The stand-ins of a board, in the order in which they were stored. */
export const standInsOf = (tx: ReadTx, boardRow: number) =>
  tx.all<StandInRow>("SELECT * FROM stand_in WHERE board_row = ? ORDER BY row DESC", boardRow);

/** A stand-in as a person: one whom this server no longer has. */
export const standInAt = (tx: ReadTx, row: number) =>
  tx.get<{
    row: number;
    id: string;
    handle: string;
    display_name: null;
    server_role: "guest";
    created_at: string;
    removed_at: string;
  }>(
    "SELECT s.row, s.id, s.handle, NULL AS display_name, 'guest' AS server_role, b.imported_at AS created_at, b.imported_at AS removed_at" +
      " FROM stand_in s JOIN imported_board b ON b.board_row = s.board_row WHERE s.row = ?",
    row,
  );
