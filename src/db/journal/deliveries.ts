import type { ReadTx, Tx } from "../engine/database.ts";
import { seatAt, type SeatKey, type SessionKey } from "./journal-sessions.ts";

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
  /** Whether the harness takes it by itself, and can be asked what became of it. */
  readonly pushed: boolean;
  readonly parts: readonly HandoffPart[];
}

/**
 * Writes a handoff before its text is shown to anybody. Messages that were handed before belong to the new handoff. False,
 * and nothing is written, if a seat has moved since its messages were chosen.
 */
export function saveHandoff(tx: Tx, handoff: Handoff): boolean {
  const { id, session, boot, at, idle, turn, pushed, parts } = handoff;
  if (parts.some((part) => seatAt(tx, part)?.generation !== part.generation)) return false;
  tx.run(
    "INSERT INTO handoff (id, harness, session, boot, at, idle, turn, pushed, shown) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
    ...[id, session.harness, session.id, boot, at, idle ? 1 : 0, turn, pushed ? 1 : 0],
  );
  for (const { server, member_id, generation, seqs } of parts)
    for (const seq of seqs)
      tx.run(
        "INSERT OR REPLACE INTO delivery (handoff, server, member_id, generation, seq, state) VALUES (?, ?, ?, ?, ?, 'handed')",
        ...[id, server, member_id, generation, seq],
      );
  return true;
}

/**
 * Writes that a command has shown messages of a seat to its session. Those that were handed before stay as they are. Gives
 * the numbers that were written.
 */
export function claimMessages(
  tx: Tx,
  { id, session, boot, at }: Pick<Handoff, "id" | "session" | "boot" | "at">,
  seat: SeatKey,
  seqs: readonly number[],
): number[] {
  const { server, member_id } = seat;
  const isNew = (seq: number) =>
    tx.get(
      "SELECT 1 FROM delivery WHERE server = ? AND member_id = ? AND seq = ? AND state <> 'pending'",
      ...[server, member_id, seq],
    ) === null;
  const claimed = seqs.filter(isNew);
  const generation = seatAt(tx, seat)?.generation;
  if (claimed.length === 0 || generation === undefined) return [];
  tx.run(
    "INSERT INTO handoff (id, harness, session, boot, at, idle, turn, pushed, shown) VALUES (?, ?, ?, ?, ?, 0, NULL, 0, 1)",
    ...[id, session.harness, session.id, boot, at],
  );
  for (const seq of claimed)
    tx.run(
      "INSERT OR REPLACE INTO delivery (handoff, server, member_id, generation, seq, state) VALUES (?, ?, ?, ?, ?, 'confirmed')",
      ...[id, server, member_id, generation, seq],
    );
  return claimed;
}

/** Notes that the text of a handoff has left for whoever shows it. */
export const noteShown = (tx: Tx, handoff: string): number =>
  tx.run("UPDATE handoff SET shown = 1 WHERE id = ?", handoff);

/** Lets what a session was to be shown in a turn, and may not have been, wait again. Gives the number of messages. */
export const returnUnshown = (tx: Tx, { harness, id }: SessionKey): number =>
  tx.run(
    `UPDATE delivery SET state = 'pending' WHERE state = 'handed'
       AND handoff IN (SELECT id FROM handoff WHERE harness = ? AND session = ? AND turn IS NOT NULL AND pushed = 0 AND shown = 0)`,
    ...[harness, id],
  );

/**
 * Says which turn runs with a handoff of this session. `readAt` says since when, if that turn ran before: then the end of a batch of
 * tools may come before the model reads it, and a hook that started earlier proves nothing. False if there is no such handoff
 * that waits for its turn.
 */
