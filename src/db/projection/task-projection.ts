import type { EventType } from "../../contract/log.ts";
import { noteAllOnTask, noteOnTask } from "../message-tasks.ts";
import { placeOf } from "../log/log-place.ts";
import type { Projection } from "./event-projection.ts";
import { memberKey, memberRow, taskRow } from "./rows-by-id.ts";
import {
  clearCurrentTask,
  closeTask,
  insertHelper,
  insertTask,
  removeHelper,
  removeOwner,
  rewriteTask,
  setCurrentTask,
  setOwner,
  setTaskTitle,
  writeText,
} from "../task-writing.ts";

type TaskEvent = Extract<EventType, `task.${string}`>;

/** What the events of tasks do to the read models. */
export const taskProjections: { [T in TaskEvent]: Projection<T> } = {
  "task.created": (tx, { boardRow, seq, at, actor, data }) =>
    insertTask(
      tx,
      {
        id: data.task_id,
        board_row: boardRow,
        number: data.number,
        ref: data.ref,
        title: data.title,
        opener_row: memberRow(tx, actor.member_id),
        opened_at: at,
        text_place: placeOf(boardRow, seq),
      },
      data.about,
    ),
  "task.started"(tx, { at, data }) {
    const [task, member] = [taskRow(tx, data.task_id), memberKey(tx, data.member_id)];
    // A task that is selected again does not change: only the agent's current task does.
    if (!data.reselected) setOwner(tx, task, member.row, at);
    if (member.kind === "agent") setCurrentTask(tx, member.row, task);
  },
  "task.joined"(tx, { seq, at, data }) {
    const [task, member] = [taskRow(tx, data.task_id), memberKey(tx, data.member_id)];
    if (!data.reselected) insertHelper(tx, task, { memberRow: member.row, seq, at });
    if (member.kind === "agent") setCurrentTask(tx, member.row, task);
  },
  "task.updated"(tx, { boardRow, seq, at, actor, data }) {
    const task = taskRow(tx, data.task_id);
    const place = placeOf(boardRow, seq);
    const written = { by: memberRow(tx, actor.member_id), at, place };
    rewriteTask(tx, task, place, () => {
      if (data.title !== undefined) setTaskTitle(tx, task, data.title, at);
      if (data.about !== undefined) writeText(tx, task, "about", { text: data.about, ...written });
      if (data.stands !== undefined)
        writeText(tx, task, "stands", { text: data.stands, ...written });
    });
  },
  "task.done"(tx, { boardRow, seq, at, data }) {
    const [task, place] = [taskRow(tx, data.task_id), placeOf(boardRow, seq)];
    const state = data.cancelled ? "cancelled" : "done";
    noteAllOnTask(tx, task, place);
    rewriteTask(tx, task, place, () => closeTask(tx, task, { state, note: data.note, at }));
  },
  "task.dropped"(tx, { boardRow, seq, at, data }) {
    const [task, member] = [taskRow(tx, data.task_id), memberKey(tx, data.member_id)];
    if (data.as === "owner") removeOwner(tx, task, at);
    else removeHelper(tx, task, member.row, at);
    if (clearCurrentTask(tx, member.row, task) > 0)
      noteOnTask(tx, member.row, placeOf(boardRow, seq));
  },
};
