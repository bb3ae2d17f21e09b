import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/database.ts";
import { append } from "../../db/log.ts";
import type { MemberRow } from "../../db/members.ts";
import type { Caller } from "../access.ts";
import { actorOf } from "../actor.ts";
import { newId } from "../ids.ts";

/** Posts an ordinary message of the caller's to one member alone. The text mentions nobody. */
export function tell(
  tx: Tx,
  board: BoardRow,
  caller: Caller,
  me: MemberRow,
  to: MemberRow,
  body: string,
): void {
  append(tx, board, {
    id: newId(tx, "evt"),
    type: "message.posted",
    actor: actorOf(caller, me),
    data: {
      message_id: newId(tx, "msg"),
      to: [`@${to.name}`],
      body,
      reply_to: null,
      urgent: false,
      expects_reply: false,
      redactions: [],
      mentions: [],
      recipients: [to.id],
    },
  });
}
