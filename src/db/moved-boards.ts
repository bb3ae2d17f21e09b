import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

/** Where a board went on. */
interface MovedBoardRow {
  board_row: number;
  /** The address of the server. */
  server: string;
  /** Its id there. */
  board_id: string;
}

/** Where a board went on; null for one that did not move. */
export const moveOf = (tx: ReadTx, boardRow: number) =>
  tx.rowCache.get("move", boardRow, () =>
    tx.get<MovedBoardRow>("SELECT * FROM moved_board WHERE board_row = ?", boardRow),
  );
export const insertMove = (tx: Tx, move: MovedBoardRow) => insertRow(tx, "moved_board", move);
/** Forgets that a board moved: it was imported from an archive of the server that it had left. */
export const forgetMove = (tx: Tx, boardRow: number) =>
  tx.run("DELETE FROM moved_board WHERE board_row = ?", boardRow);
