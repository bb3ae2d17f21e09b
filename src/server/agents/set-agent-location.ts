import type { Static } from "@sinclair/typebox";
import type { AgentLocation } from "../../contract/agent-location.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { locationOf, putLocation } from "../../db/own-agents.ts";
import type { Handler } from "../handler.ts";

export const setAgentLocation: Handler<"setAgentLocation"> = (tx, { caller, me }, { body }) => {
  putLocation(tx, me.row, caller.key.row, body);
  return locationRecord(tx, me)!;
};

/** Where an active agent's last session was. Only its person and that person's agents learn it; null for other readers. */
export const locationFor = (tx: ReadTx, agent: MemberRow, reader: MemberRow) =>
  agent.person_row === reader.person_row && agent.status === "active"
    ? locationRecord(tx, agent)
    : null;

function locationRecord(tx: ReadTx, agent: MemberRow): Static<typeof AgentLocation> | null {
  const location = locationOf(tx, agent.row);
  if (!location) return null;
  const { reported_at: last_active, ...told } = location;
  return { ...told, last_active };
}
