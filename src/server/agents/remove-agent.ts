import { refuse } from "../../contract/refusal.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberWithId, type MemberRow } from "../../db/members.ts";
import type { Standing } from "../access/caller-standing.ts";
import { ownersOf } from "../access/required-role.ts";
import { actsAsServerAdmin } from "../access/server-admin.ts";
import { actorOf } from "../actor.ts";
import type { Handler, Recheck } from "../handler.ts";
import { endSeat } from "../boards/end-stay.ts";
import { activeAgent } from "../access/own-agent.ts";
import { removedAgentRecord } from "./views.ts";

export const removeAgent: Handler<"removeAgent"> = (tx, standing, { params }) => {
  const { caller, board, me, named } = standing;
  // A caller who may not know the board's names can select an agent only by its id.
  const asked = named || params.member.startsWith("mem_");
  const agent = asked ? activeAgent(tx, board, params.member) : null;
  if (!agent) throw refuse("agent_not_found", { name: params.member, board: params.board });
  const by = requireAuthority(tx, standing, agent);
  endSeat(tx, board, actorOf(caller, me), agent, by);
  return removedAgentRecord(tx, board, agent.row, named);
};

/** A replay needs a caller who may still remove the agent, and know the board if the answer names it. */
export const removeAgentAgain: Recheck<"removeAgent"> = (
  tx,
  standing,
  kept,
  _tools,
  { params },
) => {
  if (kept.board !== null && !standing.named)
    throw refuse("board_not_found", { board: params.board });
  requireAuthority(tx, standing, memberWithId(tx, kept.id)!);
};

/**
 * In which capacity the caller may remove the agent: as its person, an owner of its board, or a server admin, in this
 * order. Refuses others.
 */
function requireAuthority(
  tx: ReadTx,
  { caller, board, me }: Standing<"reaches-board">,
  agent: MemberRow,
) {
  if (agent.person_row === caller.person.row) return "person";
  if (me?.access === "admin") return "board_owner";
  if (actsAsServerAdmin(caller)) return "admin";
  throw refuse("owner_required", { board: board.name, owners: ownersOf(tx, board.row) });
}
