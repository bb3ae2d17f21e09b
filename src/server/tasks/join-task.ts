import { helpsOn, taskAt } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { unclosedTask } from "./find-task.ts";
import { recordBy } from "../record.ts";
import { taskFields } from "./event-task.ts";
import { worksElsewhere } from "./works-elsewhere.ts";
import { taskRecord } from "./views.ts";

export const joinTask: Handler<"joinTask"> = (tx, standing, { params }) => {
  const { board, me } = standing;
  const task = unclosedTask(tx, board, params.task);
  const onIt = task.owner_row === me.row || helpsOn(tx, task.row, me.row);
  if (!onIt || worksElsewhere(tx, me, task))
    recordBy(tx, standing)("task.joined", {
      ...taskFields(task),
      member_id: me.id,
      ...(onIt && { reselected: true }),
    });
  return taskRecord(tx, board, me, taskAt(tx, task.row)!);
};
