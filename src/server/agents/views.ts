import type { Static } from "@sinclair/typebox";
import type { AgentLine, AgentState } from "../../contract/agent-line.ts";
import type { Member, RemovedAgent } from "../../contract/joining.ts";
import { personAt } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { lineOf, type LineRow } from "../../db/agent-lines.ts";
import { memberAt, type MemberRow } from "../../db/members.ts";
import type { PresenceRow } from "../../db/presences.ts";
import { taskAt } from "../../db/tasks.ts";
import { policyOf } from "../access/board-policy.ts";
import { currentTask, taskRef } from "../tasks/views.ts";
import { presenceNow } from "../presence.ts";
import { locationFor } from "./set-agent-location.ts";

/** An agent's presence, status line and state now. An agent whose seat has ended is disconnected and has no line. */
export function activityNow(tx: ReadTx, agent: MemberRow) {
  const presence = presenceNow(tx, agent.row);
  if (agent.status !== "active") return { ...presence, line: null, state: "disconnected" } as const;
  const line = lineOf(tx, agent.row);
  return {
    ...presence,
    line: line && lineRecord(tx, line),
    state: stateNow(tx.now, presence.presence, line),
  };
}

/** An agent's status line, or null. */
export function lineNow(tx: ReadTx, agent: MemberRow): Static<typeof AgentLine> | null {
  const line = lineOf(tx, agent.row);
  return line && lineRecord(tx, line);
}

function stateNow(
  now: string,
  presence: PresenceRow["presence"],
  line: LineRow | null,
): Static<typeof AgentState> {
  if (presence === "waiting") return "waiting";
  if (line?.kind === "paused") return line.until! > now ? "paused" : "late";
  if (presence === "no_session") return "disconnected";
  return line || presence === "working" ? "working" : "idle";
}

const lineRecord = (tx: ReadTx, line: LineRow): Static<typeof AgentLine> => ({
  kind: line.kind,
  text: line.text,
  until: line.until,
  task: line.task_row === null ? null : taskRef(taskAt(tx, line.task_row)!),
  set_by: memberAt(tx, line.setter_row)!.name,
  source: line.source,
  at: line.set_at,
});

/** Whether a reader sees other members' harnesses: people always, agents if the policy shows them. */
export const showsHarness = (board: BoardRow, reader: MemberRow): boolean =>
  reader.kind === "human" || policyOf(board).show_harness;

/** A member as the reader sees it. */
export function memberRecord(
  tx: ReadTx,
  board: BoardRow,
  member: MemberRow,
  reader: MemberRow,
): Static<typeof Member> {
  const person = personAt(tx, member.person_row)!;
  const agent = member.kind === "agent";
  const { origin } = memberAt(tx, member.row)!;
  const location = agent && locationFor(tx, member, reader);
  const visible = member.row === reader.row || showsHarness(board, reader);
  return {
    id: member.id,
    board: board.name,
    name: member.name,
    ...(!agent && person.display_name !== null && { display_name: person.display_name }),
    kind: member.kind,
    role: member.role,
    owner: agent ? person.handle : null,
    owner_id: agent ? person.id : null,
    harness: visible ? member.harness : null,
    access: member.access,
    server_role: agent ? null : person.server_role,
    status: member.status,
    ...(origin !== null && { origin }),
    ...(member.ended_at !== null && { removed_at: member.ended_at }),
    ...(member.ended_by !== null && { removed_by: member.ended_by }),
    joined_at: member.joined_at,
    ...(agent
      ? {
          ...activityNow(tx, member),
          delivery_mode: member.delivery_mode,
          delivery_revision: member.delivery_revision,
          current_task: currentTask(tx, member.row),
        }
      : {
          presence: null,
          presence_since: null,
          delivery: null,
          delivery_mode: null,
          delivery_revision: null,
          line: null,
          state: null,
          current_task: null,
        }),
    ...(location && { location }),
  };
}

/**
 * The record of an ended seat. `named` is false for a server admin who is not on the private board; then it contains no
 * names.
 */
export function removedAgentRecord(
  tx: ReadTx,
  board: BoardRow,
  memberRow: number,
  named = true,
): Static<typeof RemovedAgent> {
  const seat = memberAt(tx, memberRow)!;
  return {
    id: seat.id,
    board: named ? board.name : null,
    board_id: board.id,
    name: named ? seat.name : null,
    owner: seat.handle,
    owner_id: personAt(tx, seat.person_row)!.id,
    status: seat.status === "left" ? "left" : "removed",
    removed_at: seat.ended_at!,
    removed_by: seat.ended_by!,
    ...(seat.origin !== null && { origin: seat.origin }),
  };
}
