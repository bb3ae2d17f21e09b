import { fileCount } from "../../db/files.ts";
import type { Handler } from "../handler.ts";
import { boardRecord } from "./views.ts";

export const getBoard: Handler<"getBoard"> = (tx, { caller, board, me }) => ({
  ...boardRecord(tx, board, me, caller),
  // It is counted anew each time, so a list of boards does without it.
  ...(me && !caller.delegation && { file_count: fileCount(tx, board.row) }),
});
