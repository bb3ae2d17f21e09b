import type { InputOf } from "../../contract/index.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { personWithId, type PersonRow } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { activeMembership, type MemberRow } from "../../db/members.ts";
import { insertPairing } from "../../db/pairings.ts";
import type { Caller } from "../access/identify.ts";
import { requireActive } from "../access/archived-boards.ts";
import { actorOf } from "../actor.ts";
import { ownAgent } from "../access/own-agent.ts";
import { agentMayAdd } from "../boards/add-person.ts";
import { addToBoard } from "../boards/add-to-board.ts";
import type { Handler, Recheck } from "../handler.ts";
import { newId } from "../ids.ts";
import { allows } from "./allowance.ts";
import { requireWords } from "../tasks/check-texts.ts";
import { afterSeconds, pairingSeconds } from "../time.ts";
import { pairingOfCaller } from "../access/pairing-sides.ts";
import { pairingRecord } from "./views.ts";

type Body = InputOf<"createPairingRequest">["body"];

export const createPairingRequest: Handler<"createPairingRequest"> = (
  tx,
  { caller, board, me },
  { body },
  { server },
) => {
  const agent = initiator(tx, caller, board, body);
  requireActive(tx, board);
  const recipient = personMeant(tx, board, body.recipient_id);
  requireWords(body.work, "work");
  const added = bring(tx, caller, board, me, recipient);
  const id = newId(tx, "prq");
  insertPairing(tx, {
    id,
    board_row: board.row,
    inviter_row: caller.person.row,
    agent_row: agent.row,
    recipient_row: recipient.row,
    invite_id: null,
    work: body.work,
    admitted_by_agent: added && caller.seat ? 1 : 0,
    expires_at: afterSeconds(tx.now, pairingSeconds),
  });
  return pairingRecord(tx, pairingOfCaller(tx, caller, id), server);
};

/** A replay needs a caller who could make the request now. If the agent added the recipient, it must still be allowed to. */
export const createPairingRequestAgain: Recheck<"createPairingRequest"> = (
  tx,
  { caller, board },
  kept,
  _tools,
  { body },
) => {
  initiator(tx, caller, board, body);
  const recipient = personMeant(tx, board, body.recipient_id);
  const { pairing } = pairingOfCaller(tx, caller, kept.id);
  if (pairing.admitted_by_agent && caller.seat)
    mayBring(tx, caller, board, caller.seat, recipient.handle);
};

/** The initiating agent. A person names an agent of their own; an agent names itself. */
function initiator(tx: ReadTx, caller: Caller, board: BoardRow, body: Body): MemberRow {
  const agent = ownAgent(tx, caller, board, body.initiating_agent_id);
  if (caller.seat && caller.seat.row !== agent.row) throw refuse("not_the_initiator");
  return agent;
}

/** The recipient. Refuses a guest who is not on the board exactly as an unknown person. */
function personMeant(tx: ReadTx, board: BoardRow, id: string): PersonRow {
  const person = personWithId(tx, id);
  const guest = person?.server_role === "guest";
  if (!person || person.removed_at || (guest && !activeMembership(tx, board.row, person.row)))
    throw refuse("recipient_not_found", { person: id });
  if (guest) throw refuse("guest_is_not_paired", { handle: person.handle });
  return person;
}

/**
 * Adds the recipient to the board if they are not on it, and returns whether it did. If the agent may not add them, it
 * refuses for a private board only: they can join an open board themselves.
 */
function bring(
  tx: Tx,
  caller: Caller,
  board: BoardRow,
  me: MemberRow,
  recipient: PersonRow,
): boolean {
  if (activeMembership(tx, board.row, recipient.row)) return false;
  if (caller.seat) {
    try {
      mayBring(tx, caller, board, caller.seat, recipient.handle);
    } catch (error) {
      if (error instanceof Refusal && board.visibility === "open") return false;
      throw error;
    }
  }
  const byOwner = caller.seat ? { by_owner: caller.person.id } : {};
  addToBoard(tx, board, recipient, actorOf(caller, me), byOwner);
  return true;
}

function mayBring(
  tx: ReadTx,
  caller: Caller,
  board: BoardRow,
  seat: MemberRow,
  handle: string,
): void {
  agentMayAdd(tx, board, seat, handle);
  if (!allows(tx, caller.person, "add-people"))
    throw refuse("allowance_needed", { handle, board: board.name });
}
