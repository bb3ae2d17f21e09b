import type { Static } from "@sinclair/typebox";
import type { Task, TaskRef, TaskText } from "../../contract/tasks.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/database.ts";
import { memberAt, type MemberRow } from "../../db/members.ts";
import { currentTaskOf, helpersOf, type TaskRow } from "../../db/tasks.ts";
import { blocksOf } from "../asks/views.ts";
import { memberRef } from "../boards/views.ts";

type TaskRecord = Static<typeof Task>;

/** Tasks of one board, in the order given. */
export function taskRecords(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly TaskRow[],
): TaskRecord[] {
  const blocks = blocksOf(
    tx,
    board,
    me,
    rows.map(({ row }) => row),
  );
  const rowNumbers = rows.map(({ row }) => row);
  const helpers = Map.groupBy(helpersOf(tx, rowNumbers), ({ task_row }) => task_row);
  return rows.map((task) => ({
    id: task.id,
    ref: task.ref,
    number: task.number,
    board: board.name,
    title: task.title,
    about: textRecord(tx, task.about, task.about_version, task.about_by, task.about_at),
    stands: textRecord(tx, task.stands, task.stands_version, task.stands_by, task.stands_at),
    state: task.state,
    owner: task.owner_row === null ? null : refAt(tx, task.owner_row),
    with: (helpers.get(task.row) ?? []).map(({ member_row }) => refAt(tx, member_row)),
    ...blocks(task.row),
    opened_by: refAt(tx, task.opener_row),
    opened_at: task.opened_at,
    updated_at: task.updated_at,
    // No message is recorded to be about a task.
    message_count: 0,
    thread_count: 0,
    closed_at: task.closed_at,
    closed_note: task.closed_note,
  }));
}

export const taskRecord = (tx: ReadTx, board: BoardRow, me: MemberRow, task: TaskRow): TaskRecord =>
  taskRecords(tx, board, me, [task])[0]!;

/** A text of a task; null while nobody wrote it. */
function textRecord(
  tx: ReadTx,
  text: string | null,
  version: number,
  by: number | null,
  at: string | null,
): Static<typeof TaskText> | null {
  if (text === null || by === null || at === null) return null;
  return { text, by: refAt(tx, by), at, version, messages_since: 0 };
}

const refAt = (tx: ReadTx, memberRow: number) => memberRef(memberAt(tx, memberRow)!);

/** What an agent works on now. */
export function currentTask(tx: ReadTx, memberRow: number): Static<typeof TaskRef> | null {
  const task = currentTaskOf(tx, memberRow);
  return task && { id: task.id, ref: task.ref, title: task.title };
}
