import type { ReadTx, Tx } from "../engine/database.ts";
import { putRow } from "../insert-row.ts";
import { lastPlaceOf, placeOf } from "../log/log-place.ts";

const pieceEvents = 500;
/** A piece ends once it has this many bytes of events. Indexing them blocks the server for some 20 milliseconds. */
const pieceBytes = 128 * 1024;

const filledUpTo = (tx: ReadTx, boardRow: number): number =>
  tx.get<{ place: number }>("SELECT place FROM search_position WHERE board_row = ?", boardRow)
    ?.place ?? placeOf(boardRow, 0);

/** Whether a board's log has events that the search index has not looked at. */
export const isBehind = (tx: ReadTx, boardRow: number): boolean =>
  tx.get(
    "SELECT 1 FROM event WHERE place > ? AND place <= ? LIMIT 1",
    filledUpTo(tx, boardRow),
    lastPlaceOf(boardRow),
  ) !== null;

/** Whether the search index has every message of a board. */
export const hasEveryMessage = (tx: ReadTx, boardRow: number): boolean =>
  tx.get(
    "SELECT 1 FROM message WHERE place > ? AND place <= ? LIMIT 1",
    filledUpTo(tx, boardRow),
    lastPlaceOf(boardRow),
  ) === null;

/** Rows of the boards with events that the search index has not looked at. Nobody searches deleted boards, so they are left out. */
export const boardsBehind = (tx: ReadTx): number[] =>
  tx
    .all<{ row: number }>("SELECT row FROM board WHERE lifecycle <> 'deleted'")
    .map(({ row }) => row)
    .filter((row) => isBehind(tx, row));

/** Adds the next piece of a board's log to the search index. Returns whether there is more. */
export function fillPiece(tx: Tx, boardRow: number): boolean {
  const from = filledUpTo(tx, boardRow);
  const { upTo } = tx.get<{ upTo: number | null }>(
    "SELECT max(place) AS upTo FROM (SELECT place, size, sum(size) OVER (ORDER BY place) AS bytes FROM " +
      "(SELECT place, octet_length(data) AS size FROM event WHERE place > ? AND place <= ? ORDER BY place LIMIT ?)) WHERE bytes - size < ?",
    from,
    lastPlaceOf(boardRow),
    pieceEvents,
    pieceBytes,
  )!;
  if (upTo === null) return false;
  tx.run(
    "INSERT INTO search_text (rowid, text) SELECT place, text FROM search_source WHERE place > ? AND place <= ?",
    from,
    upTo,
  );
  putRow(tx, "search_position", { board_row: boardRow, place: upTo });
  return isBehind(tx, boardRow);
}
