import type { Static } from "@sinclair/typebox";
import type { Task, TaskRef, TaskText } from "../../contract/tasks.ts";
import { blockingAsks } from "../../db/asks.ts";
import type { BoardRow } from "../../db/boards.ts";
import { seqOf } from "../../db/log/log-place.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { countsOf, type TaskCounts } from "../../db/message-tasks.ts";
import type { MemberRow } from "../../db/members.ts";
import { currentTaskOf, helpersOf, type TaskName, type TaskRow } from "../../db/tasks.ts";
import { memberRefAt } from "../member-ref.ts";
import { readerOn } from "../access/readable-messages.ts";

type TaskRecord = Static<typeof Task>;

/** Tasks of one board, in the order given, as a member of it sees them. */
export function taskRecords(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly TaskRow[],
): TaskRecord[] {
  const rowNumbers = rows.map(({ row }) => row);
  const blocks = blocksOf(tx, board, me, rowNumbers);
  const helpers = Map.groupBy(helpersOf(tx, rowNumbers), ({ task_row }) => task_row);
  const counted = countsOf(tx, readerOn(board, me), rows);
  const countsAbout = (task: TaskRow): TaskCounts => counted.get(task.row) ?? none;
  return rows.map((task) => ({
    id: task.id,
    ref: task.ref,
    number: task.number,
    board: board.name,
    title: task.title,
    about: textRecord(tx, task, "about", countsAbout(task).sinceAbout),
    stands: textRecord(tx, task, "stands", countsAbout(task).sinceStands),
    state: task.state,
    owner: task.owner_row === null ? null : memberRefAt(tx, task.owner_row),
    with: (helpers.get(task.row) ?? []).map(({ member_row }) => memberRefAt(tx, member_row)),
    ...blocks(task.row),
    opened_by: memberRefAt(tx, task.opener_row),
    opened_at: task.opened_at,
    updated_at: task.updated_at,
    message_count: countsAbout(task).messages,
    thread_count: countsAbout(task).threads,
    closed_at: task.closed_at,
    closed_note: task.closed_note,
  }));
}

const none: TaskCounts = { messages: 0, threads: 0, sinceAbout: 0, sinceStands: 0 };

export const taskRecord = (tx: ReadTx, board: BoardRow, me: MemberRow, task: TaskRow): TaskRecord =>
  taskRecords(tx, board, me, [task])[0]!;

/** How many asks block each task, and those of them that the reader may read, oldest first. */
function blocksOf(tx: ReadTx, board: BoardRow, me: MemberRow, taskRows: readonly number[]) {
  const asks = Map.groupBy(
    blockingAsks(tx, taskRows, readerOn(board, me)),
    ({ task_row }) => task_row,
  );
  return (taskRow: number) => {
    const blocking = asks.get(taskRow) ?? [];
    return {
      blocked: blocking.length > 0,
      blocked_count: blocking.length,
      blocked_on: blocking
        .filter(({ readable }) => readable === 1)
        .map((ask) => ({
          ask_id: ask.id,
          ask_seq: seqOf(ask.place),
          to: memberRefAt(tx, ask.member_row),
          from: memberRefAt(tx, ask.asker_row),
          since: ask.at,
        })),
    };
  };
}

/** The `stands` of a task, with the number of later messages about the task that a member may read. */
export function standsOf(tx: ReadTx, board: BoardRow, me: MemberRow, task: TaskRow) {
  const { sinceStands } = countsOf(tx, readerOn(board, me), [task]).get(task.row) ?? none;
  return textRecord(tx, task, "stands", sinceStands);
}

/** A text of a task; null until somebody writes it. */
function textRecord(
  tx: ReadTx,
  task: TaskRow,
  name: "about" | "stands",
  messages_since: number,
): Static<typeof TaskText> | null {
  const [text, by, at] = [task[name], task[`${name}_by`], task[`${name}_at`]];
  if (text === null || by === null || at === null) return null;
  return { text, by: memberRefAt(tx, by), at, version: task[`${name}_version`], messages_since };
}

/** The current task of an agent. */
export function currentTask(tx: ReadTx, memberRow: number): Static<typeof TaskRef> | null {
  const task = currentTaskOf(tx, memberRow);
  return task && taskRef(task);
}

/** The short form of a task, for records that refer to it. */
export const taskRef = ({ id, ref, title }: TaskName): Static<typeof TaskRef> => ({
  id,
  ref,
  title,
});
