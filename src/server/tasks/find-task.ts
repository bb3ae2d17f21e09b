import { greatestSeq } from "../../contract/limits.ts";
import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { taskNumbered, taskWithId, type TaskRow } from "../../db/tasks.ts";

/** Finds a task of a board by reference (in any case), number or id; null if there is none. */
export const taskFound = (tx: ReadTx, board: BoardRow, asked: string): TaskRow | null =>
  asked.startsWith("tsk_") ? withId(tx, board, asked) : withNumber(tx, board, asked);

/** Finds a task like `taskFound`, and refuses if there is none. */
export function taskCalled(tx: ReadTx, board: BoardRow, asked: string): TaskRow {
  const task = taskFound(tx, board, asked);
  if (!task) throw refuse("task_not_found", { board: board.name, task: asked });
  return task;
}

/** Ids of the selected tasks, each once. Refuses a task that the board does not have. */
export const tasksNamed = (tx: ReadTx, board: BoardRow, selectors: readonly string[]): string[] => [
  ...new Set(selectors.map((selector) => taskCalled(tx, board, selector).id)),
];

/** Finds a task that is to be changed. Refuses a closed one. */
export function unclosedTask(tx: ReadTx, board: BoardRow, asked: string): TaskRow {
  const task = taskCalled(tx, board, asked);
  if (task.closed_at !== null) throw refuse("task_closed", { board: board.name, task: task.ref });
  return task;
}

function withId(tx: ReadTx, board: BoardRow, id: string): TaskRow | null {
  const task = taskWithId(tx, id);
  return task?.board_row === board.row ? task : null;
}

function withNumber(tx: ReadTx, board: BoardRow, asked: string): TaskRow | null {
  const ref = asked.toUpperCase();
  const number = Number(ref.slice(ref.lastIndexOf("-") + 1));
  const task = number > greatestSeq ? null : taskNumbered(tx, board.row, number);
  // A task keeps the reference that it was opened with, even if the board's prefix has changed since.
  return ref.includes("-") && task?.ref !== ref ? null : task;
}
