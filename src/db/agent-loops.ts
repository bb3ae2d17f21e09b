import type { ReadTx, Tx } from "./engine/database.ts";

/** An agent that a message reached but did not wake. */
interface Damped {
  readonly boardRow: number;
  readonly senderRow: number;
  readonly memberRow: number;
  readonly place: number;
  readonly ring: boolean;
}

/** Records that a message does not wake an agent, and that the two are in a loop. */
export function insertDamped(tx: Tx, { boardRow, senderRow, memberRow, place, ring }: Damped) {
  tx.run("INSERT INTO damped (member_row, place) VALUES (?, ?)", memberRow, place);
  tx.run(
    "INSERT INTO agent_loop (member_row, sender_row, board_row, place, ring, began, person_row, sender_person_row) VALUES (?1, ?2, ?3, ?4, ?5, ?4," +
      " (SELECT person_row FROM member WHERE row = ?1), (SELECT person_row FROM member WHERE row = ?2)) ON CONFLICT (member_row, sender_row) DO UPDATE SET place = ?4, ring = ?5",
    memberRow,
    senderRow,
    boardRow,
    place,
    ring ? 1 : 0,
  );
  signalLoops(tx, "member_row = ?1 AND sender_row = ?2", memberRow, senderRow);
}

/** Ends the loops of an agent whose seat has ended. */
export function endLoopsWith(tx: Tx, memberRow: number): void {
  const where = "member_row = ?1 OR sender_row = ?1";
  if (!tx.get(`SELECT 1 FROM agent_loop WHERE ${where} LIMIT 1`, memberRow)) return;
  signalLoops(tx, where, memberRow);
  tx.run(`DELETE FROM agent_loop WHERE ${where}`, memberRow);
}

/** Two agents that do not wake each other, in one direction. */
export interface LoopRow {
  member_row: number;
  sender_row: number;
  board_row: number;
  place: number;
  ring: 0 | 1;
  /** Place of the first message of the loop that did not wake the member. */
  began: number;
}

/** The loops that an agent of a person is in, in the order in which they began. */
export const loopsOfPerson = (tx: ReadTx, personRow: number) =>
  tx.all<LoopRow>(
    "SELECT * FROM agent_loop WHERE person_row = ?1 UNION SELECT * FROM agent_loop WHERE sender_person_row = ?1 ORDER BY began, member_row, sender_row",
    personRow,
  );

/** Signals the people of both agents of some loops that their list may change. */
function signalLoops(tx: Tx, where: string, ...values: number[]): void {
  for (const { personRow } of tx.all<{ personRow: number }>(
    `SELECT person_row AS personRow FROM agent_loop WHERE ${where} UNION SELECT sender_person_row FROM agent_loop WHERE ${where}`,
    ...values,
  ))
    tx.signal({ about: "attention", personRow });
}

/** Whether the board has agents in a loop. Most boards have none, so a sign of work writes nothing. */
const hasLoops = (tx: ReadTx, boardRow: number): boolean =>
  tx.rowCache.get(
    "has loops",
    boardRow,
    () => tx.get("SELECT 1 FROM agent_loop WHERE board_row = ? LIMIT 1", boardRow) !== null,
  );

/** Ends all loops on a board. */
export function endLoopsOn(tx: Tx, boardRow: number): void {
  if (!hasLoops(tx, boardRow)) return;
  signalLoops(tx, "board_row = ?1", boardRow);
  tx.run("DELETE FROM agent_loop WHERE board_row = ?", boardRow);
}

/** Ends the loops of an agent, and the loops of several agents on its board. */
export function endLoopsOf(tx: Tx, boardRow: number, memberRow: number): void {
  if (!hasLoops(tx, boardRow)) return;
  signalLoops(tx, "board_row = ?1", boardRow);
  tx.run("DELETE FROM agent_loop WHERE member_row = ?1 OR sender_row = ?1", memberRow);
  tx.run("DELETE FROM agent_loop WHERE board_row = ? AND ring = 1", boardRow);
}
