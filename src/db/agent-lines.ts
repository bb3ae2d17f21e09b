import type { ReadTx, Tx } from "./engine/database.ts";
import { putRow } from "./insert-row.ts";

export interface LineRow {
  member_row: number;
  kind: "working" | "paused";
  text: string;
  /** Never null for a paused line. */
  until: string | null;
  /** The agent, or its person. */
  setter_row: number;
  /** `task` if starting a task set it. */
  source: "command" | "task" | "plan";
  set_at: string;
  /** The task that it is about. */
  task_row: number | null;
}

export const lineOf = (tx: ReadTx, memberRow: number) =>
  tx.get<LineRow>(
    "SELECT member_row, kind, text, until, setter_row, source, set_at, task_row FROM agent_line WHERE member_row = ?",
    memberRow,
  );
/** Sets an agent's line, in place of the one it had. */
export const putLine = (tx: Tx, line: LineRow) => putRow(tx, "agent_line", line);
/** Deletes an agent's line, and returns how many there were. */
export const dropLine = (tx: Tx, memberRow: number) =>
  tx.run("DELETE FROM agent_line WHERE member_row = ?", memberRow);

/** The agents whose line is about a task. */
export const membersWithLineOf = (tx: ReadTx, taskRow: number) =>
  tx.all<{ member_row: number }>("SELECT member_row FROM agent_line WHERE task_row = ?", taskRow);

/** Active seats that pause longer than they said, and whose lateness was not announced yet. */
export const lateLines = (tx: ReadTx) =>
  tx.all<{ member_row: number; board_row: number }>(
    "SELECT l.member_row, m.board_row FROM agent_line l JOIN member m ON m.row = l.member_row WHERE l.kind = 'paused' AND l.late_told = 0 AND l.until <= ? AND m.status = 'active'",
    tx.now,
  );
export const tellLate = (tx: Tx, memberRow: number) =>
  tx.run("UPDATE agent_line SET late_told = 1 WHERE member_row = ?", memberRow);
