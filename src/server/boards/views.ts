import { moveOf } from "../../db/moved-boards.ts";
import type { Static } from "@sinclair/typebox";
import type { Board, BoardPerson, Role } from "../../contract/boards.ts";
import { personAt } from "../../db/accounts.ts";
import { charterOf, rolesOf, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { creatorOf, readPositionOf, type MemberRow } from "../../db/members.ts";
import { openAskCountsTo } from "../../db/asks.ts";
import { awaitedReplies, inboxCount, lastMessage, unreadAfter } from "../../db/unread-counts.ts";
import { placeOf } from "../../db/log/log-place.ts";
import { taskCounts } from "../../db/tasks.ts";
import type { Caller } from "../access/identify.ts";
import { briefSummary } from "../files/brief.ts";
import { readerOn } from "../access/readable-messages.ts";
import { mayArchive } from "../access/archived-boards.ts";
import { memberRef } from "../member-ref.ts";
import { policyOf } from "../access/board-policy.ts";

/** A board as the caller sees it. `me` is their member on it, or null if they see an open board that they are not on. */
export const boardRecord = (
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow | null,
  caller: Caller,
): Static<typeof Board> => ({
  ...shortBoardRecord(tx, board, me, caller),
  charter: charterOf(tx, board.row),
  roles: roleRecords(tx, board.row),
  policy: policyOf(board),
});

/**
 * The same without charter, roles and policy. A delegation has no read position, so the record has none for it.
 */
export function shortBoardRecord(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow | null,
  caller: Caller,
): Omit<Static<typeof Board>, "charter" | "roles" | "policy"> {
  const counted = me !== null && readerOn(board, me).readsAll;
  const last = counted ? lastMessage(tx, board.row, board.head_seq) : null;
  return {
    id: board.id,
    name: board.name,
    title: board.title,
    visibility: board.visibility,
    ...housekeepingOf(tx, board, caller),
    on_board: me !== null,
    template: board.template,
    agents_add_people: board.agents_add_people === 1,
    task_prefix: board.task_prefix,
    head_seq: board.head_seq,
    message_count: counted ? (last?.number ?? 0) : null,
    last_message_at: last?.at ?? null,
    created_at: board.created_at,
    created_by: memberRef(creatorOf(tx, board.row)),
    ...(me && !caller.delegation && positionOf(tx, board, me)),
  };
}

/** A board's lifecycle, and whether the caller could archive, restore or delete it now. */
export function housekeepingOf(tx: ReadTx, board: BoardRow, caller: Caller) {
  const may = mayArchive(tx, board, caller);
  const archived = board.lifecycle === "archived";
  const move = archived ? moveOf(tx, board.row) : null;
  return {
    lifecycle: archived ? ("archived" as const) : ("active" as const),
    can_archive: may && !archived,
    can_restore: may && archived && !move,
    can_delete: may && archived && caller.seat === null,
    ...(move && { moved_to: { server: move.server, board_id: move.board_id } }),
  };
}

function roleRecords(tx: ReadTx, boardRow: number): Record<string, Static<typeof Role>> {
  return Object.fromEntries(
    rolesOf(tx, boardRow).map(({ name, can, charter }) => [
      name,
      { can: JSON.parse(can) as Static<typeof Role>["can"], ...(charter !== null && { charter }) },
    ]),
  );
}

function positionOf(tx: ReadTx, board: BoardRow, me: MemberRow) {
  const seq = readPositionOf(tx, me.row);
  return {
    read_up_to: seq,
    unread: unreadOf(tx, board, me, seq),
    ...(me.kind === "human" && waitingFor(tx, me)),
    tasks_open: taskCounts(tx, board.row).open,
    brief: briefSummary(tx, board, me),
  };
}

/** How many messages wait for a person's reply, with their open asks, which are also counted alone. */
function waitingFor(tx: ReadTx, me: MemberRow) {
  const asks = openAskCountsTo(tx, me.row);
  const open = asks.blocking + asks.going_with;
  return { needs_reply: awaitedReplies(tx, me.row) + open, asks_to_me: asks };
}

/** How many messages after a position are unread: those for an agent's inbox, or all messages of others for a person. */
export const unreadOf = (tx: ReadTx, board: BoardRow, me: MemberRow, seq: number): number =>
  me.kind === "agent"
    ? inboxCount(tx, board.row, readerOn(board, me), placeOf(board.row, seq))
    : unreadAfter(tx, board.row, me.row, seq);

/** A person as a member of a board. */
export function boardPersonRecord(
  tx: ReadTx,
  board: BoardRow,
  member: MemberRow,
): Static<typeof BoardPerson> {
  const person = personAt(tx, member.person_row)!;
  return {
    id: person.id,
    handle: person.handle,
    display_name: person.display_name,
    board: board.name,
    name: member.name,
    member_id: member.id,
    board_role: member.access === "admin" ? "owner" : "member",
    server_role: person.server_role,
    joined_at: member.joined_at,
  };
}
