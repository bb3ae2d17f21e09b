import { pairingsOfPerson } from "../../db/pairings.ts";
import type { Handler } from "../handler.ts";
import { memberOn } from "../access.ts";
import { boardAt } from "../../db/boards.ts";
import { afterSeconds, listedPairingSeconds } from "../time.ts";
import { findPairing, reachedPairing, type Reached } from "./reach.ts";
import { pairingRecord } from "./views.ts";

export const listPairingRequests: Handler<"listPairingRequests"> = (
  tx,
  { caller },
  _input,
  { server },
) => {
  const madeAfter = afterSeconds(tx.now, -listedPairingSeconds);
  const own = pairingsOfPerson(tx, caller.person.row, madeAfter);
  const reached = own.flatMap((pairing): Reached[] => {
    const found = findPairing(tx, caller, pairing);
    if (found || !caller.seat || pairing.board_row !== caller.seat.board_row)
      return found ? [found] : [];
    // An agent is shown what its person has a part in on its board, though it is on neither side.
    const board = boardAt(tx, pairing.board_row)!;
    return [{ pairing, board, me: memberOn(tx, caller, board), sides: [] }];
  });
  return { requests: reached.map((each) => pairingRecord(tx, each, server)) };
};

export const getPairingRequest: Handler<"getPairingRequest"> = (
  tx,
  { caller },
  { params },
  { server },
) => pairingRecord(tx, reachedPairing(tx, caller, params.pairing), server);
