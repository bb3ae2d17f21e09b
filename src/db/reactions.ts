import type { ReadTx, Tx } from "./database.ts";

/** One member's reaction to a message. */
export interface ReactionRow {
  place: number;
  name: string;
  member_row: number;
  member_name: string;
}

/** Reactions to the messages from one place to another, earliest first. */
export const reactionsBetween = (tx: ReadTx, first: number, last: number) =>
  tx.all<ReactionRow>(
    "SELECT reaction.place, reaction.name, member_row, member.name AS member_name FROM reaction JOIN member ON member.row = member_row WHERE place >= ? AND place <= ? ORDER BY seq",
    first,
    last,
  );
export const hasReacted = (tx: ReadTx, place: number, name: string, memberRow: number) =>
  tx.get(
    "SELECT 1 FROM reaction WHERE place = ? AND name = ? AND member_row = ?",
    place,
    name,
    memberRow,
  ) !== null;
export const insertReaction = (
  tx: Tx,
  place: number,
  name: string,
  memberRow: number,
  seq: number,
) =>
  tx.run(
    "INSERT INTO reaction (place, name, member_row, seq) VALUES (?, ?, ?, ?)",
    place,
    name,
    memberRow,
    seq,
  );
export const deleteReaction = (tx: Tx, place: number, name: string, memberRow: number) =>
  tx.run(
    "DELETE FROM reaction WHERE place = ? AND name = ? AND member_row = ?",
    place,
    name,
    memberRow,
  );
