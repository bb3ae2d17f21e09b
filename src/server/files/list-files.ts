import { filesOf } from "../../db/files.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { Handler } from "../handler.ts";
import { taskCalled } from "../tasks/find-task.ts";
import { fileRecords } from "./views.ts";

export const listFiles: Handler<"listFiles"> = (tx, { board, me }, { query }) => {
  const { task, mine = false, maintained = null, before, limit = 50 } = query;
  // One more row than the page holds: its presence means that there is another page.
  const found = filesOf(tx, board.row, {
    task: task === undefined ? null : taskCalled(tx, board, task).row,
    writer: mine ? me.row : null,
    maintained,
    before: before === undefined ? null : placeOf(board.row, before),
    limit: limit + 1,
  });
  return {
    board: board.name,
    files: fileRecords(tx, board, me, found.slice(0, limit)),
    more: found.length > limit,
  };
};
