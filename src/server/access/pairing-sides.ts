import { refuse } from "../../contract/refusal.ts";
import { boardAt, type BoardRow } from "../../db/boards.ts";
import type { PairingCredentialRow } from "../../db/credentials.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt, type MemberRow } from "../../db/members.ts";
import type { PairingSide } from "../../db/pairing-endpoints.ts";
import { pairingWithId, type PairingRow } from "../../db/pairings.ts";
import { looksAround, memberOn } from "./visible-boards.ts";
import type { Caller } from "./identify.ts";
import { selectedNow } from "./pairing-session.ts";

/** A pairing request that the caller takes part in. */
export interface PairingOfCaller {
  readonly pairing: PairingRow;
  readonly board: BoardRow;
  /** The caller's member on the board; null for a recipient who sees the open board but is not on it. */
  readonly me: MemberRow | null;
  /** The caller's sides; both if they pair two of their own sessions. */
  readonly sides: readonly PairingSide[];
}

/** The request if the caller takes part in it and sees its board now, otherwise null. */
export function findPairing(
  tx: ReadTx,
  caller: Caller,
  pairing: PairingRow | null,
): PairingOfCaller | null {
  const board = pairing && boardAt(tx, pairing.board_row);
  if (!board) return null;
  const me = caller.pairing ? memberAt(tx, caller.pairing.member_row) : memberOn(tx, caller, board);
  const sides = sidesOf(tx, caller, pairing, me !== null, board);
  return sides.length > 0 ? { pairing, board, me, sides } : null;
}

/** Finds a request by its id. Refuses a hidden request exactly as a missing one. */
export function pairingOfCaller(tx: ReadTx, caller: Caller, id: string): PairingOfCaller {
  const reached = findPairing(tx, caller, pairingWithId(tx, id));
  if (!reached) throw refuse("pairing_not_found");
  return reached;
}

/** The caller's pairing credential. Only for operations that accept no other kind of credential. */
export const credentialOf = ({ caller }: { caller: Caller }): PairingCredentialRow =>
  caller.pairing!;

function sidesOf(
  tx: ReadTx,
  caller: Caller,
  pairing: PairingRow,
  onBoard: boolean,
  board: BoardRow,
): PairingSide[] {
  if (caller.pairing)
    return caller.pairing.request_row === pairing.row ? [caller.pairing.side] : [];
  const { seat, person } = caller;
  if (seat) {
    const isInitiator = onBoard && seat.row === pairing.agent_row;
    const isRecipient = onBoard && seat.row === selectedNow(tx, pairing, "recipient")?.member_row;
    return [
      ...(isInitiator ? ["initiator" as const] : []),
      ...(isRecipient ? ["recipient" as const] : []),
    ];
  }
  return [
    ...(onBoard && person.row === pairing.inviter_row ? ["initiator" as const] : []),
    ...(person.row === pairing.recipient_row && (onBoard || looksAround(caller, board))
      ? ["recipient" as const]
      : []),
  ];
}

/** Refuses a caller who is not on this side of the request. */
export function requireSide({ pairing, sides }: PairingOfCaller, side: PairingSide): void {
  if (sides.includes(side)) return;
  const entry = side === "initiator" ? "not_the_inviter" : "not_the_recipient";
  throw refuse(entry, { pairing: pairing.id });
}
