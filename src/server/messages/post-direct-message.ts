import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import type { Caller } from "../access/identify.ts";
import { newId } from "../ids.ts";
import { recordBy } from "../record.ts";

/** Posts an ordinary message from the caller to one member only. Mentions in its text are not looked for. */
export function tell(
  tx: Tx,
  board: BoardRow,
  caller: Caller,
  me: MemberRow,
  to: MemberRow,
  body: string,
): void {
  recordBy(tx, { caller, board, me })("message.posted", {
    message_id: newId(tx, "msg"),
    to: [`@${to.name}`],
    body,
    reply_to: null,
    urgent: false,
    expects_reply: false,
    redactions: [],
    mentions: [],
    recipients: [to.id],
  });
}
