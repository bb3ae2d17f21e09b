import type { InputOf } from "../../contract/index.ts";
import { asksOf, type ListedAsk } from "../../db/asks.ts";
import { boardAt, boardNamed, boardsOfPerson } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberOn, onBoard } from "../access/visible-boards.ts";
import type { Caller } from "../access/identify.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { messageRecords } from "../messages/views.ts";
import { taskCalled } from "../tasks/find-task.ts";
import { boardOfTask, type OwnBoard } from "./board-of-task.ts";

type Query = InputOf<"listAsks">["query"];

export const listAsks: Handler<"listAsks"> = (tx, { caller }, { query }) => {
  const { state = "open", to_me = false, from_me = false, limit = 50 } = query;
  const blockingFirst = to_me && state === "open";
  const boards = boardsAsked(tx, caller, query);
  const found = boards.flatMap(({ board, me }) => {
    const taskRow = query.task === undefined ? null : taskCalled(tx, board, query.task).row;
    const filter = { state, toReader: to_me, ofReader: from_me, taskRow, blockingFirst };
    // One more row than the page holds: its presence means that there is another page.
    const asks = asksOf(tx, board.row, readerOn(board, me), { ...filter, limit: limit + 1 });
    return timesOf(asks, blockingFirst).map((time, index) => ({
      ask: asks[index]!,
      time,
      board,
      me,
    }));
  });
  // Positions of different boards cannot be compared, so asks of several boards are ordered by time.
  found.sort((a, b) => compare(a, b, blockingFirst));
  return {
    asks: found
      .slice(0, limit)
      .map(({ ask, board, me }) => messageRecords(tx, board, me, [ask])[0]!),
    more: found.length > limit,
  };
};

/**
 * The times that order a board's asks among those of other boards. Within a board the order is that of its log. If the
 * clock was put back, an ask counts as no newer than the one listed before it, so a short page is the start of a longer one.
 */
function timesOf(asks: readonly ListedAsk[], blockingFirst: boolean): string[] {
  const oldest = ["", ""];
  return asks.map(({ at, blocking }) => {
    const group = blockingFirst ? blocking : 0;
    const before = oldest[group]!;
    return (oldest[group] = before && before < at ? before : at);
  });
}

interface Placed {
  readonly ask: ListedAsk;
  readonly time: string;
}

function compare(a: Placed, b: Placed, blockingFirst: boolean): number {
  if (blockingFirst && a.ask.blocking !== b.ask.blocking) return b.ask.blocking - a.ask.blocking;
  if (a.time !== b.time) return a.time < b.time ? 1 : -1;
  return b.ask.place - a.ask.place;
}

/** The boards whose asks are listed: the one that `board` or the task names, else all boards of the caller. */
function boardsAsked(tx: ReadTx, caller: Caller, { board: name, task }: Query): OwnBoard[] {
  if (name !== undefined) {
    return [onBoard(tx, caller, boardNamed(tx, name), name)];
  }
  const own = ownBoards(tx, caller);
  return task === undefined ? own : [boardOfTask(tx, own, task)];
}

function ownBoards(tx: ReadTx, caller: Caller): OwnBoard[] {
  const boards = caller.seat
    ? [boardAt(tx, caller.seat.board_row)!]
    : boardsOfPerson(tx, caller.person.row);
  return boards.map((board) => ({ board, me: memberOn(tx, caller, board)! }));
}
