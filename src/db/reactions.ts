import type { ReadTx, Tx } from "./engine/database.ts";
import { insertRow } from "./insert-row.ts";

/** One member's reaction to a message. */
export interface ReactionRow {
  place: number;
  name: string;
  member_row: number;
  member_name: string;
}

/** Reactions to the messages at some places, earliest first. */
export function reactionsTo(tx: ReadTx, places: readonly number[]): ReactionRow[] {
  // Most pages have no reactions, which one look tells. The range of a filtered page can span the reactions of a whole
  // board, so only this page's places are read after that.
  const some =
    places.length > 0 &&
    tx.get(
      "SELECT 1 FROM reaction WHERE place >= ? AND place <= ? LIMIT 1",
      Math.min(...places),
      Math.max(...places),
    );
  if (!some) return [];
  return tx.all<ReactionRow>(
    "SELECT reaction.place, reaction.name, member_row, member.name AS member_name FROM reaction JOIN member ON member.row = member_row WHERE place IN (SELECT value FROM json_each(?)) ORDER BY seq",
    JSON.stringify(places),
  );
}
export const hasReacted = (tx: ReadTx, place: number, name: string, memberRow: number) =>
  tx.get(
    "SELECT 1 FROM reaction WHERE place = ? AND name = ? AND member_row = ?",
    place,
    name,
    memberRow,
  ) !== null;
export const insertReaction = (
  tx: Tx,
  reaction: { place: number; name: string; member_row: number; seq: number },
) => insertRow(tx, "reaction", reaction);
export const deleteReaction = (tx: Tx, place: number, name: string, memberRow: number) =>
  tx.run(
    "DELETE FROM reaction WHERE place = ? AND name = ? AND member_row = ?",
    place,
    name,
    memberRow,
  );
