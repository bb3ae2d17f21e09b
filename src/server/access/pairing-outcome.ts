import { personAt } from "../../db/accounts.ts";
import type { PairingCredentialRow } from "../../db/credentials.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { inviteWithId } from "../../db/invites.ts";
import { memberAt } from "../../db/members.ts";
import { pairingAt, type PairingRow } from "../../db/pairings.ts";

/** How a request came to its end. */
export type Outcome = "ready" | "declined" | "cancelled" | "expired";

/**
 * How a request came to its end; null while it goes on. One whose initiating agent, recipient or invitation ended before
 * its time is cancelled by that: nothing can come of it any more. What is ready stays so.
 */
export function outcomeOf(tx: ReadTx, pairing: PairingRow): Outcome | null {
  if (pairing.ended) return pairing.ended;
  if (pairing.ready_at) return "ready";
  if (endsOfParts(tx, pairing).some((at) => at && at < pairing.expires_at)) return "cancelled";
  return pairing.expires_at <= tx.now ? "expired" : null;
}

/** When what a request cannot do without came to its end, each null while it lasts. */
const endsOfParts = (tx: ReadTx, pairing: PairingRow): (string | null | undefined)[] => [
  memberAt(tx, pairing.agent_row)?.ended_at,
  pairing.recipient_row === null
    ? pairing.invite_id && inviteWithId(tx, pairing.invite_id)?.revoked_at
    : personAt(tx, pairing.recipient_row)?.removed_at,
];

/** Whether a credential of a session works, as far as its key does: it is the side's newest, in time, of a seat that lasts and a request that goes on or is ready. */
export function isCurrent(tx: ReadTx, credential: PairingCredentialRow): boolean {
  if (credential.ended_at !== null || credential.expires_at <= tx.now) return false;
  if (memberAt(tx, credential.member_row)?.status !== "active") return false;
  const outcome = outcomeOf(tx, pairingAt(tx, credential.request_row)!);
  return outcome === null || outcome === "ready";
}
