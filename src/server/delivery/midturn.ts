import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import {
  midturnDefaultOf,
  midturnOf,
  midturnOverridesOf,
  type MidturnPolicy,
} from "../../db/midturn.ts";

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

/** Whether two members are active agents of one person. */
export const arePeers = (one: MemberRow, other: MemberRow): boolean =>
  [one, other].every(({ kind, status }) => kind === "agent" && status === "active") &&
  one.person_row === other.person_row &&
  one.row !== other.row;

/** Whether a message is urgent and goes to a member by name. */
export const isUrgentTo = ({ data }: Posted, { name }: MemberRow): boolean =>
  data.urgent && data.to.includes(`@${name}`);
