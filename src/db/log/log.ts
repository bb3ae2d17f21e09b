import type { ReadTx } from "../engine/database.ts";
import { genesisHash, type EventRow, type LogHead } from "./chain.ts";
import { lastPlaceOf, placeOf, type LogWindow } from "./log-place.ts";

/** Events between two seqs, which are exclusive bounds; newest first if `newest`, else oldest first. */
export const eventsWithin = (
  tx: ReadTx,
  boardRow: number,
  { after, before, newest, limit }: LogWindow,
) =>
  tx.all<EventRow>(
    `SELECT * FROM event WHERE place > ? AND place < ? ORDER BY place ${newest ? "DESC" : "ASC"} LIMIT ?`,
    placeOf(boardRow, after),
    before === null ? lastPlaceOf(boardRow) + 1 : placeOf(boardRow, before),
    limit,
  );

export const eventAt = (tx: ReadTx, place: number) =>
  tx.get<EventRow>("SELECT * FROM event WHERE place = ?", place);

/** When the event at a place happened. There must be one. */
export const timeAt = (tx: ReadTx, place: number): string =>
  tx.get<{ at: string }>("SELECT at FROM event WHERE place = ?", place)!.at;

/** Hash of the event at a seq; the genesis hash at 0. */
export function hashAt(tx: ReadTx, boardRow: number, seq: number): string {
  if (seq === 0) return genesisHash;
  const row = tx.get<{ hash: string }>(
    "SELECT hash FROM event WHERE place = ?",
    placeOf(boardRow, seq),
  );
  return row?.hash ?? genesisHash;
}

/** Whether events are missing at the end of a board's log: it has none at all, or a message is past its end. */
export const endsTooEarly = (tx: ReadTx, { row, head_seq }: LogHead): boolean =>
  head_seq === 0 ||
  tx.get(
    "SELECT 1 FROM message WHERE place > ? AND place <= ? LIMIT 1",
    placeOf(row, head_seq),
    lastPlaceOf(row),
  ) !== null;
