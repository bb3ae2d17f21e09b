import type { ReadTx, Tx } from "./engine/database.ts";
import type { MemberAndHandle } from "./members.ts";
import { insertRow } from "./insert-row.ts";

export const insertDelegation = (
  tx: Tx,
  delegation: { id: string; digest: string; key_row: number; name: string; created_at: string },
) => insertRow(tx, "delegation", delegation);
/** Ends a key's delegation of a name, if it has one. */
export const endDelegationNamed = (tx: Tx, keyRow: number, name: string) =>
  tx.run(
    "UPDATE delegation SET ended_at = ? WHERE key_row = ? AND name = ? AND ended_at IS NULL",
    tx.now,
    keyRow,
    name,
  );
/** How many delegations of a key were not replaced by another with the same name. */
export const delegationsOfKey = (tx: ReadTx, keyRow: number) =>
  tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM delegation WHERE key_row = ? AND ended_at IS NULL",
    keyRow,
  )?.count ?? 0;

/** The newest seat of a person's session on a board, ended or not. */
export const newestSeatOfSession = (
  tx: ReadTx,
  boardRow: number,
  personRow: number,
  session: string,
) =>
  tx.get<MemberAndHandle>(
    "SELECT m.*, p.handle, NULL AS origin FROM seat_token t JOIN member m ON m.row = t.member_row JOIN person p ON p.row = m.person_row WHERE t.session = ? AND m.board_row = ? AND m.person_row = ? ORDER BY m.joined_seq DESC LIMIT 1",
    session,
    boardRow,
    personRow,
  );
/** Replaces the token of a seat with one made with this key. */
export const replaceSeatToken = (tx: Tx, memberRow: number, digest: string, keyRow: number) =>
  tx.run(
    "UPDATE seat_token SET digest = ?, key_row = ? WHERE member_row = ?",
    digest,
    keyRow,
    memberRow,
  );
/** How many people and agents are on a board. */
export const headcountOf = (tx: ReadTx, boardRow: number) =>
  tx.get<{ people: number; agents: number }>(
    "SELECT count(*) FILTER (WHERE kind = 'human') AS people, count(*) FILTER (WHERE kind = 'agent') AS agents FROM member WHERE board_row = ? AND status = 'active'",
    boardRow,
  )!;