export const saveTurn = (
  tx: Tx,
  { harness, id }: SessionKey,
  boot: string,
  handoff: string,
  turn: string,
  readAt: number | null = null,
): boolean =>
  tx.run(
    "UPDATE handoff SET turn = ?, at = coalesce(?, at), idle = iif(? IS NULL, idle, 0), shown = 1 WHERE id = ? AND harness = ? AND session = ? AND boot = ? AND turn IS NULL",
    ...[turn, readAt, readAt, handoff, harness, id, boot],
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

const isSameBinding =
  "EXISTS (SELECT 1 FROM seat WHERE seat.server = delivery.server AND seat.member_id = delivery.member_id AND seat.generation = delivery.generation)";

/** Confirms what was handed and shown in a turn, for seats that have not moved since. Gives the number of messages. */
export const confirmHanded = (
  tx: Tx,
  { session, boot, turn, started, idleOnly }: Evidence,
): number =>
  tx.run(
    `UPDATE delivery SET state = 'confirmed' WHERE state = 'handed'
       AND handoff IN (SELECT id FROM handoff WHERE harness = ? AND session = ? AND boot = ? AND turn = ? AND at < ? AND idle >= ? AND shown = 1)
       AND ${isSameBinding}`,
    ...[session.harness, session.id, boot, turn, started, idleOnly ? 1 : 0],
  );

/** Confirms a text of which the harness itself says that the model answered it. Gives the number of messages. */
export const confirmPushed = (tx: Tx, { harness, id }: SessionKey, handoff: string): number =>
  tx.run(
    `UPDATE delivery SET state = 'confirmed' WHERE state = 'handed'
       AND handoff IN (SELECT id FROM handoff WHERE id = ? AND harness = ? AND session = ? AND pushed = 1)
       AND ${isSameBinding}`,
    ...[handoff, harness, id],
  );

/** A text that nothing has confirmed yet. */
export interface OpenHandoff {
  readonly id: string;
  readonly at: number;
}

/**
 * The texts that a session's harness took and of which something is left to learn, oldest first: they wait for their answer, or
 * may still lie there for nobody.
 */
export const pushedHandoffs = (tx: ReadTx, { harness, id }: SessionKey): OpenHandoff[] =>
  tx.all(
    `SELECT id, at FROM handoff WHERE harness = ? AND session = ? AND pushed = 1 AND settled = 0
       AND (turn IS NULL OR EXISTS (SELECT 1 FROM delivery WHERE delivery.handoff = handoff.id AND state = 'handed'))
       ORDER BY at, id`,
    ...[harness, id],
  );

/** Notes that nothing is left to learn from the harness about a text. */
export const settlePushed = (tx: Tx, handoff: string): number =>
  tx.run("UPDATE handoff SET settled = 1 WHERE id = ?", handoff);

/** The texts of a session that are not confirmed, and with which no turn has begun as far as anybody saw. */
export const handoffsWithoutTurn = (tx: ReadTx, { harness, id }: SessionKey): OpenHandoff[] =>
  tx.all(
    `SELECT id, at FROM handoff WHERE harness = ? AND session = ? AND turn IS NULL
       AND EXISTS (SELECT 1 FROM delivery WHERE delivery.handoff = handoff.id AND state = 'handed') ORDER BY at, id`,
    ...[harness, id],
  );

/** The messages of a handoff that are not confirmed yet, by seat. */
export const handedIn = (tx: ReadTx, handoff: string): (SeatKey & { readonly seq: number })[] =>
  tx.all(
    "SELECT server, member_id, seq FROM delivery WHERE handoff = ? AND state = 'handed' ORDER BY seq",
    handoff,
  );

/** The handoff in which a session has received a message of its seat, with this boot and binding, or null. */
export const handoffOf = (
  tx: ReadTx,
  { server, member_id, generation }: Omit<HandoffPart, "seqs">,
  { session, boot }: Pick<Handoff, "session" | "boot">,
  seq: number,
): string | null =>
  tx.get<{ handoff: string }>(
    `SELECT handoff FROM delivery WHERE server = ? AND member_id = ? AND generation = ? AND seq = ? AND state = 'confirmed'
       AND handoff IN (SELECT id FROM handoff WHERE harness = ? AND session = ? AND boot = ?)`,
    ...[server, member_id, generation, seq, session.harness, session.id, boot],
  )?.handoff ?? null;

/** Lets a text wait again that its harness does not have. Gives the number of messages. */
export const returnPushed = (tx: Tx, handoff: string): number =>
  tx.run(
    "UPDATE delivery SET state = 'pending' WHERE state = 'handed' AND handoff IN (SELECT id FROM handoff WHERE id = ? AND pushed = 1)",
    handoff,
  );

/** Lets what a handoff no longer holds wait again. Gives the number of messages. */
export function returnOthers(
  tx: Tx,
  handoff: string,
  held: readonly (SeatKey & { readonly seqs: readonly number[] })[],
): number {
  const kept = new Set(
    held.flatMap(({ server, member_id, seqs }) =>
      seqs.map((seq) => `${server} ${member_id} ${seq}`),
    ),
  );
  const others = handedIn(tx, handoff).filter(
    ({ server, member_id, seq }) => !kept.has(`${server} ${member_id} ${seq}`),
  );
  for (const { server, member_id, seq } of others)
    tx.run(
      "UPDATE delivery SET state = 'pending' WHERE handoff = ? AND server = ? AND member_id = ? AND seq = ?",
      ...[handoff, server, member_id, seq],
    );
  return others.length;
}

/** What stays handed when a session's other handoffs wait again. */
interface Kept {
  /** What was handed in this turn. */
  readonly turn: string;
  /** Wakes from this time on whose turn has not begun: it may still come. */
  readonly wakesSince: number;
}

/**
 * Lets what was handed to a session and not confirmed wait again, except what is kept, and what its harness took by itself.
 * Gives the number of messages.
 */
export const returnHanded = (tx: Tx, { harness, id }: SessionKey, kept?: Kept): number =>
  tx.run(
    `UPDATE delivery SET state = 'pending' WHERE state = 'handed'
       AND handoff IN (SELECT id FROM handoff WHERE harness = ? AND session = ?
         AND pushed = 0 AND (turn <> ? OR turn IS NULL AND at < ?))`,
    ...[harness, id, kept?.turn ?? "", kept?.wakesSince ?? Number.MAX_SAFE_INTEGER],
  );

/** Lets one handoff wait again whose text reached nobody: no turn runs with it. Gives the number of messages. */
export const returnHandoff = (tx: Tx, handoff: string): number =>
  tx.run(
    "UPDATE delivery SET state = 'pending' WHERE state = 'handed' AND handoff IN (SELECT id FROM handoff WHERE id = ? AND turn IS NULL AND pushed = 0)",
    handoff,
  );

/** The turn in which something was handed to a session that is not confirmed yet, or null. */
export const unconfirmedTurn = (tx: ReadTx, { harness, id }: SessionKey): string | null =>
  tx.get<{ turn: string }>(
    "SELECT turn FROM handoff JOIN delivery ON delivery.handoff = handoff.id WHERE harness = ? AND session = ? AND state = 'handed' AND turn IS NOT NULL AND pushed = 0 ORDER BY at DESC LIMIT 1",
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

/** The server's read position of a seat has moved: what is not after it is done. Gives the number of messages. */
export const acknowledgeUpTo = (tx: Tx, { server, member_id }: SeatKey, position: number): number =>
  tx.run(
    "UPDATE delivery SET state = 'acknowledged' WHERE server = ? AND member_id = ? AND seq <= ? AND state <> 'acknowledged'",
    ...[server, member_id, position],
  );

/**
 * Moves the times of handoffs that nothing has confirmed, after the clock was set by so many milliseconds. Forwards only those
 * whose turn has not begun: a hook that proves the others may have started before.
 */
export const moveHandoffs = (tx: Tx, by: number): number =>
  tx.run(
    `UPDATE handoff SET at = at + ?1 WHERE (?1 < 0 OR turn IS NULL)
       AND EXISTS (SELECT 1 FROM delivery WHERE delivery.handoff = handoff.id AND state = 'handed')`,
    by,
  );

/** Deletes handoffs from before a time of which nothing is left to do. */
export const pruneHandoffs = (tx: Tx, before: number): number =>
  tx.run(
    "DELETE FROM handoff WHERE at < ? AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.handoff = handoff.id AND state <> 'acknowledged')",
    before,
  );
