import { refuse } from "../../contract/refusal.ts";
import { holderOfPrefix, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { taskWithId } from "../../db/tasks.ts";

/** A board that the caller is on. */
export interface OwnBoard {
  readonly board: BoardRow;
  readonly me: MemberRow;
}

/**
 * Finds which of the caller's boards a task is on. An id and a reference name their board. A bare number exists on every
 * board, so it is refused if the caller is on several.
 */
export function boardOfTask(tx: ReadTx, own: readonly OwnBoard[], asked: string): OwnBoard {
  if (/^\d/.test(asked) && own.length > 1)
    throw refuse("invalid_combination", {
      problem: `task ${asked} is only a number, and you are on several boards: send \`board\` too, or the task's reference`,
    });
  const row = boardRowOfTask(tx, asked);
  const found = own.find(({ board }) => row === null || board.row === row);
  if (!found) throw refuse("task_unknown", { task: asked });
  return found;
}

/** The row of the board that an id or a reference names: 0 if it names none, null for a bare number. */
function boardRowOfTask(tx: ReadTx, asked: string): number | null {
  if (/^\d/.test(asked)) return null;
  if (asked.startsWith("tsk_")) return taskWithId(tx, asked)?.board_row ?? 0;
  return holderOfPrefix(tx, asked.slice(0, asked.lastIndexOf("-")).toUpperCase()) ?? 0;
}
