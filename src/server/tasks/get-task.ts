import type { Handler } from "../handler.ts";
import { taskCalled } from "./find-task.ts";
import { taskRecord } from "./views.ts";

export const getTask: Handler<"getTask"> = (tx, { board }, { params }) =>
  taskRecord(tx, board, taskCalled(tx, board, params.task));
