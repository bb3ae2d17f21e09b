import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { endPairing } from "../../db/pairings.ts";
import type { Caller } from "../access.ts";
import type { Handler, Recheck, RefusalRecheck, Tools } from "../handler.ts";
import { reachedPairing, requireSide, type Reached } from "./reached-pairing.ts";
import { refuseClosed } from "./refusals.ts";
import { pairingRecord } from "./views.ts";

export const declinePairingRequest: Handler<"declinePairingRequest"> = (
  tx,
  { caller },
  { params },
  tools,
) => end(tx, reachedForDecline(tx, caller, params.pairing), "declined", tools);

export const cancelPairingRequest: Handler<"cancelPairingRequest"> = (
  tx,
  { caller },
  { params },
  tools,
) => end(tx, reachedForCancel(tx, caller, params.pairing), "cancelled", tools);

function reachedForDecline(tx: ReadTx, caller: Caller, id: string): Reached {
  const reached = reachedPairing(tx, caller, id);
  requireSide(reached, "recipient");
  return reached;
}
function reachedForCancel(tx: ReadTx, caller: Caller, id: string): Reached {
  const reached = reachedPairing(tx, caller, id);
  requireSide(reached, "initiator");
  return reached;
}

function end(tx: Tx, reached: Reached, as: "declined" | "cancelled", { server }: Tools) {
  const { pairing } = reached;
  if (refuseClosed(tx, pairing, as) === null) endPairing(tx, pairing.row, as);
  return pairingRecord(tx, { ...reached, pairing: { ...pairing, ended: as } }, server);
}

/** A repeat is answered to the recipient while they see the request. */
export const declineAgain: Recheck<"declinePairingRequest"> = (tx, { caller }, kept) =>
  void reachedForDecline(tx, caller, kept.id);
/** A repeat is answered to the inviter while they see the request. */
export const cancelAgain: Recheck<"cancelPairingRequest"> = (tx, { caller }, kept) =>
  void reachedForCancel(tx, caller, kept.id);

type OfOne =
  | "declinePairingRequest"
  | "cancelPairingRequest"
  | "acceptPairingRequest"
  | "verifyPairingRoundTrip";
/** A refusal about a request is given again only to whoever sees the request. */
export const pairingRefusedAgain: RefusalRecheck<OfOne> = (tx, { caller }, { params }) =>
  void reachedPairing(tx, caller, params.pairing);
