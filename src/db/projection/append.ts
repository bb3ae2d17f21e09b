import { canonical } from "../../contract/canonical.ts";
import type { Actor, EventData, EventType } from "../../contract/log.ts";
import type { Tx } from "../engine/database.ts";
import { hashOfEvent, sha256, type EventRow, type LogHead } from "../log/chain.ts";
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
  store(tx, board, { ...row, data, hash });
  tx.signal({ about: "head", boardRow: board.row });
  project(tx, { ...event, boardRow: board.row, seq, at: tx.now });
  return seq;
}

/**
 * Adds the next event of a board that comes from another server to its log, as that server stored it, and updates the read
 * models. Nobody is told: nobody of this server is on the board yet.
 */
export function appendImported(
  tx: Tx,
  board: LogHead,
  event: Omit<EventRow, "place"> & { actorRecord: Actor; payload: EventData<EventType> },
): void {
  store(tx, board, event);
  const untold = { ...tx, signal() {} };
  const { type, at, actorRecord: actor, payload: data } = event;
  project(untold, { boardRow: board.row, seq: board.head_seq, type, at, actor, data });
}

/** Stores a row of a board's log, and moves the head. */
function store(tx: Tx, board: LogHead, row: Omit<EventRow, "place">): void {
  const place = placeOf(board.row, board.head_seq + 1);
  tx.run(
    "INSERT INTO event (place, id, type, at, actor, data, data_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    place,
    row.id,
    row.type,
    row.at,
    row.actor,
    row.data,
    row.data_hash,
    row.hash,
  );
  tx.heads.moved(board.row, { place, hash: row.hash });
  board.head_seq++;
  board.head_hash = row.hash;
}
