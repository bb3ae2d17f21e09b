import { endPairing } from "../../db/pairings.ts";
import type { Handler } from "../handler.ts";
import { refuseClosed } from "./refusals.ts";
import { pairingRecord } from "./views.ts";

export const declinePairingRequest: Handler<"declinePairingRequest"> = endedAs("declined");

export const cancelPairingRequest: Handler<"cancelPairingRequest"> = endedAs("cancelled");

function endedAs(
  as: "declined" | "cancelled",
): Handler<"declinePairingRequest"> & Handler<"cancelPairingRequest"> {
  return (tx, party, _input, { server }) => {
    const { pairing } = party;
    if (refuseClosed(tx, pairing, as) === null) endPairing(tx, pairing.row, as);
    return pairingRecord(tx, { ...party, pairing: { ...pairing, ended: as } }, server);
  };
}
