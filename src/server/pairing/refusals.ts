import { refuse, type Refusal } from "../../contract/refusal.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { PairingRow } from "../../db/pairings.ts";
import { outcomeOf, type Outcome } from "../access/pairing-outcome.ts";

/** The refusal for a caller whose knowledge of the request is out of date. */
export const pairingChanged = ({ id }: PairingRow, problem: string): Refusal =>
  refuse("pairing_changed", { problem, pairing: id });

/** Refuses a request that has ended, unless it ended as `but`. Returns that outcome, or null for an open request. */
export function refuseClosed(tx: ReadTx, pairing: PairingRow, but?: Outcome): Outcome | null {
  const outcome = outcomeOf(tx, pairing);
  if (outcome && outcome !== but) throw refuse("pairing_closed", { state: outcome });
  return outcome;
}
