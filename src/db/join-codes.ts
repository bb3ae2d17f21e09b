import type { ReadTx, Tx } from "./database.ts";

export interface JoinCodeRow {
  id: string;
  board_row: number;
  role: string;
  maker_row: number;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  /** Handle of the guest it is for, as it was when the code was made; null for a pairing code. */
  guest: string | null;
  /** The guest of the server whom it brings; null while it is for somebody new. */
  guest_row: number | null;
  /** When a guest code was used up. */
  used_at: string | null;
}

export const joinCodeWithId = (tx: ReadTx, boardRow: number, id: string) =>
  tx.get<JoinCodeRow>("SELECT * FROM join_code WHERE board_row = ? AND id = ?", boardRow, id);
export const joinCodeWithDigest = (tx: ReadTx, digest: string) =>
  tx.get<JoinCodeRow>(
    "SELECT join_code.* FROM join_code_digest JOIN join_code ON join_code.id = join_code_id WHERE digest = ?",
    digest,
  );
/** Codes of a maker that still work, oldest first. */
export const workingCodesOf = (tx: ReadTx, makerRow: number) =>
  tx.all<JoinCodeRow>(
    "SELECT * FROM join_code WHERE maker_row = ? AND revoked_at IS NULL AND used_at IS NULL AND expires_at > ? ORDER BY created_at, id",
    makerRow,
    tx.now,
  );
/** Codes of a board that still work, oldest first. */
export const workingCodesOfBoard = (tx: ReadTx, boardRow: number) =>
  tx.all<JoinCodeRow>(
    "SELECT * FROM join_code WHERE board_row = ? AND revoked_at IS NULL AND used_at IS NULL AND expires_at > ? ORDER BY created_at, id",
    boardRow,
    tx.now,
  );
export const insertJoinCode = (tx: Tx, code: Omit<JoinCodeRow, "revoked_at" | "used_at">) =>
  tx.run(
    "INSERT INTO join_code (id, board_row, role, maker_row, created_at, expires_at, guest, guest_row) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    code.id,
    code.board_row,
    code.role,
    code.maker_row,
    code.created_at,
    code.expires_at,
    code.guest,
    code.guest_row,
  );
/** Keeps the digest by which a code is found. It is no part of the log. */
export const insertJoinCodeDigest = (tx: Tx, id: string, digest: string) =>
  tx.run("INSERT INTO join_code_digest (digest, join_code_id) VALUES (?, ?)", digest, id);
/** A guest code works once; a pairing code stays as it is. */
export const useUpJoinCode = (tx: Tx, id: string, at: string) =>
  tx.run("UPDATE join_code SET used_at = ? WHERE id = ? AND guest IS NOT NULL", at, id);
export const setJoinCodeRevoked = (tx: Tx, id: string, at: string) =>
  tx.run("UPDATE join_code SET revoked_at = ? WHERE id = ?", at, id);
