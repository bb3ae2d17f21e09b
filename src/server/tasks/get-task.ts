import type { Handler } from "../handler.ts";
import { taskCalled } from "./find-task.ts";
import { taskRecord } from "./views.ts";

export const getTask: Handler<"getTask"> = (tx, { board, me }, { params }) =>
  taskRecord(tx, board, me, taskCalled(tx, board, params.task));
