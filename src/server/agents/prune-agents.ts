import { refuse } from "../../contract/refusal.ts";
import { boardAt, boardWithId } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { disconnectedAgents, type DisconnectedRow } from "../../db/disconnected-agents.ts";
import { memberOn, sees } from "../access/visible-boards.ts";
import type { Caller } from "../access/identify.ts";
import { requireServerAdmin } from "../access/server-admin.ts";
import { actorOf } from "../actor.ts";
import type { Handler, Recheck } from "../handler.ts";
import { afterSeconds, presenceSeconds } from "../time.ts";
import { presenceNow } from "../presence.ts";
import { endSeat } from "../boards/end-stay.ts";

export const pruneAgents: Handler<"pruneAgents"> = (tx, { caller }, { body }) => {
  const { disconnected_for, all = false, dry_run = false } = body;
  if (all) requireServerAdmin(tx, caller);
  if (!body.agents && !dry_run)
    throw refuse("invalid_combination", { problem: "agents is missing, and dry_run is not true" });

  const asked = body.agents && new Set(body.agents);
  const agents = disconnectedAgents(tx, {
    personRow: all ? null : caller.person.row,
    since: afterSeconds(tx.now, -disconnected_for),
    lapsed: afterSeconds(tx.now, -presenceSeconds),
  })
    .filter(({ id }) => !asked || asked.has(id))
    // One that waits for messages has a session, whatever it reported before.
    .filter(({ row }) => presenceNow(tx, row).presence === "no_session");
  const found = new Set(agents.map(({ id }) => id));
  const answer = {
    disconnected_for,
    all,
    dry_run,
    agents: agents.map((agent) => prunedRecord(tx, caller, agent)),
    kept: [...(asked ?? [])].filter((id) => !found.has(id)),
  };
  if (!dry_run) for (const agent of agents) prune(tx, caller, agent);
  return answer;
};

/** A replay needs a caller who may still know the names of its boards. */
export const pruneAgentsAgain: Recheck<"pruneAgents"> = (tx, { caller }, kept) => {
  if (kept.all) requireServerAdmin(tx, caller);
  for (const agent of kept.agents) {
    const board = boardWithId(tx, agent.board_id);
    if (!board || (agent.board !== null && !sees(tx, caller, board)))
      throw refuse("board_not_found", { board: agent.board ?? agent.board_id });
  }
};

function prunedRecord(tx: ReadTx, caller: Caller, agent: DisconnectedRow) {
  const board = boardAt(tx, agent.board_row)!;
  const named = sees(tx, caller, board);
  return {
    id: agent.id,
    name: named ? agent.name : null,
    board: named ? board.name : null,
    board_id: board.id,
    owner: agent.handle,
    owner_id: agent.person_id,
    disconnected_since: agent.disconnected_since,
  };
}

function prune(tx: Tx, caller: Caller, agent: DisconnectedRow): void {
  const board = boardAt(tx, agent.board_row)!;
  const actor = actorOf(caller, memberOn(tx, caller, board));
  const by = agent.person_row === caller.person.row ? "person" : "admin";
  endSeat(tx, board, actor, agent, by, agent.disconnected_since);
}
