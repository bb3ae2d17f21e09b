import { refuse } from "../../contract/refusal.ts";
import type { PairingCredentialRow } from "../../db/credentials.ts";
import type { ReadTx } from "../../db/database.ts";
import { memberAt } from "../../db/members.ts";
import { endpointOf, setAccepted } from "../../db/pairing-endpoints.ts";
import { requireActive, type Caller } from "../access.ts";
import type { Handler } from "../handler.ts";
import { outcomeOf } from "./over.ts";
import { reachedPairing, requireSide, type Reached } from "./reach.ts";
import { pairingRecord } from "./views.ts";

export const acceptPairingRequest: Handler<"acceptPairingRequest"> = (
  tx,
  { caller },
  { params, body },
  { server },
) => {
  const { reached, credential } = ownPairing(tx, caller, params.pairing);
  requireSide(reached, "recipient");
  const { pairing, board } = reached;
  requireActive(tx, board);
  const agent = memberAt(tx, credential.member_row)!;
  if (body.agent_id !== agent.id || body.generation !== credential.generation)
    throw refuse("pairing_changed", {
      problem: "this credential is another agent's or another generation's",
      pairing: pairing.id,
    });
  refuseClosed(tx, reached);
  if (!endpointOf(tx, pairing.row, "recipient")!.accepted_at) setAccepted(tx, pairing.row);
  return pairingRecord(tx, reached, server);
};

/** The one request of a pairing's credential. */
export function ownPairing(tx: ReadTx, caller: Caller, id: string) {
  const reached = reachedPairing(tx, caller, id);
  return { reached, credential: caller.pairing as PairingCredentialRow };
}

/** Refuses a request that came to its end in another way than by being ready. */
export function refuseClosed(tx: ReadTx, { pairing }: Reached): void {
  const outcome = outcomeOf(tx, pairing);
  if (outcome && outcome !== "ready") throw refuse("pairing_closed", { state: outcome });
}
