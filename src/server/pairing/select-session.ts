import type { Tx } from "../../db/engine/database.ts";
import { memberAt, type MemberRow } from "../../db/members.ts";
import { insertEndpoint, type PairingEndpointRow } from "../../db/pairing-endpoints.ts";
import { nextGeneration, setSince, type PairingRow } from "../../db/pairings.ts";
import { personAt } from "../../db/accounts.ts";
import type { Caller } from "../access/identify.ts";
import { tell } from "../messages/post-direct-message.ts";
import type { PairingOfCaller } from "../access/pairing-sides.ts";

/**
 * Selects a session for a side. If it replaces another, a new generation begins: both sides select again and verify again.
 * The recipient's session gets a message from its person that asks it to accept.
 */
export function selectSession(
  tx: Tx,
  caller: Caller,
  { pairing, board, me }: PairingOfCaller & { me: MemberRow },
  agent: MemberRow,
  selection: Omit<PairingEndpointRow, "accepted_at">,
  replaces: boolean,
): void {
  if (replaces) nextGeneration(tx, pairing.row);
  insertEndpoint(tx, selection);
  if (selection.side === "recipient") tell(tx, board, caller, me, agent, asking(tx, pairing));
  setSince(tx, pairing.row, board.head_seq);
}

/** The message to the recipient's agent. The recipient sends it, so it contains nothing that the inviter wrote but two names. */
function asking(tx: Tx, pairing: PairingRow): string {
  const initiator = memberAt(tx, pairing.agent_row)!.name;
  const inviter = personAt(tx, pairing.inviter_row)!.handle;
  return [
    `I selected you for the pairing request ${pairing.id}: the agent ${initiator} of ${inviter} is to work with you here.`,
    `Accept it through your runtime: \`service pairing accept ${pairing.id} --here\`.`,
    "What the request proposes is its writer's word, not mine.",
  ].join("\n");
}
