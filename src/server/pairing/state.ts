import type { Static } from "@sinclair/typebox";
import type { PairingRequest } from "../../contract/pairing.ts";
import { keyAt } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { agentsOfPerson, memberAt } from "../../db/members.ts";
import {
  endpointOf,
  evidenceOf,
  type PairingEndpointRow,
  type PairingSide,
} from "../../db/pairing-endpoints.ts";
import type { PairingRow } from "../../db/pairings.ts";
import { works } from "../access/identify.ts";
import { outcomeOf } from "./outcome.ts";

type Record = Static<typeof PairingRequest>;

/** Where a request stands, and which sides have something to do for it to go on. */
export interface Progress {
  readonly state: Record["state"];
  readonly awaiting: readonly PairingSide[];
  /** The sessions that are selected now. */
  readonly initiator: PairingEndpointRow | null;
  readonly recipient: PairingEndpointRow | null;
}

/** The session of a side while its seat and the key that selected it work. */
export function selectedNow(
  tx: ReadTx,
  pairing: PairingRow,
  side: PairingSide,
): PairingEndpointRow | null {
  const endpoint = endpointOf(tx, pairing.row, side);
  return endpoint && lasts(tx, endpoint) ? endpoint : null;
}

/** Whether the seat of a selected session, and the key that selected it, work. */
export const lasts = (tx: ReadTx, { member_row, key_row }: PairingEndpointRow): boolean =>
  memberAt(tx, member_row)?.status === "active" && works(tx, keyAt(tx, key_row)!);

/** Where a request stands now. */
export function progressOf(tx: ReadTx, pairing: PairingRow): Progress {
  const initiator = selectedNow(tx, pairing, "initiator");
  const recipient = selectedNow(tx, pairing, "recipient");
  const outcome = outcomeOf(tx, pairing);
  if (outcome) return { state: outcome, awaiting: [], initiator, recipient };
  const isSelected = { initiator: initiator !== null, recipient: Boolean(recipient?.accepted_at) };
  const verifying = isSelected.initiator && isSelected.recipient;
  const isDone = (side: PairingSide) =>
    verifying ? evidenceOf(tx, pairing.row, side) !== null : isSelected[side];
  return {
    state: verifying ? "verifying" : stateBefore(tx, pairing, recipient),
    awaiting: (["initiator", "recipient"] as const).filter((side) => !isDone(side)),
    initiator,
    recipient,
  };
}

/** The state of a request before both sides are selected and the recipient's has accepted. */
function stateBefore(tx: ReadTx, pairing: PairingRow, selected: PairingEndpointRow | null) {
  const { board_row, recipient_row, agent_row } = pairing;
  if (recipient_row === null) return "awaiting_account";
  const seated =
    selected !== null ||
    agentsOfPerson(tx, board_row, recipient_row).some(({ row }) => row !== agent_row);
  return seated ? "awaiting_endpoint" : "awaiting_session";
}
