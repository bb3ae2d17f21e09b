import { actorOf } from "../actor.ts";
import type { Handler } from "../handler.ts";
import { endSeat } from "../boards/end-stay.ts";
import { removedAgentRecord } from "./views.ts";

export const leaveAsAgent: Handler<"leaveAsAgent"> = (tx, { caller, board, me }) => {
  endSeat(tx, board, actorOf(caller, me), me, "self");
  return removedAgentRecord(tx, board, me.row);
};
