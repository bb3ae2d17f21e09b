import type { InputOf } from "../../contract/index.ts";
import { asksOf, type ListedAsk } from "../../db/asks.ts";
import { refuse } from "../../contract/refusal.ts";
import {
  boardAt,
  boardNamed,
  boardsOfPerson,
  holderOfPrefix,
  type BoardRow,
} from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberOn, onBoard } from "../access/visible-boards.ts";
import type { MemberRow } from "../../db/members.ts";
import { taskWithId } from "../../db/tasks.ts";
import type { Caller } from "../access/identify.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { messageRecords } from "../messages/views.ts";
import { taskCalled } from "../tasks/find-task.ts";

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

/** A board that the caller is on. */
interface OwnBoard {
  readonly board: BoardRow;
  readonly me: MemberRow;
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

/**
 * Finds which of the caller's boards a task is on. An id and a reference name their board. A bare number exists on every
 * board, so it is refused if the caller is on several.
 */
function boardOfTask(tx: ReadTx, own: readonly OwnBoard[], asked: string): OwnBoard {
  if (/^\d/.test(asked) && own.length > 1)
    throw refuse("invalid_combination", {
      problem: `task ${asked} is only a number, and you are on several boards: send \`board\` too, or the task's reference`,
    });
  const row = boardRowOfTask(tx, asked);
  const found = own.find(({ board }) => row === null || board.row === row);
  if (!found) throw refuse("task_unknown", { task: asked });
  return found;
}

/** The row of the board that an id or a reference names: 0 if it names none, null for a bare number. */
function boardRowOfTask(tx: ReadTx, asked: string): number | null {
  if (/^\d/.test(asked)) return null;
  if (asked.startsWith("tsk_")) return taskWithId(tx, asked)?.board_row ?? 0;
  return holderOfPrefix(tx, asked.slice(0, asked.lastIndexOf("-")).toUpperCase()) ?? 0;
}
