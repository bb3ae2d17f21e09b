import type { ReadTx, Tx } from "./engine/database.ts";
import { readable, type Reader } from "./readers.ts";
import type { TaskRow } from "./tasks.ts";

/** Records that a message is about a task, and continues the counts of the task's previous message. */
export const insertAbout = (tx: Tx, taskRow: number, place: number, root: number) =>
  tx.run(
    "INSERT INTO message_task (task_row, place, root, number, thread_number) " +
      "SELECT ?1, ?2, ?3, 1 + coalesce(last.number, 0), coalesce(last.thread_number, 0) + NOT EXISTS (SELECT 1 FROM message_task WHERE task_row = ?1 AND root = ?3) " +
      "FROM (SELECT 1) LEFT JOIN (SELECT number, thread_number FROM message_task WHERE task_row = ?1 AND place < ?2 ORDER BY place DESC LIMIT 1) last",
    taskRow,
    place,
    root,
  );

const toPlace =
  "ON CONFLICT (member_row) DO UPDATE SET place = max(last_on_task.place, excluded.place)";
/** Records that an agent was on a task up to a place of its board's log. */
export const noteOnTask = (tx: Tx, memberRow: number, place: number) =>
  tx.run(`INSERT INTO last_on_task (member_row, place) VALUES (?, ?) ${toPlace}`, memberRow, place);
/** Records that everyone with this current task was on it up to a place. */
export const noteAllOnTask = (tx: Tx, taskRow: number, place: number) =>
  tx.run(
    `INSERT INTO last_on_task (member_row, place) SELECT member_row, ?2 FROM current_task WHERE task_row = ?1 ${toPlace}`,
    taskRow,
    place,
  );

/** How many messages an agent has posted since it was last on a task. */
export const postsWithoutTask = (tx: ReadTx, memberRow: number): number =>
  tx.get<{ count: number }>(
    "SELECT coalesce((SELECT sender_number FROM message WHERE sender_row = ?1 ORDER BY place DESC LIMIT 1), 0)" +
      " - coalesce((SELECT sender_number FROM message WHERE sender_row = ?1 AND place <= (SELECT place FROM last_on_task WHERE member_row = ?1) ORDER BY place DESC LIMIT 1), 0) AS count",
    memberRow,
  )!.count;

/** Counts of the messages about a task that a reader may read: all, their threads, and those since each text was written. */
export interface TaskCounts {
  readonly messages: number;
  readonly threads: number;
  readonly sinceAbout: number;
  readonly sinceStands: number;
}
/** A table of tasks and the places of their texts, from a JSON list. */
const tasksIn = (list: string) =>
  `(SELECT value ->> 0 AS row, value ->> 1 AS about, value ->> 2 AS stands FROM json_each(${list})) t`;
const upTo = (place: string) =>
  `coalesce((SELECT number FROM message_task WHERE task_row = t.row AND place <= ${place} ORDER BY place DESC LIMIT 1), 0)`;
/** For a reader who reads all: differences of the running counts. */
const keptText =
  `SELECT t.row, last.number AS messages, last.thread_number AS threads, last.number - ${upTo("t.about")} AS sinceAbout, last.number - ${upTo("t.stands")} AS sinceStands ` +
  `FROM ${tasksIn("?1")} CROSS JOIN message_task last ON last.task_row = t.row AND last.place = (SELECT max(place) FROM message_task WHERE task_row = t.row)`;
const countedText =
  "SELECT t.row, count(*) AS messages, count(DISTINCT a.root) AS threads, count(*) FILTER (WHERE a.place > t.about) AS sinceAbout, count(*) FILTER (WHERE a.place > t.stands) AS sinceStands " +
  `FROM ${tasksIn("?3")} CROSS JOIN message_task a ON a.task_row = t.row CROSS JOIN message m ON m.place = a.place WHERE ${readable} GROUP BY t.row`;

/** The counts of tasks by their rows. A task without a readable message about it is missing. */
export function countsOf(
  tx: ReadTx,
  reader: Reader,
  tasks: readonly Pick<TaskRow, "row" | "about_place" | "stands_place">[],
): ReadonlyMap<number, TaskCounts> {
  const list = JSON.stringify(
    tasks.map(({ row, about_place, stands_place }) => [row, about_place ?? 0, stands_place ?? 0]),
  );
  type Row = TaskCounts & { row: number };
  const rows = reader.readsAll
    ? tx.all<Row>(keptText, list)
    : tx.all<Row>(countedText, reader.memberRow, reader.role, list);
  return new Map(rows.map((counts) => [counts.row, counts]));
}
