import type { Tx } from "../../db/engine/database.ts";
import { endPairing } from "../../db/pairings.ts";
import type { Handler, Tools } from "../handler.ts";
import type { Reached } from "../access/reached-pairing.ts";
import { refuseClosed } from "./refusals.ts";
import { pairingRecord } from "./views.ts";

export const declinePairingRequest: Handler<"declinePairingRequest"> = (
  tx,
  party,
  _input,
  { server },
) => end(tx, party, "declined", server);

export const cancelPairingRequest: Handler<"cancelPairingRequest"> = (
  tx,
  party,
  _input,
  { server },
) => end(tx, party, "cancelled", server);

function end(tx: Tx, party: Reached, as: "declined" | "cancelled", server: Tools["server"]) {
  const { pairing } = party;
  if (refuseClosed(tx, pairing, as) === null) endPairing(tx, pairing.row, as);
  return pairingRecord(tx, { ...party, pairing: { ...pairing, ended: as } }, server);
}
