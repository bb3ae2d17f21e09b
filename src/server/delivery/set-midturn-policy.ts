import { refuse } from "../../contract/refusal.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import {
  dropMidturnOverride,
  midturnOf,
  setMidturnDefault,
  setMidturnOverride,
  type MidturnPolicy,
} from "../../db/midturn.ts";
import { ownAgentWithId } from "../agents/own-agent.ts";
import type { Handler, Recheck, RefusalRecheck } from "../handler.ts";
import { midturnDefault, midturnNow, overridesOf } from "./midturn.ts";

export const setMidturnPolicy: Handler<"setMidturnPolicy"> = (tx, { caller }, { body }) => {
  const { policy, member_id: id } = body;
  const { row } = caller.person;
  const answer =
    id === undefined
      ? setDefault(tx, row, policy)
      : setForAgent(tx, ownAgentWithId(tx, caller, id), policy);
  return { ...answer, ...overridesOf(tx, row) };
};

/** The agent has to be the caller's own, and active, for a repeat as well. */
export const setMidturnPolicyAgain: Recheck<"setMidturnPolicy"> = (
  tx,
  { caller },
  _kept,
  _tools,
  { body },
) => {
  if (body.member_id !== undefined) ownAgentWithId(tx, caller, body.member_id);
};

/** A refusal that names whose agent it is, is for somebody who still sees the agent. */
export const midturnRefusedAgain: RefusalRecheck<"setMidturnPolicy"> = (
  tx,
  { caller },
  { body },
  _tools,
  code,
) => {
  if (code === "agent_owner_required") ownAgentWithId(tx, caller, body.member_id!);
};

// Nothing is written where nothing changes: a change lets go what the server keeps at hand.
function setDefault(tx: Tx, personRow: number, policy: MidturnPolicy | null) {
  if (policy === null)
    throw refuse("invalid_combination", { problem: "policy is null, and member_id is missing" });
  const changed = midturnDefault(tx, personRow).policy !== policy;
  if (changed) setMidturnDefault(tx, personRow, policy);
  return { ...midturnDefault(tx, personRow), changed };
}

function setForAgent(tx: Tx, agent: MemberRow, policy: MidturnPolicy | null) {
  const changed = midturnOf(tx, agent).override !== policy;
  if (changed && policy === null) dropMidturnOverride(tx, agent.row);
  else if (changed && policy !== null) setMidturnOverride(tx, agent.row, policy);
  return { ...midturnNow(tx, agent), changed };
}
