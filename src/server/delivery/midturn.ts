import { boardAt } from "../../db/boards.ts";
import { refuse } from "../../contract/refusal.ts";
import type { ReadTx } from "../../db/database.ts";
import { memberWithId, type MemberAndHandle, type MemberRow } from "../../db/members.ts";
import type { Posted } from "../../db/messages.ts";
import {
  midturnDefaultOf,
  midturnOf,
  midturnOverridesOf,
  type MidturnPolicy,
} from "../../db/midturn.ts";
import { memberOn, type Caller } from "../access.ts";

/** What holds for agents of whoever has set nothing. */
const unset: MidturnPolicy = "my-agents";

/** What holds for an agent, and where it comes from. */
export function midturnNow(tx: ReadTx, agent: MemberRow) {
  const { override, byDefault } = midturnOf(tx, agent);
  return override === null
    ? { policy: byDefault ?? unset, source: "person_default" as const }
    : { policy: override, source: "agent_override" as const };
}

/** What holds for a person's agents that have nothing of their own. */
export const midturnDefault = (tx: ReadTx, personRow: number) => ({
  policy: midturnDefaultOf(tx, personRow) ?? unset,
  source: "person_default" as const,
});

/** What a person set for single agents of theirs. */
export const overridesOf = (tx: ReadTx, personRow: number) => ({
  overrides: midturnOverridesOf(tx, personRow),
});

/** The caller's own active agent with an id. One that they cannot see is told as missing before anything else is. */
export function ownAgentWithId(tx: ReadTx, caller: Caller, id: string): MemberAndHandle {
  const agent = memberWithId(tx, id);
  const board = agent && boardAt(tx, agent.board_row);
  const seen = board && memberOn(tx, caller, board) !== null;
  if (!agent || !seen || agent.kind !== "agent" || agent.status !== "active")
    throw refuse("own_agent_not_found", { member: id });
  if (agent.person_row !== caller.person.row)
    throw refuse("agent_owner_required", { owner: `@${agent.handle}` });
  return agent;
}

/** Whether two members are active agents of one person. */
export const arePeers = (one: MemberRow, other: MemberRow): boolean =>
  [one, other].every(({ kind, status }) => kind === "agent" && status === "active") &&
  one.person_row === other.person_row &&
  one.row !== other.row;

/** Whether a message is urgent and goes to a member by name. */
export const isUrgentTo = ({ data }: Posted, { name }: MemberRow): boolean =>
  data.urgent && data.to.includes(`@${name}`);
