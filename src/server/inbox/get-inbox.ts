import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt, readPositionOf, type MemberRow } from "../../db/members.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import { hasWaking, postedAt, type MessageRow } from "../../db/messages.ts";
import type { ReactionRow } from "../../db/reactions.ts";
import { unreadAfter } from "../../db/unread-counts.ts";
import { arePeers, isUrgentTo, midturnNow } from "../delivery/midturn.ts";
import type { Handler, Wait } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { messageTexts } from "../messages/views.ts";
import { agentWork } from "./agent-work.ts";
import { nextMessages } from "./next-messages.ts";
import { isRendered, renderedWith } from "../rendered-list.ts";

type Inbox = Output<Operations["getInbox"]>;

export const getInbox: Handler<"getInbox"> = (tx, { board, me }, { query }, { loopGuard }) => {
  const { after = 0, limit = 50, wait = 0 } = query;
  if (wait > 0) loopGuard?.asksToWait(me.row, tx.now);
  const cursor = readPositionOf(tx, me.row);
  const { rows, more, reactions } = nextMessages(tx, board, me, Math.max(cursor, after), limit);
  const rest = {
    board: board.name,
    board_id: board.id,
    agent: me.name,
    member_id: me.id,
    cursor,
    more,
    delivery_mode: me.delivery_mode,
    delivery_revision: me.delivery_revision,
    work: agentWork(tx, board, me),
    midturn_policy: midturnNow(tx, me).policy,
  };
  if (rows.length === 0 || (wait > 0 && !wakesWait(tx, board, me, rows, more)))
    return { ...rest, more: false, messages: [] };
  const texts = inboxTexts(tx, board, me, rows, reactions);
  return renderedWith<Inbox, "messages">(rest, "messages", texts);
};

export const getInboxWait: Wait<"getInbox"> = {
  isEmpty: (inbox) => !isRendered(inbox),
  isIdle(tx, { board, me }, { query: { after = 0 } }, { loopGuard }) {
    loopGuard?.asksToWait(me.row, tx.now);
    if (after >= board.head_seq) return true;
    return !unreadAfter(tx, board.row, me.row, Math.max(readPositionOf(tx, me.row), after));
  },
  topics: ({ board, me }) => [`board:${board.row}`, `inbox:${me.row}`, `member:${me.row}`],
  waiter: ({ me }) => me,
};

/** Whether a message that waits for an agent ends its wait. `rows` are the oldest; if there are more, we look at all. */
function wakesWait(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly MessageRow[],
  more: boolean,
): boolean {
  const ends = ({ quiet, damped }: Posted["data"]) => !quiet && !damped?.includes(me.id);
  if (rows.some(({ place }) => ends(postedAt(tx, place).data))) return true;
  return more && hasWaking(tx, board.row, readerOn(board, me), rows.at(-1)!.place);
}

/** Messages as JSON texts. Urgent ones from the person's other agents also get their sender's id, for the mid-turn policy. */
export function inboxTexts(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly MessageRow[],
  reactions?: readonly ReactionRow[],
): string[] {
  const texts = messageTexts(tx, board, me, rows, reactions);
  return rows.map(({ place, sender_row }, index) => {
    const text = texts[index]!;
    const sender = memberAt(tx, sender_row)!;
    if (!arePeers(sender, me) || !isUrgentTo(postedAt(tx, place), me)) return text;
    // The cached text of a message is shared by all readers, so the inbox adds this property itself.
    return `${text.slice(0, -1)},"midturn_peer_sender_id":"${sender.id}"}`;
  });
}
