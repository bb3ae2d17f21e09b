import type { Static } from "@sinclair/typebox";
import type {
  OnboardingReceipt,
  ServerInviteMetadata,
} from "../../contract/signing-in/server-invites.ts";
import { boardWithId, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { InviteRow } from "../../db/invites.ts";
import { pairingOfInvite } from "../../db/pairings.ts";
import { sees } from "../access/visible-boards.ts";
import type { Caller } from "../access/identify.ts";
import { findPairing } from "../access/pairing-sides.ts";

/** Ids of the boards that an invitation adds its person to. */
export const boardIdsOf = (invite: InviteRow): string[] => JSON.parse(invite.boards) as string[];

function visibleBoards(tx: ReadTx, invite: InviteRow, caller: Caller): BoardRow[] {
  return boardIdsOf(invite).flatMap((id) => {
    const board = boardWithId(tx, id);
    return board && sees(tx, caller, board) ? board : [];
  });
}

/** The state of an invitation. A redeemed or revoked one does not become `expired`. */
function stateOf({ now }: ReadTx, invite: InviteRow) {
  if (invite.redeemed_at) return "redeemed";
  if (invite.revoked_at) return "revoked";
  return invite.expires_at <= now ? "expired" : "active";
}

/** An invitation as the person who made it sees it. */
export function inviteRecord(
  tx: ReadTx,
  invite: InviteRow,
  caller: Caller,
): Static<typeof ServerInviteMetadata> {
  const boards = visibleBoards(tx, invite, caller);
  return {
    id: invite.id,
    created_at: invite.created_at,
    expires_at: invite.expires_at,
    state: stateOf(tx, invite),
    boards: boards.map(({ id }) => id),
    ...pairingIdOf(tx, invite, caller),
    ...(boards.length > 0 && {
      display: {
        boards: boards.map(({ id, name, title }) => ({ id, name, title: title ?? "" })),
      },
    }),
  };
}

/** The receipt for the person who redeemed an invitation. It contains the boards that they see now. */
export const receiptOf = (
  tx: ReadTx,
  invite: InviteRow,
  caller: Caller,
  serverId: string,
): Static<typeof OnboardingReceipt> => ({
  server_id: serverId,
  person_id: caller.person.id,
  key_id: caller.key.id,
  invite_id: invite.id,
  handle: invite.redeemed_handle!,
  boards: visibleBoards(tx, invite, caller).map(({ id }) => id),
  ...pairingIdOf(tx, invite, caller),
});

/** The id of the pairing request that belongs to an invitation, if the caller sees the request now. */
function pairingIdOf(tx: ReadTx, invite: InviteRow, caller: Caller) {
  const found = findPairing(tx, caller, pairingOfInvite(tx, invite.id));
  return found && { pairing_request_id: found.pairing.id };
}
