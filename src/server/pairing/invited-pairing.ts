import { refuse } from "../../contract/refusal.ts";
import type { PersonRow } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import type { InviteRow } from "../../db/invites.ts";
import { insertPairing, pairingOfInvite, setRecipient } from "../../db/pairings.ts";
import type { Caller } from "../access/identify.ts";
import { ownAgent } from "../access/own-agent.ts";
import { newId } from "../ids.ts";
import { afterSeconds, pairingSeconds } from "../time.ts";
import { requireWords } from "../tasks/check-texts.ts";
import { outcomeOf } from "../access/pairing-outcome.ts";

/** The work that an invitation offers with one of the inviter's agents. */
type PairingOffer = ReturnType<typeof pairingOffer>;

/** Checks the offer of a new invitation. Refuses unless the invitation has exactly one board. */
export function pairingOffer(
  tx: ReadTx,
  caller: Caller,
  boards: readonly BoardRow[],
  { initiating_agent_id, work }: { initiating_agent_id: string; work: string },
) {
  const [board, ...more] = boards;
  if (!board || more.length > 0)
    throw refuse("invalid_combination", { problem: "pairing needs exactly one board in boards" });
  const agent = ownAgent(tx, caller, board, initiating_agent_id);
  requireWords(work, "work");
  return { board, agent, work };
}

/** Makes the pairing request for an invitation's future person. It does not outlast the invitation. Returns its id. */
export function insertPairingOffer(
  tx: Tx,
  caller: Caller,
  { board, agent, work }: PairingOffer,
  invite: { readonly id: string; readonly expiresAt: string },
): string {
  const id = newId(tx, "prq");
  const end = afterSeconds(tx.now, pairingSeconds);
  insertPairing(tx, {
    id,
    board_row: board.row,
    inviter_row: caller.person.row,
    agent_row: agent.row,
    recipient_row: null,
    invite_id: invite.id,
    work,
    admitted_by_agent: 0,
    expires_at: invite.expiresAt < end ? invite.expiresAt : end,
  });
  return id;
}

/** Makes an invitation's new person the recipient of its pairing request, if the request is still open. */
export function takeUpPairing(tx: Tx, invite: InviteRow, person: PersonRow): void {
  const pairing = pairingOfInvite(tx, invite.id);
  if (pairing && !outcomeOf(tx, pairing)) setRecipient(tx, pairing.row, person.row);
}
