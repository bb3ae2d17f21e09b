import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberNamed, type MemberRow } from "../../db/members.ts";
import { helpsOn, taskAt } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { unclosedTask } from "./find-task.ts";
import { takeLineOfPart } from "./lines-of-task.ts";
import { recordBy } from "../record.ts";
import { taskFields } from "./event-task.ts";
import { taskRecord } from "./views.ts";

export const dropTask: Handler<"dropTask"> = (tx, standing, { params, body }) => {
  const { board, me } = standing;
  // The body is optional.
  const { member: name = me.name, reason = "" } = body ?? {};
  const task = unclosedTask(tx, board, params.task);
  if (me.kind === "agent" && name !== me.name)
    throw refuse("task_not_yours", { who: "people on the board", task: task.ref });
  const member = memberCalled(tx, board, name);
  const owns = task.owner_row === member.row;
  if (!owns && !helpsOn(tx, task.row, member.row))
    throw refuse("not_on_task", { member: `@${name}`, board: board.name, task: task.ref });
  recordBy(tx, standing)("task.dropped", {
    ...taskFields(task),
    member_id: member.id,
    as: owns ? "owner" : "helper",
    reason: reason === "" ? null : reason,
    by: member.row === me.row ? "self" : "person",
  });
  takeLineOfPart(tx, board, member.row, task.row);
  return taskRecord(tx, board, me, taskAt(tx, task.row)!);
};

function memberCalled(tx: ReadTx, board: BoardRow, name: string): MemberRow {
  const member = memberNamed(tx, board.row, name);
  if (!member) throw refuse("member_not_found", { name, board: board.name });
  return member;
}
