import { refuse } from "../../contract/refusal.ts";
import { blockedTaskCount } from "../../db/asks.ts";
import { memberNamed } from "../../db/members.ts";
import { taskCounts, tasksOf } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { taskRecords } from "./views.ts";

export const listTasks: Handler<"listTasks"> = (tx, { board, me }, { query }) => {
  const { state = "active", mine = false, limit = 50 } = query;
  const owner = query.owner === undefined ? null : memberNamed(tx, board.row, query.owner);
  if (query.owner !== undefined && !owner)
    throw refuse("member_not_found", { name: query.owner, board: board.name });

  // One more row than the page holds: its presence means that there is another page.
  const found = tasksOf(tx, board.row, {
    state,
    owner: owner?.row ?? null,
    on: mine ? me.row : null,
    limit: limit + 1,
  });
  return {
    board: board.name,
    tasks: taskRecords(tx, board, me, found.slice(0, limit)),
    counts: { ...taskCounts(tx, board.row), blocked: blockedTaskCount(tx, board.row) },
    more: found.length > limit,
  };
};
