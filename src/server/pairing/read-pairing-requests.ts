import { boardAt } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { pairingsOfPerson, type PairingRow } from "../../db/pairings.ts";
import type { Caller } from "../access/identify.ts";
import type { Handler } from "../handler.ts";
import { afterSeconds, listedPairingSeconds } from "../time.ts";
import { findPairing, type PairingOfCaller } from "../access/pairing-sides.ts";
import { pairingRecord } from "./views.ts";

const mostListed = 200;

export const listPairingRequests: Handler<"listPairingRequests"> = (
  tx,
  { caller },
  _input,
  { server },
) => {
  const madeAfter = afterSeconds(tx.now, -listedPairingSeconds);
  const own = pairingsOfPerson(tx, caller.person.row, madeAfter, mostListed);
  const reached = own.flatMap((pairing) => {
    const found = findPairing(tx, caller, pairing) ?? ofPerson(tx, caller, pairing);
    return found ? [found] : [];
  });
  return { requests: reached.map((each) => pairingRecord(tx, each, server)) };
};

/** A request of the agent's person on the agent's board, though the agent itself is on neither side. */
function ofPerson(
  tx: ReadTx,
  { seat, person }: Caller,
  pairing: PairingRow,
): PairingOfCaller | null {
  const board = seat && pairing.board_row === seat.board_row && boardAt(tx, seat.board_row);
  if (!board) return null;
  const side = pairing.inviter_row === person.row ? "initiator" : "recipient";
  return { pairing, board, me: seat, sides: [side] };
}

export const getPairingRequest: Handler<"getPairingRequest"> = (tx, party, _input, { server }) =>
  pairingRecord(tx, party, server);
