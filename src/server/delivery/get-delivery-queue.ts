import type { Handler } from "../handler.ts";
import { queueRecord } from "./delivery-queue.ts";

export const getDeliveryQueue: Handler<"getDeliveryQueue"> = (tx, { board, me }) =>
  queueRecord(tx, board, me);
