import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import { dropLine, lineOf, membersWithLineOf } from "../../db/lines.ts";
import type { MemberRow } from "../../db/members.ts";
import type { TaskName } from "../../db/tasks.ts";
import { changeLine, takeLine } from "../agents/change-line.ts";

/** Lets an agent's line say that it works on a task which it has just started. People have no line. */
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

/** Takes away every line about a task that is closed. */
export function takeLinesOf(tx: Tx, board: BoardRow, taskRow: number): void {
  for (const { member_row } of membersWithLineOf(tx, taskRow)) takeLine(tx, board, member_row);
}

/** Takes a member's line away if it is about the task of which they give their part up. */
export function takeLineOfPart(tx: Tx, board: BoardRow, memberRow: number, taskRow: number): void {
  if (lineOf(tx, memberRow)?.task_row === taskRow) takeLine(tx, board, memberRow);
}

/** The same of a seat that is about to end: nobody is shown its line any more, so nobody is told. */
export function takeLineOfSeat(tx: Tx, memberRow: number, taskRow: number): void {
  if (lineOf(tx, memberRow)?.task_row === taskRow) dropLine(tx, memberRow);
}
