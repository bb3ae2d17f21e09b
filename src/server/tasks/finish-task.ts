import { refuse } from "../../contract/refusal.ts";
import { taskAt } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { unclosedTask } from "./find-task.ts";
import { takeLinesOf } from "./lines-of-task.ts";
import { recordBy } from "../record.ts";
import { taskFields } from "./event-task.ts";
import { requireWords } from "./check-texts.ts";
import { taskRecord } from "./views.ts";

export const finishTask: Handler<"finishTask"> = (tx, standing, { params, body }) => {
  const { board, me } = standing;
  const { note, cancelled = false } = body;
  requireWords(note, "the note");
  const task = unclosedTask(tx, board, params.task);
  if (me.kind === "agent" && task.owner_row !== me.row)
    throw refuse("task_not_yours", { who: "its owner and people on the board", task: task.ref });
  recordBy(tx, standing)("task.done", { ...taskFields(task), note, cancelled });
  takeLinesOf(tx, board, task.row);
  return taskRecord(tx, board, me, taskAt(tx, task.row)!);
};
