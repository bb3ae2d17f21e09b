import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { currentTaskOf, type TaskRow } from "../../db/tasks.ts";

/** Whether an agent's current task differs from this one; true also if it has none. A person has no current task. */
export const worksElsewhere = (tx: ReadTx, me: MemberRow, task: TaskRow): boolean =>
  me.kind === "agent" && currentTaskOf(tx, me.row)?.row !== task.row;
