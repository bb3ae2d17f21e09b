import { refuse } from "../../contract/refusal.ts";
import { boardAt, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberNamed, memberWithId, type MemberAndHandle } from "../../db/members.ts";
import { memberOn } from "./visible-boards.ts";
import type { Caller } from "./identify.ts";

/** Finds an active agent of a board by its name or its id. */
export function activeAgent(tx: ReadTx, board: BoardRow, asked: string): MemberAndHandle | null {
  const member = asked.startsWith("mem_")
    ? memberWithId(tx, asked)
    : memberNamed(tx, board.row, asked);
  return member?.board_row === board.row && member.kind === "agent" && member.status === "active"
    ? member
    : null;
}

/** Finds an active agent of a board by its name or its id. Refuses an agent of another person. */
export function ownAgent(
  tx: ReadTx,
  caller: Caller,
  board: BoardRow,
  asked: string,
): MemberAndHandle {
  const agent = activeAgent(tx, board, asked);
  if (!agent) throw refuse("agent_not_found", { name: asked, board: board.name });
  return ofCaller(caller, agent);
}

/** The caller's own active agent with an id. Refuses an agent whose board the caller is not on exactly as a missing one. */
export function ownAgentWithId(tx: ReadTx, caller: Caller, id: string): MemberAndHandle {
  const at = memberWithId(tx, id)?.board_row;
  const board = at === undefined ? null : boardAt(tx, at);
  const agent = board && memberOn(tx, caller, board) && activeAgent(tx, board, id);
  if (!agent) throw refuse("own_agent_not_found", { member: id });
  return ofCaller(caller, agent);
}

function ofCaller(caller: Caller, agent: MemberAndHandle): MemberAndHandle {
  if (agent.person_row !== caller.person.row)
    throw refuse("agent_owner_required", { owner: `@${agent.handle}` });
  return agent;
}
