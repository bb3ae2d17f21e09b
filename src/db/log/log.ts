import { canonical } from "../../contract/canonical.ts";
import type { Actor, EventData, EventType } from "../../contract/log.ts";
import type { ReadTx, Tx } from "../engine/database.ts";
import { genesisHash, hashOfEvent, sha256, type EventRow, type LogHead } from "./chain.ts";
import { lastPlaceOf, placeOf } from "./log-place.ts";
import { project } from "./projection.ts";

/**
 * Adds the next event to a board's log and brings the read models after it. The only way a board's head moves, and the
 * only way its read models change. Gives the event's seq.
 */
export function append<T extends EventType>(
  tx: Tx,
  board: LogHead,
  event: { id: string; type: T; actor: Actor; data: EventData<T> },
): number {
  if (board.head_seq === 0 && event.type !== "board.created")
    throw new Error(`the log of board ${board.id} has lost its events`);
  const seq = board.head_seq + 1;
  const data = canonical(event.data);
  const row = {
    id: event.id,
    type: event.type,
    at: tx.now,
    actor: canonical(event.actor),
    data_hash: sha256(data),
  };
  const hash = hashOfEvent(row, board.id, seq, board.head_hash);
  tx.run(
    "INSERT INTO event (place, id, type, at, actor, data, data_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    placeOf(board.row, seq),
    row.id,
    row.type,
    row.at,
    row.actor,
    data,
    row.data_hash,
    hash,
  );
  board.head_seq = seq;
  board.head_hash = hash;
  tx.signal({ about: "head", boardRow: board.row });
  project(tx, { ...event, boardRow: board.row, seq, at: tx.now });
  return seq;
}

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

/** When the event at a place happened; there is one. */
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

/** Whether a board's log ends before something that it once held: a log without an event, or a message past its end. */
export const endsTooEarly = (tx: ReadTx, { row, head_seq }: LogHead): boolean =>
  head_seq === 0 ||
  tx.get(
    "SELECT 1 FROM message WHERE place > ? AND place <= ? LIMIT 1",
    placeOf(row, head_seq),
    lastPlaceOf(row),
  ) !== null;
