import { refuse } from "../../contract/refusal.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { MemberRow, MidturnPolicy } from "../../db/members.ts";
import {
  dropMidturnOverride,
  midturnOf,
  setMidturnDefault,
  setMidturnOverride,
} from "../../db/midturn.ts";
import type { Handler } from "../handler.ts";
import { midturnDefault, midturnNow, overridesOf } from "./midturn.ts";

export const setMidturnPolicy: Handler<"setMidturnPolicy"> = (tx, { caller, agent }, { body }) => {
  const { policy } = body;
  const { row } = caller.person;
  const answer = agent ? setForAgent(tx, agent, policy) : setDefault(tx, row, policy);
  return { ...answer, ...overridesOf(tx, row) };
};

// Nothing is written if nothing changes, since a write clears caches.
function setDefault(tx: Tx, personRow: number, policy: MidturnPolicy | null) {
  if (policy === null)
    throw refuse("invalid_combination", { problem: "policy may be null only with member_id" });
  const changed = midturnDefault(tx, personRow).policy !== policy;
  if (changed) {
    setMidturnDefault(tx, personRow, policy);
    tx.signal({ about: "midturn", personRow });
  }
  return { ...midturnDefault(tx, personRow), changed };
}

function setForAgent(tx: Tx, agent: MemberRow, policy: MidturnPolicy | null) {
  const changed = midturnOf(tx, agent).override !== policy;
  if (changed && policy === null) dropMidturnOverride(tx, agent.row);
  else if (changed && policy !== null) setMidturnOverride(tx, agent.row, policy);
  if (changed) tx.signal({ about: "delivery", memberRow: agent.row });
  return { ...midturnNow(tx, agent), changed };
}
