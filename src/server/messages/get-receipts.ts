import { refuse } from "../../contract/refusal.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberWithId, readPositionOf, type MemberRow } from "../../db/members.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import { messageAt, postedAt, type MessageRow } from "../../db/messages.ts";
import { placeOf } from "../../db/log/log-place.ts";
import { presenceNow } from "../presence.ts";
import { memberRef } from "../member-ref.ts";
import { arePeers, isUrgentTo, midturnNow } from "../delivery/midturn.ts";
import { queuedNow } from "../delivery/delivery-queue.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";

export const getReceipts: Handler<"getReceipts"> = (tx, { board, me }, { params }) => {
  const message = messageAt(tx, placeOf(board.row, params.seq), readerOn(board, me));
  if (!message) throw refuse("message_not_found");
  const posted = postedAt(tx, message.place);
  const { message_id, to, recipients } = posted.data;
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
        const queued = agent ? queuedNow(tx, member, message.place) : null;
        const hint = hintFor(tx, me, message, posted, member);
        return {
          member: memberRef(member),
          state: !passed ? "pending" : agent ? "received" : "read",
          presence: agent ? presenceNow(tx, member.row).presence : null,
          ...(queued && { queued }),
          ...(hint && { midturn_hint: hint }),
        };
      }),
  };
};

/** The midturn hint of a receipt. Only the sender gets one, if the message is urgent to another agent of the sender's person. */
function hintFor(
  tx: ReadTx,
  me: MemberRow,
  { sender_row }: MessageRow,
  posted: Posted,
  recipient: MemberRow,
) {
  if (sender_row !== me.row || !arePeers(me, recipient) || !isUrgentTo(posted, recipient))
    return null;
  return midturnNow(tx, recipient).policy === "my-agents" ? "peer_if_supported" : "owner_only";
}
