import { messageAt, participantsOf } from "../../db/messages.ts";
import { threadsOf } from "../../db/thread-lists.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { messageRecords } from "./views.ts";

export const listThreads: Handler<"listThreads"> = (tx, { board, me }, { query }) => {
  const { limit = 50 } = query;
  const reader = readerOn(board, me);
  const places = threadsOf(tx, board.row, reader, limit + 1);
  const rows = places.slice(0, limit).map((place) => messageAt(tx, place, reader)!);
  const roots = messageRecords(tx, board, me, rows);
  return {
    board: board.name,
    threads: rows.map(({ place }, index) => ({
      root: roots[index]!,
      participants: participantsOf(tx, place, reader),
    })),
    more: places.length > limit,
  };
};
