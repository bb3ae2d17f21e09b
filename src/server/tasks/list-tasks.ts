import { refuse } from "../../contract/refusal.ts";
import { blockedTaskCount } from "../../db/asks.ts";
import { memberNamed } from "../../db/members.ts";
import { taskCounts, tasksOf } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { taskRecords } from "./views.ts";

export const listTasks: Handler<"listTasks"> = (tx, { board, me }, { query }) => {
  const { state = "active", mine = false, before = null, newest = false, limit = 50 } = query;
  const owner = query.owner === undefined ? null : memberNamed(tx, board.row, query.owner);
  if (query.owner !== undefined && !owner)
    throw refuse("member_not_found", { name: query.owner, board: board.name });

  // One more row than the page holds: its presence means that there is another page.
  const found = tasksOf(tx, board.row, {
    state,
    owner: owner?.row ?? null,
    on: mine ? me.row : null,
    before,
    newest,
    limit: limit + 1,
  });
  const more = found.length > limit;
  // The newest fill their page from its end, so the row too many is the oldest one.
  const extra = newest ? Math.min(...found.map(({ number }) => number)) : found.at(-1)?.number;
  const tasks = more ? found.filter(({ number }) => number !== extra) : found;
  return {
    board: board.name,
    tasks: taskRecords(tx, board, me, tasks),
    counts: { ...taskCounts(tx, board.row), blocked: blockedTaskCount(tx, board.row) },
    more,
  };
};
