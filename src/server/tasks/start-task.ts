import { refuse } from "../../contract/refusal.ts";
import { memberAt } from "../../db/members.ts";
import { taskAt } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { unclosedTask } from "./find-task.ts";
import { sayStarted } from "./lines-of-task.ts";
import { recordBy } from "../record.ts";
import { taskFields } from "./event-task.ts";
import { worksElsewhere } from "./works-elsewhere.ts";
import { taskRecord } from "./views.ts";

export const startTask: Handler<"startTask"> = (tx, standing, { params }) => {
  const { board, me } = standing;
  const task = unclosedTask(tx, board, params.task);
  const owned = task.owner_row === me.row;
  if (task.owner_row !== null && !owned) {
    const owner = `@${memberAt(tx, task.owner_row)!.name}`;
    throw refuse("task_taken", { board: board.name, task: task.ref, owner });
  }
  if (!owned || worksElsewhere(tx, me, task)) {
    recordBy(tx, standing)("task.started", {
      ...taskFields(task),
      member_id: me.id,
      previous_owner: null,
      ...(owned && { reselected: true }),
    });
    sayStarted(tx, board, me, task);
  }
  return taskRecord(tx, board, me, taskAt(tx, task.row)!);
};
