import { canonical } from "../../contract/canonical.ts";
import type { Actor, EventData, EventType } from "../../contract/log.ts";
import type { Tx } from "../engine/database.ts";
import { hashOfEvent, sha256, type LogHead } from "../log/chain.ts";
import { placeOf } from "../log/log-place.ts";
import { project } from "./projection.ts";

/**
 * Adds the next event to a board's log and updates the read models. A board's head and its read models change in no other
 * way. Returns the event's seq.
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
