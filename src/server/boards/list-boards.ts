import type { Static } from "@sinclair/typebox";
import type { Board, HiddenBoard } from "../../contract/boards.ts";
import type { Actor } from "../../contract/log.ts";
import { personAt } from "../../db/accounts.ts";
import {
  boardAt,
  boardsOfPerson,
  openBoardsBeside,
  privateBoardsBeside,
  type BoardRow,
} from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { headcountOf } from "../../db/delegations.ts";
import { eventAt } from "../../db/log/log.ts";
import {
  creatorOf,
  hasSeatSince,
  membershipOf,
  peopleOf,
  readPositionOf,
  type MemberRow,
} from "../../db/members.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { Caller } from "../access/identify.ts";
import { actsAsServerAdmin } from "../access/server-admin.ts";
import type { Handler } from "../handler.ts";
import { boardRecord, housekeepingOf } from "./views.ts";

export const listBoards: Handler<"listBoards"> = (tx, { caller }, { query }) => {
  const { all = false, lifecycle = "active" } = query;
  const rows = boardsOf(tx, caller, all || caller.delegation !== null);
  const wanted = (board: BoardRow) => lifecycle === "all" || board.lifecycle === lifecycle;
  return {
    boards: rows.filter(({ board }) => wanted(board)).map((row) => listed(tx, caller, row)),
    archived_count: rows.filter(({ board }) => board.lifecycle === "archived").length,
    ...(all &&
      !caller.delegation && {
        hidden_boards: hiddenBoards(tx, caller)
          .filter(wanted)
          .map((board) => hiddenRecord(tx, board, caller)),
      }),
  };
};

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

const listed = (tx: ReadTx, caller: Caller, { board, me }: Row) => ({
  ...boardRecord(tx, board, me, caller),
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
    people: peopleOf(tx, board.row).length,
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
