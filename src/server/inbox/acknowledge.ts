import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import { readPositionOf, setReadPosition, type MemberRow } from "../../db/members.ts";
import { unreadOf } from "../boards/views.ts";
import type { Handler } from "../handler.ts";

export const ackInbox: Handler<"ackInbox"> = (tx, { board, me }, { body }) => ({
  cursor: moveForward(tx, board, me, body.up_to),
  member_id: me.id,
});

export const ackBoard: Handler<"ackBoard"> = (tx, { board, me }, { body }) => {
  const position = moveForward(tx, board, me, body.up_to);
  return {
    board: board.name,
    read_up_to: position,
    unread: unreadOf(tx, board, me, position),
  };
};

/** Moves a read position forward to `upTo`, never back. Returns the position. Refuses a position after the head. */
function moveForward(tx: Tx, board: BoardRow, me: MemberRow, upTo: number): number {
  if (upTo > board.head_seq)
    throw refuse("ack_out_of_range", { head: board.head_seq, up_to: upTo });
  const position = readPositionOf(tx, me.row);
  if (upTo <= position) return position;
  setReadPosition(tx, me.row, upTo);
  tx.signal({ about: "position", boardRow: board.row, memberRow: me.row });
  return upTo;
}
