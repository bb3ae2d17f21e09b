import { refuse } from "../../contract/refusal.ts";
import { boardWithId } from "../../db/boards.ts";
import { activeMembership } from "../../db/members.ts";
import { makeBoard } from "../boards/create-board.ts";
import type { Handler, Recheck } from "../handler.ts";
import { newId } from "../ids.ts";
import { requireKeptSeat } from "../joining/join.ts";
import { requireRole } from "../boards/roles.ts";
import { takeSeat } from "../joining/take-seat.ts";
import { viaDelegation } from "../joining/delegation-trace.ts";

export const createDelegatedBoard: Handler<"createDelegatedBoard"> = (
  tx,
  { caller },
  { body },
  tools,
) => {
  const { session, harness, agent_name: name, role = "member" } = body;
  if (!session.startsWith(`${harness}:`))
    throw refuse("invalid_combination", {
      problem: "session does not begin with the harness and a colon",
    });
  const agentId = newId(tx, "mem");
  const { board, me } = makeBoard(tx, caller, body, {
    agent_id: agentId,
    ...viaDelegation(caller),
  });
  requireRole(tx, board, role);
  const given = { ...(name && { name }), harness, session };
  return takeSeat(tx, caller, { board, me, role, code: null }, given, tools, agentId);
};

/** A replay contains the token, so the person must be on the active board and the seat must still work with that token. */
export const createDelegatedBoardAgain: Recheck<"createDelegatedBoard"> = (
  tx,
  { caller },
  kept,
  { secrets },
) => {
  const board = boardWithId(tx, kept.board.id);
  if (!board || !activeMembership(tx, board.row, caller.person.row))
    throw refuse("board_not_found", { board: kept.board.name });
  requireKeptSeat(tx, board, kept, secrets);
};
