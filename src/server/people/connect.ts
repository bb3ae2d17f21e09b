import { refuse } from "../../contract/refusal.ts";
import {
  insertKey,
  insertPerson,
  inviteWithDigest,
  personAt,
  personNamed,
  redeemInvite,
  type PersonRow,
} from "../../db/accounts.ts";
import { boardWithId } from "../../db/boards.ts";
import type { Tx } from "../../db/database.ts";
import { activeMembership } from "../../db/members.ts";
import { addToBoard } from "../boards/add-to-board.ts";
import type { Handler } from "../handler.ts";
import { newId } from "../ids.ts";
import { hasControls, isHandle, normalized, trimmedOrNull } from "../names.ts";
import { afterSeconds, idleKeySeconds } from "../time.ts";
import { newKeyRecord, personRecord } from "./views.ts";

export const connect: Handler<"connect"> = (tx, _standing, { body }, tools) => {
  if (body.client_token) throw refuse("not_implemented", { feature: "keys made by the client" });
  if (!isHandle(body.handle))
    throw refuse("handle_invalid", { handle: body.handle, suggestion: normalized(body.handle) });
  const displayName = trimmedOrNull(body.display_name);
  if (displayName && hasControls(displayName))
    throw refuse("invalid_combination", { problem: "display_name holds control characters" });

  const invite = inviteWithDigest(tx, tools.secrets.digest(body.invite));
  const inviter = invite && personAt(tx, invite.person_row);
  if (
    !invite ||
    invite.redeemed_at ||
    invite.expires_at <= tx.now ||
    inviter?.server_role !== "admin"
  )
    throw refuse("invite_invalid");
  if (personNamed(tx, body.handle)) throw refuse("handle_taken", { handle: body.handle });

  redeemInvite(tx, invite.id);
  const person = createPerson(tx, body.handle, displayName, "member");
  const key = createIdleKey(tx, person, body.key_name, tools.secrets);
  bringOntoBoards(tx, inviter, JSON.parse(invite.boards) as string[], person);
  return { server_id: tools.server.id, person: personRecord(person), key };
};

/** Adds a person to the server. */
export function createPerson(
  tx: Tx,
  handle: string,
  displayName: string | null,
  role: PersonRow["server_role"],
): PersonRow {
  const person = {
    id: newId(tx, "hum"),
    handle,
    display_name: displayName,
    server_role: role,
    created_at: tx.now,
  };
  return { ...person, removed_at: null, row: insertPerson(tx, person) };
}

/** Makes a key that ends when it is not used for 90 days. */
export function createIdleKey(
  tx: Tx,
  person: PersonRow,
  name: string,
  secrets: { create(prefix: "abh"): string; digest(secret: string): string },
) {
  const token = secrets.create("abh");
  const key = {
    id: newId(tx, "key"),
    person_row: person.row,
    name,
    created_at: tx.now,
    expires_at: afterSeconds(tx.now, idleKeySeconds),
    idle_expiry_seconds: idleKeySeconds,
  };
  insertKey(tx, { ...key, digest: secrets.digest(token) });
  return { ...newKeyRecord(key), token };
}

/** Adds a newcomer to the boards of their invitation. The inviter must still be on every one of them, and none be archived. */
function bringOntoBoards(
  tx: Tx,
  inviter: PersonRow,
  boardIds: readonly string[],
  person: PersonRow,
) {
  for (const id of boardIds) {
    const board = boardWithId(tx, id);
    const member = board && activeMembership(tx, board.row, inviter.row);
    if (!board || !member || board.lifecycle === "archived") throw refuse("invite_invalid");
    addToBoard(tx, board, person, {
      kind: "human",
      member_id: member.id,
      name: member.name,
      owner: null,
    });
  }
}
