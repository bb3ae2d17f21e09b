import { refuse } from "../../contract/refusal.ts";
import { holderOfPrefix } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { lastTaskNumber, taskWithId } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { newId } from "../ids.ts";
import { sayStarted } from "./lines-of-task.ts";
import { recordBy } from "../record.ts";
import { taskFields } from "./event-task.ts";
import { requireTitle } from "./check-texts.ts";
import { taskRecord } from "./views.ts";

export const createTask: Handler<"createTask"> = (tx, standing, { body }) => {
  const { board, me } = standing;
  const { title, about = "", start = false } = body;
  requireTitle(title);

  const record = recordBy(tx, standing);
  const prefix = board.task_prefix ?? prefixFor(tx, board.name);
  if (board.task_prefix === null) record("board.task_prefix_set", { before: null, after: prefix });
  const number = lastTaskNumber(tx, board.row) + 1;
  const task = { id: newId(tx, "tsk"), ref: `${prefix}-${number}` };
  record("task.created", {
    ...taskFields(task),
    number,
    title,
    about: about === "" ? null : about,
  });
  if (start)
    record("task.started", { ...taskFields(task), member_id: me.id, previous_owner: null });
  const opened = taskWithId(tx, task.id)!;
  if (start) sayStarted(tx, board, me, opened);
  return taskRecord(tx, board, me, opened);
};

const longestPrefix = 6;

/** The prefix that a board gets with its first task: the first three letters of its name, with a number if another board has or had them. */
function prefixFor(tx: ReadTx, boardName: string): string {
  const letters = boardName.toUpperCase().replace(/[^A-Z]/g, "");
  const base = letters.slice(0, 3).padEnd(2, "X");
  for (let n = 1; ; n++) {
    const prefix = n === 1 ? base : `${base}${n}`;
    if (prefix.length > longestPrefix) throw refuse("task_prefix_taken", { prefix: base });
    if (holderOfPrefix(tx, prefix) === null) return prefix;
  }
}
