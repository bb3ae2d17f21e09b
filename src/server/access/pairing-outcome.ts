import { personAt } from "../../db/accounts.ts";
import type { PairingCredentialRow } from "../../db/credentials.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { inviteWithId } from "../../db/invites.ts";
import { memberAt } from "../../db/members.ts";
import { pairingAt, type PairingRow } from "../../db/pairings.ts";

/** How a pairing request ended. */
export type Outcome = "ready" | "declined" | "cancelled" | "expired";

/**
 * How a request ended; null while it is open. If its initiating agent, recipient or invitation ended before the request
 * expired, it counts as cancelled. A request that became ready stays ready.
 */
export function outcomeOf(tx: ReadTx, pairing: PairingRow): Outcome | null {
  if (pairing.ended) return pairing.ended;
  if (pairing.ready_at) return "ready";
  if (endsOfParts(tx, pairing).some((at) => at && at < pairing.expires_at)) return "cancelled";
  return pairing.expires_at <= tx.now ? "expired" : null;
}

/** When the initiating agent and the recipient (or the invitation) ended. Null for each that has not. */
const endsOfParts = (tx: ReadTx, pairing: PairingRow): (string | null | undefined)[] => [
  memberAt(tx, pairing.agent_row)?.ended_at,
  pairing.recipient_row === null
    ? pairing.invite_id && inviteWithId(tx, pairing.invite_id)?.revoked_at
    : personAt(tx, pairing.recipient_row)?.removed_at,
];

/**
 * Whether a pairing credential works, provided that its key does. It must be the newest of its side and not expired, its
 * seat must be active, and its request must be open or ready.
 */
export function isCurrent(tx: ReadTx, credential: PairingCredentialRow): boolean {
  if (credential.ended_at !== null || credential.expires_at <= tx.now) return false;
  if (memberAt(tx, credential.member_row)?.status !== "active") return false;
  const outcome = outcomeOf(tx, pairingAt(tx, credential.request_row)!);
  return outcome === null || outcome === "ready";
}
