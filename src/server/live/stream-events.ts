import { generationOf } from "../../db/accounts.ts";
import type { EventDataOf, EventOf } from "../../contract/streams.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt, readPositionOf } from "../../db/members.ts";
import { unreadAfter } from "../../db/unread-counts.ts";
import { activityNow } from "../agents/views.ts";

/** The text of one event in the stream. */
export const encode = <N extends EventOf<"stream">>(
  event: N,
  data: EventDataOf<"stream", N>,
): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** The first event of a stream, with the generation of the server. */
export const helloEvent = (tx: ReadTx): string => encode("hello", { generation: generationOf(tx) });

/** The event with the head of a board's log. */
export const headEvent = (board: BoardRow): string =>
  encode("head", {
    board: board.name,
    board_id: board.id,
    seq: board.head_seq,
  });

/** The event with a person's read position on a board, and how many messages of others follow it. */
export function unreadEvent(tx: ReadTx, board: BoardRow, memberRow: number): string {
  const seq = readPositionOf(tx, memberRow);
  return encode("unread", {
    board: board.name,
    board_id: board.id,
    read_up_to: seq,
    unread: unreadAfter(tx, board.row, memberRow, seq),
  });
}

/** The event with an agent's presence, activity and status line. */
export function presenceEvent(tx: ReadTx, board: BoardRow, memberRow: number): string {
  const agent = memberAt(tx, memberRow)!;
  return encode("presence", {
    board: board.name,
    board_id: board.id,
    agent: agent.name,
    member_id: agent.id,
    ...activityNow(tx, agent),
  });
}

/** The event with an agent's read position, for its own person; empty for anybody else. */
export function readEvent(
  tx: ReadTx,
  board: BoardRow,
  memberRow: number,
  personRow: number,
): string {
  const agent = memberAt(tx, memberRow)!;
  if (agent.kind !== "agent" || agent.person_row !== personRow) return "";
  return encode("read", {
    board: board.name,
    board_id: board.id,
    agent: agent.name,
    member_id: agent.id,
    read_up_to: readPositionOf(tx, memberRow),
  });
}
