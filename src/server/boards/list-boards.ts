import type { Static } from "@sinclair/typebox";
import type { Board, HiddenBoard } from "../../contract/boards.ts";
import type { Operations } from "../../contract/index.ts";
import { mostBoardsListed } from "../../contract/limits.ts";
import type { Actor } from "../../contract/log.ts";
import type { Input } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import { personAt } from "../../db/accounts.ts";
import {
  boardAt,
  boardsAt,
  boardsOfPerson,
  idOfBoard,
  openBoardsBeside,
  privateBoardsBeside,
  type BoardRow,
} from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { headcountOf } from "../../db/delegations.ts";
import { eventAt } from "../../db/log/log.ts";
import { boardRowsIn, boardRowUpTo } from "../../db/board-lists.ts";
import {
  activeMembership,
  creatorOf,
  hasSeatSince,
  membershipOf,
  readPositionOf,
  type MemberRow,
} from "../../db/members.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { Caller } from "../access/identify.ts";
import { actsAsServerAdmin } from "../access/server-admin.ts";
import type { Handler } from "../handler.ts";
import { boardRecord, housekeepingOf, shortBoardRecord } from "./views.ts";

type Query = Input<Operations["listBoards"]>["query"];

export const listBoards: Handler<"listBoards"> = (tx, { caller }, { query }) => {
  if (query.form === "short") return shortList(tx, caller, query);
  const { all = false, lifecycle = "active", after, limit } = query;
  if (after !== undefined || limit !== undefined)
    throw refuse("invalid_combination", { problem: "after and limit need form=short" });
  const rows = boardsOf(tx, caller, all || caller.delegation !== null);
  const wanted = (board: BoardRow) => lifecycle === "all" || board.lifecycle === lifecycle;
  return {
    boards: rows
      .filter(({ board }) => wanted(board))
      .map((row) => ({
        ...boardRecord(tx, row.board, row.me, caller),
        ...inList(tx, caller, row),
      })),
    archived_count: rows.filter(({ board }) => board.lifecycle === "archived").length,
    ...(all &&
      !caller.delegation && {
        hidden_boards: hiddenBoards(tx, caller)
          .filter(wanted)
          .map((board) => hiddenRecord(tx, board, caller)),
      }),
  };
};

/** One page of the boards that the caller can see, in the order in which they were made, and of the hidden ones. */
function shortList(tx: ReadTx, caller: Caller, query: Query) {
  const { all = false, limit = mostBoardsListed } = query;
  // One more row than the page holds: its presence means that there is another page.
  const found = shortListRows(tx, caller, { ...query, limit: limit + 1 });
  const rows = boardsAt(tx, found.slice(0, limit)).map((board) => ({
    board,
    me: caller.seat ?? activeMembership(tx, board.row, caller.person.row),
  }));
  const isHidden = ({ board, me }: Row) => me === null && board.visibility === "private";
  return {
    boards: rows
      .filter((row) => !isHidden(row))
      .map((row) => ({
        ...shortBoardRecord(tx, row.board, row.me, caller),
        ...inList(tx, caller, row),
      })),
    ...(all &&
      !caller.delegation && {
        hidden_boards: rows.filter(isHidden).map(({ board }) => hiddenRecord(tx, board, caller)),
      }),
    next: found.length > limit ? idOfBoard(tx, found[limit - 1]!) : null,
  };
}

/** Rows of the boards on a page of the short list. */
function shortListRows(
  tx: ReadTx,
  caller: Caller,
  { all = false, lifecycle = "active", after, limit }: Query & { readonly limit: number },
): number[] {
  const { person, seat, delegation } = caller;
  const afterRow = after === undefined ? 0 : boardRowUpTo(tx, after);
  if (seat) {
    const board = boardAt(tx, seat.board_row)!;
    const wanted = lifecycle === "all" || board.lifecycle === lifecycle;
    return wanted && board.row > afterRow ? [board.row] : [];
  }
  const beside = (all || delegation !== null) && person.server_role !== "guest";
  const of = !beside ? "own" : actsAsServerAdmin(caller) ? "every" : "own and open";
  return boardRowsIn(tx, { of, personRow: person.row, lifecycle, afterRow, limit });
}

interface Row {
  readonly board: BoardRow;
  readonly me: MemberRow | null;
}

/** The boards that the caller is on, followed by the other open boards if `all` is true. */
function boardsOf(tx: ReadTx, { person, seat }: Caller, all: boolean): Row[] {
  if (seat) return [{ board: boardAt(tx, seat.board_row)!, me: seat }];
  const own = boardsOfPerson(tx, person.row).map((board) => ({
    board,
    me: membershipOf(tx, board.row, person.row),
  }));
  const open = all && person.server_role !== "guest" ? openBoardsBeside(tx, person.row) : [];
  return [...own, ...open.map((board) => ({ board, me: null }))];
}

/** What a listed board says besides its record: who put the caller there, and for a delegation how many are on it. */
const inList = (tx: ReadTx, caller: Caller, { board, me }: Row) => ({
  ...(me && !caller.seat && addedBySomeone(tx, board, me)),
  ...(caller.delegation && headcount(tx, board, me)),
});

/** How many people are on a board, and how many agents if the caller is on it. */
function headcount(tx: ReadTx, board: BoardRow, me: MemberRow | null) {
  const { people, agents } = headcountOf(tx, board.row);
  return { people_count: people, ...(me && { agent_count: agents }) };
}

/** The private boards that a server admin is not on. Empty for everybody else. */
const hiddenBoards = (tx: ReadTx, caller: Caller): BoardRow[] =>
  actsAsServerAdmin(caller) ? privateBoardsBeside(tx, caller.person.row) : [];

function hiddenRecord(tx: ReadTx, board: BoardRow, caller: Caller): Static<typeof HiddenBoard> {
  const creator = personAt(tx, creatorOf(tx, board.row).person_row)!;
  return {
    id: board.id,
    visibility: "private",
    ...housekeepingOf(tx, board, caller),
    created_at: board.created_at,
    created_by: { id: creator.id, handle: creator.handle },
    people: headcountOf(tx, board.row).people,
  };
}

/**
 * Who added a person to a board. It is only told if somebody else added them, they have not read past that event, and
 * none of their agents has joined since.
 */
function addedBySomeone(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
): Pick<Static<typeof Board>, "added"> {
  const event = eventAt(tx, placeOf(board.row, me.joined_seq));
  if (event?.type !== "person.added" || readPositionOf(tx, me.row) > me.joined_seq) return {};
  const by = JSON.parse(event.actor) as Actor;
  if (by.member_id === me.id) return {};
  if (hasSeatSince(tx, board.row, me.person_row, me.joined_seq)) return {};
  return { added: { seq: me.joined_seq, at: event.at, by } };
}
