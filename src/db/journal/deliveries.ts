import type { ReadTx, Tx } from "../engine/database.ts";
import type { SeatKey, SessionKey } from "./journal-sessions.ts";

/** Where the delivery of a message has got to. */
export type DeliveryState = "pending" | "handed" | "confirmed" | "acknowledged";

/** The messages of one seat in a handoff. */
export interface HandoffPart extends SeatKey {
  readonly generation: number;
  readonly seqs: readonly number[];
}

/** A text before a session gets it. */
export interface Handoff {
  readonly id: string;
  readonly session: SessionKey;
  readonly boot: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether no turn ran when it was handed. */
  readonly idle: boolean;
  /** The harness's id of the turn that it is handed in. Null for a wake: its turn begins later. */
  readonly turn: string | null;
  readonly parts: readonly HandoffPart[];
}

/** Writes a handoff before its text is shown to anybody. Messages that were handed before belong to the new handoff. */
export function saveHandoff(tx: Tx, { id, session, boot, at, idle, turn, parts }: Handoff): void {
  tx.run(
    "INSERT INTO handoff (id, harness, session, boot, at, idle, turn) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ...[id, session.harness, session.id, boot, at, idle ? 1 : 0, turn],
  );
  for (const { server, member_id, generation, seqs } of parts)
    for (const seq of seqs)
      tx.run(
        "INSERT OR REPLACE INTO delivery (handoff, server, member_id, generation, seq, state) VALUES (?, ?, ?, ?, ?, 'handed')",
        ...[id, server, member_id, generation, seq],
      );
}

/**
 * Says which turn runs with a handoff of this session, and whether that turn ran before: then the end of a batch of tools
 * may come before the model reads it. False if there is no such handoff that waits for its turn.
 */
export const saveTurn = (
  tx: Tx,
  { harness, id }: SessionKey,
  boot: string,
  handoff: string,
  turn: string,
  ranBefore: boolean,
): boolean =>
  tx.run(
    "UPDATE handoff SET turn = ?, idle = min(idle, ?) WHERE id = ? AND harness = ? AND session = ? AND boot = ? AND turn IS NULL",
    ...[turn, ranBefore ? 0 : 1, handoff, harness, id, boot],
  ) > 0;

/** What a hook proves: the model answered in this turn before the hook's process started. */
export interface Evidence {
  readonly session: SessionKey;
  readonly boot: string;
  readonly turn: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** Whether it proves only what was handed while no turn ran. */
  readonly idleOnly: boolean;
}

/** Confirms what was handed in a turn, for seats that have not moved since. Gives the number of messages. */
export const confirmHanded = (
  tx: Tx,
  { session, boot, turn, started, idleOnly }: Evidence,
): number =>
  tx.run(
    `UPDATE delivery SET state = 'confirmed' WHERE state = 'handed'
       AND handoff IN (SELECT id FROM handoff WHERE harness = ? AND session = ? AND boot = ? AND turn = ? AND at < ? AND idle >= ?)
       AND EXISTS (SELECT 1 FROM seat WHERE seat.server = delivery.server AND seat.member_id = delivery.member_id AND seat.generation = delivery.generation)`,
    ...[session.harness, session.id, boot, turn, started, idleOnly ? 1 : 0],
  );

/** What stays handed when a session's other handoffs wait again. */
interface Kept {
  /** What was handed in this turn. */
  readonly turn: string;
  /** Wakes from this time on whose turn has not begun: it may still come. */
  readonly wakesSince: number;
}

/** Lets what was handed to a session and not confirmed wait again, except what is kept. Gives the number of messages. */
export const returnHanded = (tx: Tx, { harness, id }: SessionKey, kept?: Kept): number =>
  tx.run(
    `UPDATE delivery SET state = 'pending' WHERE state = 'handed'
       AND handoff IN (SELECT id FROM handoff WHERE harness = ? AND session = ?
         AND (turn <> ? OR turn IS NULL AND at < ?))`,
    ...[harness, id, kept?.turn ?? "", kept?.wakesSince ?? Number.MAX_SAFE_INTEGER],
  );

/** Lets one handoff wait again whose text reached nobody: no turn runs with it. Gives the number of messages. */
export const returnHandoff = (tx: Tx, handoff: string): number =>
  tx.run(
    "UPDATE delivery SET state = 'pending' WHERE state = 'handed' AND handoff IN (SELECT id FROM handoff WHERE id = ? AND turn IS NULL)",
    handoff,
  );

/** The turn in which something was handed to a session that is not confirmed yet, or null. */
export const unconfirmedTurn = (tx: ReadTx, { harness, id }: SessionKey): string | null =>
  tx.get<{ turn: string }>(
    "SELECT turn FROM handoff JOIN delivery ON delivery.handoff = handoff.id WHERE harness = ? AND session = ? AND state = 'handed' AND turn IS NOT NULL ORDER BY at DESC LIMIT 1",
    ...[harness, id],
  )?.turn ?? null;

/** The state of each message of a seat that is not acknowledged yet. */
export function statesOf(
  tx: ReadTx,
  { server, member_id }: SeatKey,
): ReadonlyMap<number, DeliveryState> {
  const rows = tx.all<{ seq: number; state: DeliveryState }>(
    "SELECT seq, state FROM delivery WHERE server = ? AND member_id = ? AND state <> 'acknowledged'",
    ...[server, member_id],
  );
  return new Map(rows.map(({ seq, state }) => [seq, state]));
}

/** The server's read position of a seat has moved: what is not after it is done. */
export function acknowledgeUpTo(tx: Tx, { server, member_id }: SeatKey, position: number): void {
  tx.run(
    "UPDATE delivery SET state = 'acknowledged' WHERE server = ? AND member_id = ? AND seq <= ? AND state <> 'acknowledged'",
    ...[server, member_id, position],
  );
}

/** Deletes handoffs from before a time of which nothing is left to do. */
export const pruneHandoffs = (tx: Tx, before: number): number =>
  tx.run(
    "DELETE FROM handoff WHERE at < ? AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.handoff = handoff.id AND state <> 'acknowledged')",
    before,
  );
