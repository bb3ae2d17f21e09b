import { refuse } from "../../contract/refusal.ts";
import { handleTaken, personAt } from "../../db/accounts.ts";
import { boardWithId } from "../../db/boards.ts";
import { keyWithDigest } from "../../db/credentials.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { inviteRedeemedWith, inviteWithDigest, redeemInvite } from "../../db/invites.ts";
import { activeMembership } from "../../db/members.ts";
import { identify } from "../access/identify.ts";
import { isServerAdmin } from "../access/server-admin.ts";
import { addToBoard } from "../boards/add-to-board.ts";
import type { Handler } from "../handler.ts";
import { hasControls, isHandle, normalized, trimmedOrNull } from "../names.ts";
import { takeUpPairing } from "../pairing/invited-pairing.ts";
import { RuleAnswer } from "../rule-answer.ts";
import { createIdleKey, createPerson } from "./create-person.ts";
import { boardIdsOf, receiptOf } from "./invite-views.ts";
import { newKeyRecord, personRecord } from "./views.ts";

export const connect: Handler<"connect"> = (tx, _standing, { body }, { secrets, server }) => {
  if (!isHandle(body.handle))
    throw refuse("handle_invalid", { handle: body.handle, suggestion: normalized(body.handle) });
  const displayName = trimmedOrNull(body.display_name);
  if (displayName && hasControls(displayName))
    throw refuse("invalid_combination", { problem: "display_name holds control characters" });

  const offer = offerOf(tx, secrets.digest(body.invite));
  if (handleTaken(tx, body.handle)) throw refuse("handle_taken", { handle: body.handle });
  const token = body.client_token ?? secrets.create("key");
  const digest = secrets.digest(token);
  if (keyWithDigest(tx, digest))
    throw refuse("invalid_combination", {
      problem: "client_token is already a key of this server",
    });

  const person = createPerson(tx, body.handle, displayName, "member");
  const key = createIdleKey(tx, person, body.key_name, digest);
  redeemInvite(tx, offer.invite.id, { keyRow: key.row, handle: person.handle });
  for (const { board, by } of offer.boards) addToBoard(tx, board, person, by);
  takeUpPairing(tx, offer.invite, person);

  const account = { server_id: server.id, person: personRecord(person) };
  if (!body.client_token) return { ...account, key: { ...newKeyRecord(key), token } };
  const newcomer = identify(tx, { kind: "key", digest });
  const invite = inviteRedeemedWith(tx, key.row)!;
  const onboarding = receiptOf(tx, invite, newcomer, server.id);
  return new RuleAnswer({ ...account, key: newKeyRecord(key), onboarding }, { status: 200 });
};

/**
 * Finds a valid invitation and its boards, each with the inviter as the actor. Refuses one that was redeemed, revoked or
 * expired, whose inviter is no longer an admin or not on all of its boards, or that has an archived board.
 */
function offerOf(tx: ReadTx, digest: string) {
  const invite = inviteWithDigest(tx, digest);
  const inviter = invite && personAt(tx, invite.person_row);
  const open = invite && !invite.redeemed_at && !invite.revoked_at && invite.expires_at > tx.now;
  if (!open || !inviter || !isServerAdmin(inviter)) throw refuse("invite_invalid");
  const boards = boardIdsOf(invite).map((id) => {
    const board = boardWithId(tx, id);
    const member = board && activeMembership(tx, board.row, inviter.row);
    if (!board || !member || board.lifecycle === "archived") throw refuse("invite_invalid");
    const { id: member_id, name } = member;
    return { board, by: { kind: "human", member_id, name, owner: null } as const };
  });
  return { invite, boards };
}
