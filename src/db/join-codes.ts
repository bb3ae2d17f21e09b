import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

export interface JoinCodeRow {
  id: string;
  board_row: number;
  role: string;
  maker_row: number;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  /** Handle of its guest at the time the code was made; null for a pairing code. */
  guest: string | null;
  /** Row of the existing guest whom it brings; null while it is for somebody new. */
  guest_row: number | null;
  /** When a guest code was used up. */
  used_at: string | null;
  /** How many agents joined with it. */
  uses: number;
}

export const joinCodeWithId = (tx: ReadTx, boardRow: number, id: string) =>
  tx.get<JoinCodeRow>("SELECT * FROM join_code WHERE board_row = ? AND id = ?", boardRow, id);
export const joinCodeWithDigest = (tx: ReadTx, digest: string) =>
  tx.get<JoinCodeRow>(
    "SELECT join_code.* FROM join_code_digest JOIN join_code ON join_code.id = join_code_id WHERE digest = ?",
    digest,
  );
/** Codes made by a member that still work, oldest first. */
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
/** Whose codes are listed: everybody's, those of a person and their agents, or those of one member. */
export type CodeMaker = "anybody" | { readonly personRow: number } | { readonly memberRow: number };

/** The codes of a board by their maker, oldest first: those that still work, or with `ended` all. */
export function codesOfBoard(tx: ReadTx, boardRow: number, by: CodeMaker, ended: boolean) {
  const [person, member] =
    by === "anybody"
      ? [null, null]
      : "personRow" in by
        ? [by.personRow, null]
        : [null, by.memberRow];
  return tx.all<JoinCodeRow>(
    "SELECT c.* FROM join_code c JOIN member m ON m.row = c.maker_row WHERE c.board_row = ?1" +
      " AND (?2 IS NULL OR m.person_row = ?2) AND (?3 IS NULL OR c.maker_row = ?3)" +
      " AND (?4 OR (c.revoked_at IS NULL AND c.used_at IS NULL AND c.expires_at > ?5)) ORDER BY c.rowid",
    boardRow,
    person,
    member,
    ended ? 1 : 0,
    tx.now,
  );
}
export const insertJoinCode = (
  tx: Tx,
  code: Omit<JoinCodeRow, "revoked_at" | "used_at" | "uses">,
) => insertRow(tx, "join_code", code);
/** Stores the digest by which a code is found. It is not in the log. */
export const insertJoinCodeDigest = (tx: Tx, id: string, digest: string) =>
  insertRow(tx, "join_code_digest", { digest, join_code_id: id });
/** Counts a join with a code. It uses up a guest code. */
export const countJoinCodeUse = (tx: Tx, id: string, at: string) =>
  tx.run(
    "UPDATE join_code SET uses = uses + 1, used_at = CASE WHEN guest IS NULL THEN NULL ELSE ? END WHERE id = ?",
    at,
    id,
  );
export const setJoinCodeRevoked = (tx: Tx, id: string, at: string) =>
  tx.run("UPDATE join_code SET revoked_at = ? WHERE id = ?", at, id);
/** Whether any board has a code with an id. */
export const isJoinCode = (tx: ReadTx, id: string): boolean =>
  tx.get("SELECT 1 FROM join_code WHERE id = ?", id) !== null;
