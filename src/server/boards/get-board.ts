import type { Handler } from "../handler.ts";
import { boardRecord } from "./views.ts";

export const getBoard: Handler<"getBoard"> = (tx, { caller, board, me }) =>
  boardRecord(tx, board, me, caller);
