import { refuse } from "../../contract/refusal.ts";
import { memberWithId, presenceOf, readPositionOf } from "../../db/members.ts";
import { messageAt, postedAt } from "../../db/messages.ts";
import { placeOf } from "../../db/places.ts";
import { presenceNow } from "../agents/views.ts";
import { memberRef } from "../boards/views.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "./reader.ts";

export const getReceipts: Handler<"getReceipts"> = (tx, { board, me }, { params }) => {
  const message = messageAt(tx, placeOf(board.row, params.seq), readerOn(board, me));
  if (!message) throw refuse("message_not_found");
  const { message_id, to, recipients } = postedAt(tx, message.place).data;
  return {
    board: board.name,
    seq: params.seq,
    message_id,
    to,
    to_everyone: recipients === undefined,
    available: true,
    recipients: (recipients ?? [])
      .map((id) => memberWithId(tx, id)!)
      .filter(({ status }) => status === "active")
      .map((member) => {
        const passed = readPositionOf(tx, member.row) >= params.seq;
        const agent = member.kind === "agent";
        return {
          member: memberRef(member),
          state: !passed ? "pending" : agent ? "received" : "read",
          presence: agent ? presenceNow(tx.now, presenceOf(tx, member.row)).presence : null,
        };
      }),
  };
};
