import { readPositionOf } from "../../db/members.ts";
import { inboxOf } from "../../db/messages.ts";
import { placeOf } from "../../db/places.ts";
import type { Handler, Wait } from "../handler.ts";
import { readerOn } from "../messages/reader.ts";
import { messageRecords } from "../messages/views.ts";

export const getInbox: Handler<"getInbox"> = (tx, { board, me }, { query }) => {
  const { after = 0, limit = 50 } = query;
  const cursor = readPositionOf(tx, me.row);
  const from = placeOf(board.row, Math.max(cursor, after));
  const found = inboxOf(tx, board.row, readerOn(board, me), from, limit + 1);
  return {
    board: board.name,
    board_id: board.id,
    agent: me.name,
    member_id: me.id,
    messages: messageRecords(tx, board, me, found.slice(0, limit)),
    cursor,
    more: found.length > limit,
    delivery_mode: me.delivery_mode,
    delivery_revision: me.delivery_revision,
  };
};

export const getInboxWait: Wait<"getInbox"> = {
  isEmpty: ({ messages }) => messages.length === 0,
  topics: ({ board, me }) => [`board:${board.row}`, `member:${me.row}`],
};
