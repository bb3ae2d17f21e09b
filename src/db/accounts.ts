import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";
import { standInAt } from "./stand-ins.ts";

interface ServerRow {
  id: string;
  mode: "local" | "team";
  board_creation: "members" | "admins";
  agents_add_people: 0 | 1;
  /** Null only before the start that makes it. */
  generation: string | null;
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

const keyColumns =
  "row, id, person_row, name, created_at, expires_at, idle_expiry_seconds, revoked_at, last_used_at";

export const serverRow = (tx: ReadTx) => tx.get<ServerRow>("SELECT * FROM server");
/** The generation of the server: it changes when the server is restored from a backup. Throws before the server's first start. */
export function generationOf(tx: ReadTx): string {
  const generation = serverRow(tx)?.generation;
  if (!generation) throw new Error("the server has no generation: it was never started");
  return generation;
}
export const saveGeneration = (tx: Tx, generation: string) =>
  tx.run("UPDATE server SET generation = ?", generation);
export const insertServer = (tx: Tx, server: Pick<ServerRow, "id" | "mode">) =>
  insertRow(tx, "server", server);
export const changeSettings = (
  tx: Tx,
  settings: Pick<ServerRow, "board_creation" | "agents_add_people">,
) =>
  tx.run(
    "UPDATE server SET board_creation = ?, agents_add_people = ?",
    settings.board_creation,
    settings.agents_add_people,
  );

/** A person of this server, or a stand-in, who is like a person that was removed. */
export const personAt = (tx: ReadTx, row: number) =>
  row < 0 ? standInAt(tx, row) : tx.get<PersonRow>("SELECT * FROM person WHERE row = ?", row);
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
/** The working keys of server admins, by the handles of their people. */
export const workingAdminKeys = (tx: ReadTx) =>
  tx.all<{ handle: string }>(
    "SELECT p.handle FROM person p JOIN access_key k ON k.person_row = p.row" +
      " WHERE p.server_role = 'admin' AND p.removed_at IS NULL" +
      " AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)",
    tx.now,
  );
export const insertPerson = (tx: Tx, person: Omit<PersonRow, "row" | "removed_at">) =>
  insertRow(tx, "person", person);

export const setServerRoleOf = (tx: Tx, row: number, role: PersonRow["server_role"]) =>
  tx.run("UPDATE person SET server_role = ? WHERE row = ?", role, row);
/** Takes a person off the server. What they wrote stays under their id. */
export const setPersonRemoved = (tx: Tx, row: number) =>
  tx.run("UPDATE person SET removed_at = ? WHERE row = ?", tx.now, row);
export const setHandle = (tx: Tx, row: number, handle: string) =>
  tx.run("UPDATE person SET handle = ? WHERE row = ?", handle, row);
/** Reserves a handle for a person, for good. */
export const reserveHandle = (tx: Tx, handle: string, personRow: number) =>
  tx.run(
    "INSERT INTO reserved_handle (handle, person_row) VALUES (?, ?) ON CONFLICT DO NOTHING",
    handle,
    personRow,
  );
/** Whether somebody other than the person `besides` has a handle, or has it reserved. */
export const handleTaken = (tx: ReadTx, handle: string, besides: number | null = null) =>
  tx.get(
    "SELECT 1 FROM person WHERE handle = ?1 AND removed_at IS NULL AND row IS NOT ?2" +
      " UNION ALL SELECT 1 FROM reserved_handle WHERE handle = ?1 AND person_row IS NOT ?2",
    handle,
    besides,
  ) !== null;

export const keyOfPerson = (tx: ReadTx, personRow: number, id: string) =>
  tx.get<KeyRow>(
    `SELECT ${keyColumns} FROM access_key WHERE person_row = ? AND id = ?`,
    personRow,
    id,
  );
export const keyAt = (tx: ReadTx, row: number) =>
  tx.get<KeyRow>(`SELECT ${keyColumns} FROM access_key WHERE row = ?`, row);
/** A key by its permanent id with its person's handle, or null. */
export const handleOfKey = (tx: ReadTx, id: string) =>
  tx.get<{ key: string; handle: string }>(
    "SELECT k.id AS key, p.handle FROM access_key k JOIN person p ON p.row = k.person_row WHERE k.id = ?",
    id,
  );
export const keysOfPerson = (tx: ReadTx, personRow: number) =>
  tx.all<KeyRow>(
    `SELECT ${keyColumns} FROM access_key WHERE person_row = ? ORDER BY row`,
    personRow,
  );
export const insertKey = (
  tx: Tx,
  key: Omit<KeyRow, "row" | "revoked_at" | "last_used_at"> & { digest: string },
) => insertRow(tx, "access_key", key);
export const revokeKeyAt = (tx: Tx, row: number) =>
  tx.run("UPDATE access_key SET revoked_at = ? WHERE row = ?", tx.now, row);
export const recordKeyUse = (tx: Tx, row: number, expiresAt: string | null) =>
  tx.run(
    "UPDATE access_key SET last_used_at = ?, expires_at = ? WHERE row = ? AND revoked_at IS NULL",
    tx.now,
    expiresAt,
    row,
  );
/** How many active seats have a token that was made with this key. */
export const seatCountOfKey = (tx: ReadTx, keyRow: number) =>
  tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM seat_token JOIN member ON member.row = member_row WHERE key_row = ? AND status = 'active'",
    keyRow,
  )?.count ?? 0;
/** How many browser sessions that were started with a key are neither ended nor expired. */
export const sessionCountOfKey = (tx: ReadTx, keyRow: number) =>
  tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM browser_session WHERE key_row = ? AND ended_at IS NULL AND expires_at > ?",
    keyRow,
    tx.now,
  )?.count ?? 0;
/** Ends every browser session of a person. */
export const endSessionsOfPerson = (tx: Tx, personRow: number) =>
  tx.run(
    "UPDATE browser_session SET ended_at = ? WHERE ended_at IS NULL AND key_row IN (SELECT row FROM access_key WHERE person_row = ?)",
    tx.now,
    personRow,
  );
