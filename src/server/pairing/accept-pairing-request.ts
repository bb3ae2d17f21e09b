import { memberAt } from "../../db/members.ts";
import { endpointOf, setAccepted } from "../../db/pairing-endpoints.ts";
import type { Handler } from "../handler.ts";
import { credentialOf } from "../access/pairing-sides.ts";
import { pairingChanged, refuseClosed } from "./refusals.ts";
import { pairingRecord } from "./views.ts";

export const acceptPairingRequest: Handler<"acceptPairingRequest"> = (
  tx,
  party,
  { body },
  { server },
) => {
  const { pairing } = party;
  const credential = credentialOf(party);
  const agent = memberAt(tx, credential.member_row)!;
  if (body.agent_id !== agent.id || body.generation !== credential.generation)
    throw pairingChanged(pairing, "this credential belongs to another agent or generation");
  refuseClosed(tx, pairing, "ready");
  if (!endpointOf(tx, pairing.row, "recipient")!.accepted_at) setAccepted(tx, pairing.row);
  return pairingRecord(tx, party, server);
};
