import { refuse } from "../../contract/refusal.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { helpsOn, taskAt, type TaskRow } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { unclosedTask } from "./find-task.ts";
import { recordBy } from "../record.ts";
import { taskFields } from "./event-task.ts";
import { requireTitle, requireWords } from "./check-texts.ts";
import { taskRecord } from "./views.ts";

export const updateTask: Handler<"updateTask"> = (tx, standing, { params, body }) => {
  const { board, me } = standing;
  const { title, about, stands, stands_base } = body;
  requireTitle(title);
  requireWords(stands, "stands");
  const task = unclosedTask(tx, board, params.task);
  if (title !== undefined || about !== undefined) requireEditor(me, task);
  if (stands !== undefined || stands_base !== undefined) requireOnIt(tx, me, task);
  const version = task.stands_version;
  if (stands_base !== undefined && stands_base !== version)
    throw refuse("stands_changed", { board: board.name, task: task.ref, version }, { version });

  const changed = {
    ...(title !== undefined && title !== task.title && { title }),
    ...(about !== undefined && about !== (task.about ?? "") && { about }),
    ...(stands !== undefined && stands !== task.stands && { stands, stands_version: version + 1 }),
  };
  if (Object.keys(changed).length > 0)
    recordBy(tx, standing)("task.updated", { ...taskFields(task), ...changed });
  return taskRecord(tx, board, me, taskAt(tx, task.row)!);
};

function requireEditor(me: MemberRow, task: TaskRow): void {
  if (me.kind === "human" || task.opener_row === me.row || task.owner_row === me.row) return;
  const who = "whoever opened or owns it, and people on the board,";
  throw refuse("task_not_yours", { who, task: task.ref });
}

function requireOnIt(tx: ReadTx, me: MemberRow, task: TaskRow): void {
  if (me.kind === "human" || task.owner_row === me.row || helpsOn(tx, task.row, me.row)) return;
  const who = "its owner and helpers, and people on the board,";
  throw refuse("task_not_yours", { who, task: task.ref });
}
