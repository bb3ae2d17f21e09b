import type { ReadTx } from "./engine/database.ts";

export interface TaskRow {
  row: number;
  id: string;
  board_row: number;
  number: number;
  ref: string;
  title: string;
  state: "open" | "in_progress" | "done" | "cancelled";
  /** Null while the task is open. A closed task keeps its last owner. */
  owner_row: number | null;
  opener_row: number;
  opened_at: string;
  updated_at: string;
  closed_at: string | null;
  closed_note: string | null;
  about: string | null;
  about_version: number;
  about_by: number | null;
  about_at: string | null;
  /** Place of the event that last changed it. */
  about_place: number | null;
  stands: string | null;
  stands_version: number;
  stands_by: number | null;
  stands_at: string | null;
  stands_place: number | null;
  /** Place of the event that last changed one of its texts. */
  text_place: number;
}
/** The columns that a reference to a task needs. */
export type TaskName = Pick<TaskRow, "row" | "id" | "ref" | "title">;

export const taskAt = (tx: ReadTx, row: number) =>
  tx.get<TaskRow>("SELECT * FROM task WHERE row = ?", row);
export const taskWithId = (tx: ReadTx, id: string) =>
  tx.get<TaskRow>("SELECT * FROM task WHERE id = ?", id);
export const taskNumbered = (tx: ReadTx, boardRow: number, number: number) =>
  tx.get<TaskRow>("SELECT * FROM task WHERE board_row = ? AND number = ?", boardRow, number);
export const taskWithTextAt = (tx: ReadTx, place: number) =>
  tx.get<TaskRow>("SELECT * FROM task WHERE text_place = ?", place);

/** The tasks of a board that have one of these numbers. */
export const tasksNumbered = (tx: ReadTx, boardRow: number, numbers: readonly number[]) =>
  tx.all<TaskRow>(
    "SELECT t.* FROM json_each(?2) n CROSS JOIN task t ON t.board_row = ?1 AND t.number = n.value",
    boardRow,
    JSON.stringify(numbers),
  );

/** The number of a board's newest task; 0 when it has none. */
export const lastTaskNumber = (tx: ReadTx, boardRow: number): number =>
  tx.get<{ number: number | null }>(
    "SELECT max(number) AS number FROM task WHERE board_row = ?",
    boardRow,
  )?.number ?? 0;

interface TaskFilter {
  /** `active` is open and in progress. */
  readonly state: TaskRow["state"] | "active" | "all";
  /** Row of the owner. */
  readonly owner: number | null;
  /** Row of a member who owns the task or helps on it. */
  readonly on: number | null;
  /** Only smaller numbers. */
  readonly before?: number | null;
  /** Whether the greatest numbers are taken, and not the first of the list. */
  readonly newest?: boolean;
  readonly limit: number;
}

const phases = {
  active: [0, 1],
  open: [0, 0],
  in_progress: [1, 1],
  done: [2, 2],
  cancelled: [2, 2],
  all: [0, 2],
} as const;

/** Tasks of a board: first open ones, then those in progress, then closed ones, each group oldest first. */
export function tasksOf(
  tx: ReadTx,
  boardRow: number,
  { state, owner, on, before = null, newest = false, limit }: TaskFilter,
): TaskRow[] {
  const [first, last] = phases[state];
  const closed = state === "done" || state === "cancelled" ? state : null;
  const fitting =
    "SELECT * FROM task t WHERE board_row = ?1 AND phase BETWEEN ?2 AND ?3 AND (?4 IS NULL OR state = ?4)" +
    " AND (?5 IS NULL OR owner_row = ?5)" +
    " AND (?6 IS NULL OR owner_row = ?6 OR EXISTS (SELECT 1 FROM task_helper h WHERE h.task_row = t.row AND h.member_row = ?6))" +
    " AND (?8 IS NULL OR number < ?8)";
  return tx.all<TaskRow>(
    newest
      ? `SELECT * FROM (${fitting} ORDER BY number DESC LIMIT ?7) ORDER BY phase, number`
      : `${fitting} ORDER BY phase, number LIMIT ?7`,
    boardRow,
    first,
    last,
    closed,
    owner,
    on,
    limit,
    before,
  );
}

/** How many tasks of a board are in each state. */
export function taskCounts(tx: ReadTx, boardRow: number): Record<TaskRow["state"], number> {
  const counts = { open: 0, in_progress: 0, done: 0, cancelled: 0 };
  for (const { state, count } of tx.all<{ state: TaskRow["state"]; count: number }>(
    "SELECT state, count FROM task_count WHERE board_row = ?",
    boardRow,
  ))
    counts[state] = count;
  return counts;
}

/** Tasks that are not closed and that a member owns or helps on, oldest first. */
export const partsOf = (tx: ReadTx, memberRow: number) =>
  tx.all<Pick<TaskRow, "row" | "id" | "ref" | "owner_row">>(
    "SELECT row, id, ref, owner_row FROM task WHERE phase < 2 AND row IN (SELECT row FROM task WHERE owner_row = ?1 UNION ALL SELECT task_row FROM task_helper WHERE member_row = ?1) ORDER BY number",
    memberRow,
  );

/** The members who help on tasks, in the order in which they joined each. */
export const helpersOf = (tx: ReadTx, taskRows: readonly number[]) =>
  tx.all<{ task_row: number; member_row: number }>(
    "SELECT task_row, member_row FROM task_helper WHERE task_row IN (SELECT value FROM json_each(?)) ORDER BY seq",
    JSON.stringify(taskRows),
  );
export const helpsOn = (tx: ReadTx, taskRow: number, memberRow: number) =>
  tx.get("SELECT 1 FROM task_helper WHERE task_row = ? AND member_row = ?", taskRow, memberRow) !==
  null;

/** The task that an agent is working on. */
export const currentTaskOf = (tx: ReadTx, memberRow: number) =>
  tx.get<TaskName>(
    "SELECT row, id, ref, title FROM task WHERE row = (SELECT task_row FROM current_task WHERE member_row = ?)",
    memberRow,
  );
