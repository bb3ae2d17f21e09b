import type { ReadTx, Tx } from "./database.ts";

export interface ServerRow {
  id: string;
  mode: "local" | "team";
  board_creation: "members" | "admins";
  agents_add_people: 0 | 1;
}
export interface PersonRow {
  row: number;
  id: string;
  handle: string;
  display_name: string | null;
  server_role: "admin" | "member" | "guest";
  created_at: string;
  removed_at: string | null;
}
export interface KeyRow {
  row: number;
  id: string;
  person_row: number;
  name: string;
  created_at: string;
  expires_at: string | null;
  idle_expiry_seconds: number | null;
  revoked_at: string | null;
  last_used_at: string | null;
}
export interface InviteRow {
  id: string;
  person_row: number;
  /** JSON: ids of the boards it brings its person onto. */
  boards: string;
  expires_at: string;
  redeemed_at: string | null;
}

const keyColumns =
  "row, id, person_row, name, created_at, expires_at, idle_expiry_seconds, revoked_at, last_used_at";

export const serverRow = (tx: ReadTx) => tx.get<ServerRow>("SELECT * FROM server");
export const insertServer = (tx: Tx, server: Pick<ServerRow, "id" | "mode">) =>
  tx.insert("INSERT INTO server (id, mode) VALUES (?, ?)", server.id, server.mode);
export const changeSettings = (
  tx: Tx,
  settings: Pick<ServerRow, "board_creation" | "agents_add_people">,
) =>
  tx.run(
    "UPDATE server SET board_creation = ?, agents_add_people = ?",
    settings.board_creation,
    settings.agents_add_people,
  );

export const personAt = (tx: ReadTx, row: number) =>
  tx.get<PersonRow>("SELECT * FROM person WHERE row = ?", row);
export const personWithId = (tx: ReadTx, id: string) =>
  tx.get<PersonRow>("SELECT * FROM person WHERE id = ?", id);
export const personNamed = (tx: ReadTx, handle: string) =>
  tx.get<PersonRow>("SELECT * FROM person WHERE handle = ? AND removed_at IS NULL", handle);
/** Everyone on the server, oldest first. */
export const people = (tx: ReadTx) =>
  tx.all<PersonRow>("SELECT * FROM person WHERE removed_at IS NULL ORDER BY row");
export const serverAdmins = (tx: ReadTx) =>
  tx.all<PersonRow>(
    "SELECT * FROM person WHERE server_role = 'admin' AND removed_at IS NULL ORDER BY row",
  );
export const insertPerson = (tx: Tx, person: Omit<PersonRow, "row" | "removed_at">) =>
  tx.insert(
    "INSERT INTO person (id, handle, display_name, server_role, created_at) VALUES (?, ?, ?, ?, ?)",
    person.id,
    person.handle,
    person.display_name,
    person.server_role,
    person.created_at,
  );

export const keyOfPerson = (tx: ReadTx, personRow: number, id: string) =>
  tx.get<KeyRow>(
    `SELECT ${keyColumns} FROM access_key WHERE person_row = ? AND id = ?`,
    personRow,
    id,
  );
export const keyAt = (tx: ReadTx, row: number) =>
  tx.get<KeyRow>(`SELECT ${keyColumns} FROM access_key WHERE row = ?`, row);
export const keysOfPerson = (tx: ReadTx, personRow: number) =>
  tx.all<KeyRow>(
    `SELECT ${keyColumns} FROM access_key WHERE person_row = ? ORDER BY row`,
    personRow,
  );
export const insertKey = (
  tx: Tx,
  key: Omit<KeyRow, "row" | "revoked_at" | "last_used_at"> & { digest: string },
) =>
  tx.insert(
    "INSERT INTO access_key (id, person_row, name, digest, created_at, expires_at, idle_expiry_seconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
    key.id,
    key.person_row,
    key.name,
    key.digest,
    key.created_at,
    key.expires_at,
    key.idle_expiry_seconds,
  );
export const revokeKeyAt = (tx: Tx, row: number) =>
  tx.run("UPDATE access_key SET revoked_at = ? WHERE row = ?", tx.now, row);
export const recordKeyUse = (tx: Tx, row: number, expiresAt: string | null) =>
  tx.run(
    "UPDATE access_key SET last_used_at = ?, expires_at = ? WHERE row = ? AND revoked_at IS NULL",
    tx.now,
    expiresAt,
    row,
  );
/** How many working seats have a token that this key started. */
export const seatsOfKey = (tx: ReadTx, keyRow: number) =>
  tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM seat_token JOIN member ON member.row = member_row WHERE key_row = ? AND status = 'active'",
    keyRow,
  )?.count ?? 0;

export const insertInvite = (
  tx: Tx,
  invite: Omit<InviteRow, "redeemed_at"> & { digest: string; created_at: string },
) =>
  tx.run(
    "INSERT INTO invite (id, digest, person_row, boards, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
    invite.id,
    invite.digest,
    invite.person_row,
    invite.boards,
    invite.created_at,
    invite.expires_at,
  );
export const inviteWithDigest = (tx: ReadTx, digest: string) =>
  tx.get<InviteRow>(
    "SELECT id, person_row, boards, expires_at, redeemed_at FROM invite WHERE digest = ?",
    digest,
  );
export const redeemInvite = (tx: Tx, id: string) =>
  tx.run("UPDATE invite SET redeemed_at = ? WHERE id = ?", tx.now, id);
