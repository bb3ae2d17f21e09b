import type { Static } from "@sinclair/typebox";
import type { PairingRequest } from "../../contract/pairing/pairing-requests.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { agentsOfPerson } from "../../db/members.ts";
import {
  evidenceOf,
  type PairingEndpointRow,
  type PairingSide,
} from "../../db/pairing-endpoints.ts";
import type { PairingRow } from "../../db/pairings.ts";
import { outcomeOf } from "../access/pairing-outcome.ts";
import { selectedNow } from "../access/pairing-session.ts";

type Record = Static<typeof PairingRequest>;

/** The state of a request, and the sides that must act next. */
export interface Progress {
  readonly state: Record["state"];
  readonly awaiting: readonly PairingSide[];
  /** The sessions that are selected now. */
  readonly initiator: PairingEndpointRow | null;
  readonly recipient: PairingEndpointRow | null;
}

/** The state of a request now. */
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

/** The state of a request until both sides have a session and the recipient's session has accepted. */
function stateBefore(tx: ReadTx, pairing: PairingRow, selected: PairingEndpointRow | null) {
  const { board_row, recipient_row, agent_row } = pairing;
  if (recipient_row === null) return "awaiting_account";
  const seated =
    selected !== null ||
    agentsOfPerson(tx, board_row, recipient_row).some(({ row }) => row !== agent_row);
  return seated ? "awaiting_endpoint" : "awaiting_session";
}
