import { boardAt, boardsOfPerson, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { activeMembership } from "../../db/members.ts";
import type { BoardChange, Changes } from "./changes.ts";
import type { Follower, Followers } from "./followers.ts";
import { encode, headEvent, presenceEvent, readEvent, unreadEvent } from "./stream-events.ts";

/** The part of a board's news that all of its followers get. */
interface SharedNews {
  readonly board: BoardRow;
  readonly text: string;
}

/** The shared news of every board that changed, read once for all followers. Null for a board that is gone. */
export const sharedNewsOf = (tx: ReadTx, { boards }: Changes): Map<number, SharedNews | null> =>
  new Map([...boards].map(([row, change]) => [row, sharedNews(tx, row, change)]));

function sharedNews(tx: ReadTx, boardRow: number, change: BoardChange): SharedNews | null {
  const board = boardAt(tx, boardRow);
  if (!board) return null;
  const presences = [...change.presences].map((row) => presenceEvent(tx, board, row));
  return { board, text: (change.head ? headEvent(board) : "") + presences.join("") };
}

/** The events for one follower: only changes on boards that they follow. */
export function newsFor(
  tx: ReadTx,
  followers: Followers,
  follower: Follower,
  { boards, people }: Changes,
  shared: ReadonlyMap<number, SharedNews | null>,
): string {
  const moved = people.has(follower.personRow);
  let text = "";
  for (const [row, change] of boards) {
    const boardId = follower.boards.get(row);
    if (boardId === undefined) continue;
    const common = shared.get(row);
    const me = common && activeMembership(tx, row, follower.personRow);
    if (!common || !me) {
      followers.forget(follower, row);
      text += encode("board_unavailable", { board_id: boardId });
      continue;
    }
    text += common.text;
    for (const memberRow of change.positions)
      text += readEvent(tx, common.board, memberRow, follower.personRow);
    if (change.unread || (change.membership && moved) || change.positions.has(me.row))
      text += unreadEvent(tx, common.board, me.row);
  }
  // A new board begins with its head event, which already includes the changes of this turn.
  return moved ? text + newBoards(tx, followers, follower) : text;
}

/** Adds the boards that the follower's person has joined since, and returns the first events for these boards. */
export function newBoards(tx: ReadTx, followers: Followers, follower: Follower): string {
  let text = "";
  for (const board of boardsOfPerson(tx, follower.personRow)) {
    if (follower.boards.has(board.row)) continue;
    followers.follow(follower, board);
    text += opening(tx, board, follower.personRow);
  }
  return text;
}

/** The first events of a stream: those of all boards of its person. */
export const openings = (tx: ReadTx, personRow: number): string =>
  boardsOfPerson(tx, personRow)
    .map((board) => opening(tx, board, personRow))
    .join("");

/** The first events of a stream for one board. */
const opening = (tx: ReadTx, board: BoardRow, personRow: number): string =>
  headEvent(board) + unreadEvent(tx, board, activeMembership(tx, board.row, personRow)!.row);
