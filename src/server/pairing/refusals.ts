import { refuse, type Refusal } from "../../contract/refusal.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { PairingRow } from "../../db/pairings.ts";
import { outcomeOf, type Outcome } from "../access/pairing-outcome.ts";

/** The refusal of what was meant for the request as it was before. */
export const pairingChanged = ({ id }: PairingRow, problem: string): Refusal =>
  refuse("pairing_changed", { problem, pairing: id });

/** Refuses a request that came to its end, unless it is the end that is named. Gives that, or null while it goes on. */
export function refuseClosed(tx: ReadTx, pairing: PairingRow, but?: Outcome): Outcome | null {
  const outcome = outcomeOf(tx, pairing);
  if (outcome && outcome !== but) throw refuse("pairing_closed", { state: outcome });
  return outcome;
}
