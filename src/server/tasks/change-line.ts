import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import { dropLine, lineOf, putLine, type LineRow } from "../../db/agent-lines.ts";

/** Sets or replaces an agent's status line as of now. */
export function changeLine(tx: Tx, board: BoardRow, change: Omit<LineRow, "set_at">): void {
  const line: LineRow = { ...change, set_at: tx.now };
  const before = lineOf(tx, line.member_row);
  putLine(tx, line);
  // The same line again only renews it, so no signal is needed.
  if (!before || !Bun.deepEquals({ ...before, set_at: tx.now }, line))
    tellOf(tx, board, line.member_row);
}

/** Removes an agent's status line if it has one. */
export function takeLine(tx: Tx, board: BoardRow, memberRow: number): void {
  if (dropLine(tx, memberRow) > 0) tellOf(tx, board, memberRow);
}

const tellOf = (tx: Tx, board: BoardRow, memberRow: number) =>
  tx.signal({ about: "presence", boardRow: board.row, memberRow });
