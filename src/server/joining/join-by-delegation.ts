import type { Static } from "@sinclair/typebox";
import type { JoinResult } from "../../contract/joining.ts";
import { refuse } from "../../contract/refusal.ts";
import { boardNamed, type BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { newestSeatOfSession, replaceSeatToken } from "../../db/delegations.ts";
import { activeMembership, type MemberRow } from "../../db/members.ts";
import { seeing, type Seen } from "../access/visible-boards.ts";
import { seatEnded, type Caller } from "../access/identify.ts";
import { requireActive } from "../access/archived-boards.ts";
import { addToBoard } from "../boards/add-to-board.ts";
import type { Tools } from "../handler.ts";
import { viaDelegation } from "./delegation-trace.ts";
import { RuleAnswer } from "../rule-answer.ts";
import { memberNameTaken } from "../names.ts";
import { requireRole } from "../boards/roles.ts";
import { joinResult, takeSeat, type SessionGiven } from "./take-seat.ts";

/**
 * Gives a session of the delegation's person its seat on the board, or a new one. For a new seat the person joins an open
 * board first if they are not on it. The order of the refusals is part of the contract.
 */
export function joinByDelegation(
  tx: Tx,
  caller: Caller,
  given: SessionGiven & { board: string; role?: string },
  tools: Tools,
): Static<typeof JoinResult> | RuleAnswer<Static<typeof JoinResult>> {
  const { session, role = "member" } = given;
  if (session === undefined) throw refuse("invalid_request", { problem: "session is missing" });
  const { board } = boardToJoin(tx, caller, given.board);

  const seat = newestSeatOfSession(tx, board.row, caller.person.row, session);
  if (seat && seat.status !== "active") throw seatEnded(tx, seat);
  requireActive(tx, board);
  if (seat) return reuse(tx, caller, board, seat, tools);

  requireRole(tx, board, role);
  if (given.name && memberNameTaken(tx, board.row, given.name))
    throw refuse("name_taken", { name: given.name, board: board.name });
  const me =
    activeMembership(tx, board.row, caller.person.row) ??
    addToBoard(tx, board, caller.person, null, viaDelegation(caller));
  return takeSeat(tx, caller, { board, me, role, code: null }, given, tools);
}

/** The board that a request to join names. It is hidden from guests before they are told that they need a code. */
export function boardToJoin(tx: ReadTx, caller: Caller, name: string): Seen {
  const seen = seeing(tx, caller, boardNamed(tx, name), name);
  if (caller.person.server_role === "guest") throw refuse("guest_not_allowed");
  return seen;
}

/** Gives an active seat a new token of this delegation's key. Its earlier tokens stop working. */
function reuse(tx: Tx, caller: Caller, board: BoardRow, agent: MemberRow, tools: Tools) {
  const token = tools.secrets.create("agent");
  replaceSeatToken(tx, agent.row, tools.secrets.digest(token), caller.key.row);
  tx.signal({ about: "token-replaced", memberRow: agent.row });
  const me = activeMembership(tx, board.row, caller.person.row)!;
  return new RuleAnswer(
    { ...joinResult(tx, caller, { board, me, agent, token }), reused: true as const },
    { status: 200 },
  );
}
