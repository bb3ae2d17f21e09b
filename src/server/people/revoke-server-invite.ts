import { refuse } from "../../contract/refusal.ts";
import { inviteOfPerson, revokeInviteWithId } from "../../db/invites.ts";
import type { Handler } from "../handler.ts";

export const revokeServerInvite: Handler<"revokeServerInvite"> = (tx, { caller }, { params }) => {
  const invite = inviteOfPerson(tx, caller.person.row, params.invite);
  if (!invite) throw refuse("invite_not_found", { invite: params.invite });
  const changed = !invite.revoked_at && !invite.redeemed_at;
  if (changed) revokeInviteWithId(tx, invite.id);
  return { id: invite.id, revoked: true, changed };
};
