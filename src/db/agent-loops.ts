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
    "INSERT INTO agent_loop (member_row, sender_row, board_row, place, ring) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (member_row, sender_row) DO UPDATE SET place = ?4, ring = ?5",
    memberRow,
    senderRow,
    boardRow,
    place,
    ring ? 1 : 0,
  );
}

/** Whether the board has agents in a loop. Most boards have none, so a sign of work writes nothing. */
const hasLoops = (tx: ReadTx, boardRow: number) =>
  tx.get("SELECT 1 FROM agent_loop WHERE board_row = ? LIMIT 1", boardRow) !== null;

/** Ends all loops on a board. */
export function endLoopsOn(tx: Tx, boardRow: number): void {
  if (hasLoops(tx, boardRow)) tx.run("DELETE FROM agent_loop WHERE board_row = ?", boardRow);
}

/** Ends the loops of an agent, and the loops of several agents on its board. */
export function endLoopsOf(tx: Tx, boardRow: number, memberRow: number): void {
  if (!hasLoops(tx, boardRow)) return;
  tx.run("DELETE FROM agent_loop WHERE member_row = ?1 OR sender_row = ?1", memberRow);
  tx.run("DELETE FROM agent_loop WHERE board_row = ? AND ring = 1", boardRow);
}
