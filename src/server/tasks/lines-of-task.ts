import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import { dropLine, lineOf, membersWithLineOf } from "../../db/agent-lines.ts";
import type { MemberRow } from "../../db/members.ts";
import type { TaskName } from "../../db/tasks.ts";
import { changeLine, takeLine } from "./change-line.ts";

/** Sets the status line of an agent that has just started a task. People have no status line. */
export function sayStarted(
  tx: Tx,
  board: BoardRow,
  starter: MemberRow,
  task: Pick<TaskName, "row" | "title">,
): void {
  if (starter.kind !== "agent") return;
  changeLine(tx, board, {
    member_row: starter.row,
    kind: "working",
    text: task.title,
    until: null,
    setter_row: starter.row,
    source: "task",
    task_row: task.row,
  });
}

/** Removes every status line about a task that was closed. */
export function takeLinesOf(tx: Tx, board: BoardRow, taskRow: number): void {
  for (const { member_row } of membersWithLineOf(tx, taskRow)) takeLine(tx, board, member_row);
}

/** Removes a member's status line if it is about the task that they have dropped. */
export function takeLineOfPart(tx: Tx, board: BoardRow, memberRow: number, taskRow: number): void {
  if (lineOf(tx, memberRow)?.task_row === taskRow) takeLine(tx, board, memberRow);
}

/** Removes the status line of a seat that is about to end. Nobody is notified, because nobody sees that line any more. */
export function takeLineOfSeat(tx: Tx, memberRow: number, taskRow: number): void {
  if (lineOf(tx, memberRow)?.task_row === taskRow) dropLine(tx, memberRow);
}
