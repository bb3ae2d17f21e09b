import type { ReadTx } from "./engine/database.ts";

/** Which boards a list is about, and which part of it is read. */
export interface BoardWindow {
  /** The boards that a person is on, those and all open ones, or every board. */
  readonly of: "own" | "own and open" | "every";
  readonly personRow: number;
  readonly lifecycle: "active" | "archived" | "all";
  /** Only boards made after the one in this row. */
  readonly afterRow: number;
  readonly limit: number;
}

// ?1 is the person, ?2 the row that the page comes after, ?3 its limit.
/** A walk along the boards of a visibility and a lifecycle. All that it meets is on the list. */
const boardsThatAre = (visibility: string) => (lifecycle: string) =>
  `SELECT * FROM (SELECT row FROM board WHERE visibility = '${visibility}' AND lifecycle = '${lifecycle}' AND row > ?2 ORDER BY row LIMIT ?3)`;

/** A walk along a person's memberships. A board's lifecycle is looked up in the index, since its row may be long. */
const boardsOfPersonThatAre = (lifecycle: string) =>
  `SELECT * FROM (SELECT m.board_row AS row FROM member m WHERE m.human_row = ?1 AND m.board_row > ?2 AND m.status = 'active'` +
  ` AND EXISTS (SELECT 1 FROM board b INDEXED BY board_listed WHERE b.visibility IN ('open', 'private') AND b.lifecycle = '${lifecycle}' AND b.row = m.board_row) ORDER BY m.board_row LIMIT ?3)`;

const walks = {
  own: [boardsOfPersonThatAre],
  "own and open": [boardsOfPersonThatAre, boardsThatAre("open")],
  every: [boardsThatAre("open"), boardsThatAre("private")],
} as const;

/** Rows of the boards in a window, in the order in which they were made. */
export function boardRowsIn(tx: ReadTx, window: BoardWindow): number[] {
  const { of, personRow, lifecycle, afterRow, limit } = window;
  const lifecycles = lifecycle === "all" ? ["active", "archived"] : [lifecycle];
  const parts = lifecycles.flatMap((each) => walks[of].map((walk) => walk(each)));
  const text = `${parts.join(" UNION ")} ORDER BY row LIMIT ?3`;
  return tx.all<{ row: number }>(text, personRow, afterRow, limit).map(({ row }) => row);
}

/**
 * The row of a board by its id, even a deleted one. An id that no board has stands for the last board with a lesser id:
 * ids begin with the time at which a board was made. 0 if there is none.
 */
export const boardRowUpTo = (tx: ReadTx, id: string): number =>
  tx.get<{ row: number }>("SELECT row FROM board WHERE id <= ? ORDER BY id DESC LIMIT 1", id)
    ?.row ?? 0;
