import { messageAt, repliesOf } from "../../db/messages.ts";
import { placeOf, seqOf } from "../../db/log/log-place.ts";
import type { Handler, Wait } from "../handler.ts";
import { isRendered } from "../rendered-list.ts";
import { readerOn } from "../access/readable-messages.ts";
import { messageRecords } from "./views.ts";

export const listReplies: Handler<"listReplies"> = (
  tx,
  { board, me, message },
  { params, query },
) => {
  const { after = 0, limit = 50 } = query;
  const reader = readerOn(board, me);
  const rootPlace = message.root ?? message.place;
  const root = messageAt(tx, rootPlace, reader);
  const found = repliesOf(tx, rootPlace, reader, placeOf(board.row, after), limit + 1);
  const replies = found.slice(0, limit);
  return {
    message_id: params.message,
    root: root && messageRecords(tx, board, me, [root])[0]!,
    replies: messageRecords(tx, board, me, replies),
    next_after: found.length > limit ? seqOf(replies.at(-1)!.place) : null,
  };
};

export const listRepliesWait: Wait<"listReplies"> = {
  isEmpty: (page) => !isRendered(page) && page.replies.length === 0,
  // The member's own topic wakes the wait when their seat ends.
  topics: ({ me, message }) => [`thread:${message.root ?? message.place}`, `member:${me.row}`],
};
