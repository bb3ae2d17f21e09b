import type { ReadTx, Tx } from "../engine/database.ts";

/** Names a session: its harness, and the harness's own id of it. */
export interface SessionKey {
  readonly harness: string;
  readonly id: string;
}

/** A session as the journal has it. */
export interface SessionRow extends SessionKey {
  readonly boot: string;
  readonly pid: number | null;
  /** When the process started, in the system's own units. */
  readonly start: string | null;
  readonly open: 0 | 1;
  /** Whether it has run a turn. */
  readonly turned: 0 | 1;
  /** The folder of the harness's settings that it runs with. Null for the usual one. */
  readonly config_dir: string | null;
}

/** Names a seat: ids of different servers are never compared. */
export interface SeatKey {
  readonly server: string;
  readonly member_id: string;
}

/** A seat as the journal has it. */
export interface SeatRow extends SeatKey {
  readonly board: string;
  readonly name: string;
  readonly harness: string | null;
  readonly session: string | null;
  readonly generation: number;
}

/** A session, or null. */
export const sessionAt = (tx: ReadTx, { harness, id }: SessionKey): SessionRow | null =>
  tx.get("SELECT * FROM session WHERE harness = ? AND id = ?", harness, id);

/** Every session. */
export const allSessions = (tx: ReadTx): SessionRow[] =>
  tx.all("SELECT * FROM session ORDER BY harness, id");

/**
 * Deletes sessions that are not open, that hold no seat and have lost none to another, and to which nothing was handed that is
 * still kept. Gives their number.
 */
export const pruneSessions = (tx: Tx): number =>
  tx.run(
    `DELETE FROM session WHERE open = 0
       AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.harness = session.harness AND seat.session = session.id)
       AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.lost_by = session.harness || ':' || session.id)
       AND NOT EXISTS (SELECT 1 FROM handoff WHERE handoff.harness = session.harness AND handoff.session = session.id)`,
  );

/** Writes a session, in place of what was known of it. */
export function saveSession(tx: Tx, row: SessionRow): void {
  tx.run(
    "INSERT OR REPLACE INTO session (harness, id, boot, pid, start, open, turned, config_dir) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ...[row.harness, row.id, row.boot, row.pid, row.start, row.open, row.turned, row.config_dir],
  );
}

/** Notes the process of a session of which none is known. */
export const noteProcess = (
  tx: Tx,
  { harness, id }: SessionKey,
  { pid, start }: { readonly pid: number; readonly start: string },
): number =>
  tx.run(
    "UPDATE session SET pid = ?, start = ? WHERE harness = ? AND id = ? AND pid IS NULL",
    ...[pid, start, harness, id],
  );

/** Notes that a session has run a turn. */
export const noteTurned = (tx: Tx, { harness, id }: SessionKey): number =>
  tx.run("UPDATE session SET turned = 1 WHERE harness = ? AND id = ?", harness, id);

const seatFields = "server, member_id, board, name, harness, session, generation";

/** A seat, or null. */
export const seatAt = (tx: ReadTx, { server, member_id }: SeatKey): SeatRow | null =>
  tx.get(
    `SELECT ${seatFields} FROM seat WHERE server = ? AND member_id = ?`,
    ...[server, member_id],
  );

/** The seats that a session holds. */
export const seatsOf = (tx: ReadTx, { harness, id }: SessionKey): SeatRow[] =>
  tx.all(
    `SELECT ${seatFields} FROM seat WHERE harness = ? AND session = ? ORDER BY server, board`,
    ...[harness, id],
  );

/** The seats that another session took from this one and holds. */
export const lostBy = (tx: ReadTx, { harness, id }: SessionKey): SeatRow[] =>
  tx.all(
    `SELECT ${seatFields} FROM seat WHERE lost_by = ? AND session IS NOT NULL ORDER BY server, board`,
    `${harness}:${id}`,
  );

type Agent = Pick<SeatRow, "server" | "member_id" | "board" | "name">;

/**
 * Gives a seat to a session, and gives back the seat of the same board that it replaces. A seat that moves, or whose token
 * is another one now, gets a new generation, and what was handed and not confirmed waits again.
 */
export function bindSeat(
  tx: Tx,
  agent: Agent,
  session: SessionKey,
  isRenewed = false,
): SeatRow | null {
  const { server, member_id, board, name } = agent;
  const before = seatAt(tx, agent);
  const held = before?.harness === session.harness && before.session === session.id;
  if (held) {
    if (isRenewed) returnSeat(tx, agent);
    const advance = isRenewed ? 1 : 0;
    tx.run(
      "UPDATE seat SET board = ?, name = ?, generation = generation + ? WHERE server = ? AND member_id = ?",
      ...[board, name, advance, server, member_id],
    );
    return null;
  }
  const replaced = seatsOf(tx, session).find((one) => one.server === server && one.board === board);
  if (replaced) releaseSeat(tx, replaced);
  if (before) releaseSeat(tx, before);
  const lost = before?.session ? `${before.harness}:${before.session}` : null;
  const generation = (before?.generation ?? 0) + (before ? 2 : 1);
  tx.run(
    "INSERT OR REPLACE INTO seat (server, member_id, board, name, harness, session, lost_by, generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ...[server, member_id, board, name, session.harness, session.id, lost, generation],
  );
  return replaced ?? null;
}

/** Takes a seat from its session. What was handed and not confirmed waits for the session that takes it next. */
function releaseSeat(tx: Tx, { server, member_id }: SeatKey): void {
  tx.run(
    "UPDATE seat SET harness = NULL, session = NULL, generation = generation + 1 WHERE server = ? AND member_id = ?",
    ...[server, member_id],
  );
  returnSeat(tx, { server, member_id });
}

/** Lets everything wait again that was handed for a seat and not confirmed. */
function returnSeat(tx: Tx, { server, member_id }: SeatKey): void {
  tx.run(
    "UPDATE delivery SET state = 'pending' WHERE server = ? AND member_id = ? AND state = 'handed'",
    ...[server, member_id],
  );
}
