import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow, MidturnPolicy } from "../../db/members.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import { midturnDefaultOf, midturnOf, midturnOverridesOf } from "../../db/midturn.ts";

/** The policy for agents of a person who has set none. */
const unset: MidturnPolicy = "my-agents";

/** The mid-turn policy of an agent, and where it comes from. */
export function midturnNow(tx: ReadTx, agent: MemberRow) {
  const { override, byDefault } = midturnOf(tx, agent);
  return override === null
    ? { policy: byDefault ?? unset, source: "person_default" as const }
    : { policy: override, source: "agent_override" as const };
}

/** The mid-turn policy of a person's agents that have no override. */
export const midturnDefault = (tx: ReadTx, personRow: number) => ({
  policy: midturnDefaultOf(tx, personRow) ?? unset,
  source: "person_default" as const,
});

/** A person's overrides for single agents. */
export const overridesOf = (tx: ReadTx, personRow: number) => ({
  overrides: midturnOverridesOf(tx, personRow),
});

/** Whether two members are active agents of one person. */
export const arePeers = (one: MemberRow, other: MemberRow): boolean =>
  [one, other].every(({ kind, status }) => kind === "agent" && status === "active") &&
  one.person_row === other.person_row &&
  one.row !== other.row;

/** Whether a message is urgent and addresses a member by name. */
export const isUrgentTo = ({ data }: Posted, { name }: MemberRow): boolean =>
  data.urgent && data.to.includes(`@${name}`);
