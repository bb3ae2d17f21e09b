import { memberWithId, readPositionOf } from "../../db/members.ts";
import { directReplies, postedAt } from "../../db/messages.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { memberRef } from "../member-ref.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { messageRecords } from "./views.ts";

export const getMessage: Handler<"getMessage"> = (tx, { board, me, message }) => {
  const reader = readerOn(board, me);
  const { recipients = [] } = postedAt(tx, message.place).data;
  return {
    message: messageRecords(tx, board, me, [message])[0]!,
    recipients: recipients
      .map((id) => memberWithId(tx, id)!)
      .filter(({ kind }) => kind === "agent")
      .map((agent) => {
        const replies = directReplies(tx, message.place, agent.row, reader);
        const passed = readPositionOf(tx, agent.row) >= seqOf(message.place);
        return {
          member: memberRef(agent),
          state: replies.length ? "replied" : passed ? "received" : "pending",
          reply_ids: replies,
        };
      }),
  };
};
