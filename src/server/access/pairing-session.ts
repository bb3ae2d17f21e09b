import { keyAt } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt } from "../../db/members.ts";
import {
  endpointOf,
  type PairingEndpointRow,
  type PairingSide,
} from "../../db/pairing-endpoints.ts";
import type { PairingRow } from "../../db/pairings.ts";
import { keyWorks } from "./identify.ts";

/** The session selected for a side, if its seat is active and the key that selected it works. */
export function selectedNow(
  tx: ReadTx,
  pairing: PairingRow,
  side: PairingSide,
): PairingEndpointRow | null {
  const endpoint = endpointOf(tx, pairing.row, side);
  return endpoint && selectionLasts(tx, endpoint) ? endpoint : null;
}

/** Whether the seat of a selected session is active and the key that selected it works. */
export const selectionLasts = (tx: ReadTx, { member_row, key_row }: PairingEndpointRow): boolean =>
  memberAt(tx, member_row)?.status === "active" && keyWorks(tx, keyAt(tx, key_row)!);
