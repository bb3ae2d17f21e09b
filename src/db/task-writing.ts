import { signalAskedForTask, signalWorker } from "./attention.ts";
import type { Tx } from "./engine/database.ts";
import type { TaskRow } from "./tasks.ts";
import { insertRow, putRow } from "./insert-row.ts";

/** Stores a new task, with the first version of its `about`. */
export function insertTask(
  tx: Tx,
  task: Pick<
    TaskRow,
    "id" | "board_row" | "number" | "ref" | "title" | "opener_row" | "opened_at" | "text_place"
  >,
  about: string | null,
): void {
  const row = insertRow(tx, "task", { ...task, updated_at: task.opened_at });
  count(tx, row, 1);
  if (about !== null)
    writeText(tx, row, "about", {
      text: about,
      by: task.opener_row,
      at: task.opened_at,
      place: task.text_place,
    });
  indexTask(tx, row);
}

/** Changes a task's texts and updates its search index: the task is then found by its new texts, at this place. */
export function rewriteTask(tx: Tx, row: number, place: number, change: () => void): void {
  // The index stores no texts, so removing an entry needs the old ones.
  tx.run(
    `INSERT INTO search_task (search_task, rowid, ${taskTexts}) SELECT 'delete', text_place, ${taskTexts} FROM task WHERE row = ?`,
    row,
  );
  change();
  tx.run("UPDATE task SET text_place = ?2 WHERE row = ?1", row, place);
  indexTask(tx, row);
}

const taskTexts = "ref, title, about, stands, closed_note";
const indexTask = (tx: Tx, row: number) =>
  tx.run(
    `INSERT INTO search_task (rowid, ${taskTexts}) SELECT text_place, ${taskTexts} FROM task WHERE row = ?`,
    row,
  );

export const setTaskTitle = (tx: Tx, row: number, title: string, at: string) =>
  tx.run("UPDATE task SET title = ?2, updated_at = ?3 WHERE row = ?1", row, title, at);

/** A text of a task, with its writer, time and place in the log. */
interface Written {
  readonly text: string;
  readonly by: number;
  readonly at: string;
  readonly place: number;
}
/** Writes the next version of a task's `about` or `stands`. */
export const writeText = (
  tx: Tx,
  row: number,
  name: "about" | "stands",
  { text, by, at, place }: Written,
) =>
  tx.run(
    `UPDATE task SET ${name} = ?2, ${name}_by = ?3, ${name}_at = ?4, ${name}_version = ${name}_version + 1, ${name}_place = ?5, updated_at = ?4 WHERE row = ?1`,
    row,
    text,
    by,
    at,
    place,
  );

/** Makes a member a task's owner, and removes them from its helpers. */
export function setOwner(tx: Tx, row: number, memberRow: number, at: string): void {
  removeHelper(tx, row, memberRow, at);
  changeState(
    tx,
    row,
    "UPDATE task SET owner_row = ?2, worker_row = (SELECT person_row FROM member WHERE row = ?2 AND kind = 'agent'), state = 'in_progress', updated_at = ?3 WHERE row = ?1",
    [memberRow, at],
  );
}
export const removeOwner = (tx: Tx, row: number, at: string): void =>
  changeState(
    tx,
    row,
    "UPDATE task SET owner_row = NULL, worker_row = NULL, state = 'open', updated_at = ?2 WHERE row = ?1",
    [at],
  );

/** Changes a task, updates the counts of tasks by state, and signals the people whose agents worked or work on it. */
function changeState(tx: Tx, row: number, sql: string, values: readonly (string | number)[]): void {
  count(tx, row, -1);
  signalWorker(tx, row);
  tx.run(sql, row, ...values);
  signalWorker(tx, row);
  signalAskedForTask(tx, row);
  count(tx, row, 1);
}
const count = (tx: Tx, row: number, by: 1 | -1) =>
  tx.run(
    "INSERT INTO task_count (board_row, state, count) SELECT board_row, state, ?2 FROM task WHERE row = ?1 " +
      "ON CONFLICT (board_row, state) DO UPDATE SET count = count + excluded.count",
    row,
    by,
  );

/** Adds a member to the end of a task's helpers. */
export function insertHelper(
  tx: Tx,
  row: number,
  { memberRow, seq, at }: { memberRow: number; seq: number; at: string },
): void {
  insertRow(tx, "task_helper", { task_row: row, member_row: memberRow, seq });
  touch(tx, row, at);
}

/** Removes a member from a task's helpers, if they are one. */
export function removeHelper(tx: Tx, row: number, memberRow: number, at: string): void {
  tx.run("DELETE FROM task_helper WHERE task_row = ? AND member_row = ?", row, memberRow);
  touch(tx, row, at);
}
const touch = (tx: Tx, row: number, at: string) =>
  tx.run("UPDATE task SET updated_at = ?2 WHERE row = ?1", row, at);

/** Closes a task. It is nobody's current task then; its owner and helpers stay recorded. */
export function closeTask(
  tx: Tx,
  row: number,
  { state, note, at }: { state: "done" | "cancelled"; note: string; at: string },
): void {
  changeState(
    tx,
    row,
    "UPDATE task SET state = ?2, worker_row = NULL, closed_note = ?3, closed_at = ?4, updated_at = ?4 WHERE row = ?1",
    [state, note, at],
  );
  tx.run("DELETE FROM current_task WHERE task_row = ?", row);
}

export const setCurrentTask = (tx: Tx, memberRow: number, row: number) =>
  putRow(tx, "current_task", { member_row: memberRow, task_row: row });
/** Clears an agent's current task if it is this one. Returns how many rows that changed. */
export const clearCurrentTask = (tx: Tx, memberRow: number, row: number) =>
  tx.run("DELETE FROM current_task WHERE member_row = ? AND task_row = ?", memberRow, row);
