import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberWithId, type MemberRow } from "../../db/members.ts";
import type { Caller } from "../access.ts";
import { actsAsServerAdmin } from "../access/server-admin.ts";
import { actorOf } from "../actor.ts";
import { reachedBoard } from "../boards/authority.ts";
import { ownersOf } from "../boards/owners.ts";
import type { Handler, Recheck } from "../handler.ts";
import { endSeat } from "../boards/end-stay.ts";
import { activeAgent } from "./own-agent.ts";
import { removedAgentRecord } from "./views.ts";

export const removeAgent: Handler<"removeAgent"> = (tx, { caller }, { params }) => {
  const { board, me, named } = reachedBoard(tx, caller, params.board);
  // Whoever may not know the names of a board finds an agent by its id alone.
  const asked = named || params.member.startsWith("mem_");
  const agent = asked ? activeAgent(tx, board, params.member) : null;
  if (!agent) throw refuse("agent_not_found", { name: params.member, board: params.board });
  const by = requireAuthority(tx, caller, board, me, agent);
  endSeat(tx, board, actorOf(caller, me), agent, by);
  return removedAgentRecord(tx, board, agent.row, named);
};

/** The answer is given again only to somebody who could remove the agent now, and one with the board's name only to whoever may know it. */
export const removeAgentAgain: Recheck<"removeAgent"> = (
  tx,
  { caller },
  kept,
  _tools,
  { params },
) => {
  const { board, me, named } = reachedBoard(tx, caller, params.board);
  if (kept.board !== null && !named) throw refuse("board_not_found", { board: params.board });
  requireAuthority(tx, caller, board, me, memberWithId(tx, kept.id)!);
};

/** As what the caller may remove the agent: its person first, then an owner of its board, then a server admin. */
function requireAuthority(
  tx: ReadTx,
  caller: Caller,
  board: BoardRow,
  me: MemberRow | null,
  agent: MemberRow,
) {
  if (agent.person_row === caller.person.row) return "person";
  if (me?.access === "admin") return "board_owner";
  if (actsAsServerAdmin(caller)) return "admin";
  throw refuse("owner_required", { board: board.name, owners: ownersOf(tx, board.row) });
}
