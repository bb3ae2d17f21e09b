import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

export interface InviteRow {
  id: string;
  /** Row of its maker. */
  person_row: number;
  /** JSON: ids of the boards it brings its person onto. */
  boards: string;
  created_at: string;
  expires_at: string;
  redeemed_at: string | null;
  revoked_at: string | null;
  /** The handle that the person chose who redeemed it. */
  redeemed_handle: string | null;
}

const columns =
  "id, person_row, boards, created_at, expires_at, redeemed_at, revoked_at, redeemed_handle";

export const insertInvite = (
  tx: Tx,
  invite: Pick<InviteRow, "id" | "person_row" | "boards" | "created_at" | "expires_at"> & {
    digest: string;
  },
) => insertRow(tx, "invite", invite);
export const inviteWithDigest = (tx: ReadTx, digest: string) =>
  tx.get<InviteRow>(`SELECT ${columns} FROM invite WHERE digest = ?`, digest);
export const inviteWithId = (tx: ReadTx, id: string) =>
  tx.get<InviteRow>(`SELECT ${columns} FROM invite WHERE id = ?`, id);
export const inviteOfPerson = (tx: ReadTx, personRow: number, id: string) =>
  tx.get<InviteRow>(`SELECT ${columns} FROM invite WHERE person_row = ? AND id = ?`, personRow, id);
/** The invitations that a person made, oldest first. */
export const invitesOfPerson = (tx: ReadTx, personRow: number) =>
  tx.all<InviteRow>(`SELECT ${columns} FROM invite WHERE person_row = ? ORDER BY rowid`, personRow);
/** The invitation whose redemption made a key. */
export const inviteRedeemedWith = (tx: ReadTx, keyRow: number) =>
  tx.get<InviteRow>(`SELECT ${columns} FROM invite WHERE redeemed_key_row = ?`, keyRow);
export const redeemInvite = (tx: Tx, id: string, by: { keyRow: number; handle: string }) =>
  tx.run(
    "UPDATE invite SET redeemed_at = ?, redeemed_key_row = ?, redeemed_handle = ? WHERE id = ?",
    tx.now,
    by.keyRow,
    by.handle,
    id,
  );
export const revokeInviteWithId = (tx: Tx, id: string) =>
  tx.run("UPDATE invite SET revoked_at = ? WHERE id = ?", tx.now, id);
/** Revokes every invitation of a person that was neither redeemed nor revoked. */
export const revokeInvitesOf = (tx: Tx, personRow: number) =>
  tx.run(
    "UPDATE invite SET revoked_at = ? WHERE person_row = ? AND redeemed_at IS NULL AND revoked_at IS NULL",
    tx.now,
    personRow,
  );
