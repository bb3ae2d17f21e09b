import type { ReadTx } from "../engine/database.ts";
import { genesisHash, type EventRow, type LogHead } from "./chain.ts";
import { lastPlaceOf, placeOf } from "./log-place.ts";

/** Events after `afterSeq`, oldest first. */
export const eventsAfter = (tx: ReadTx, boardRow: number, afterSeq: number, limit: number) =>
  tx.all<EventRow>(
    "SELECT * FROM event WHERE place > ? AND place <= ? ORDER BY place LIMIT ?",
    placeOf(boardRow, afterSeq),
    lastPlaceOf(boardRow),
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
