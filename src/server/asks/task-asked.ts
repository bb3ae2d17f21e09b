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
 * The one of the caller's boards that a task is on. An id and a reference name their board by themselves; a number alone
 * is one of each board's, so it is refused where there are several.
 */
export function boardOfTask(tx: ReadTx, own: readonly OwnBoard[], asked: string): OwnBoard {
  if (/^\d/.test(asked) && own.length > 1)
    throw refuse("invalid_combination", {
      problem: `task ${asked} is a number alone, and you are on several boards: send \`board\` too, or the task's reference`,
    });
  const row = boardRowOfTask(tx, asked);
  const found = own.find(({ board }) => row === null || board.row === row);
  if (!found) throw refuse("task_unknown", { task: asked });
  return found;
}

/** The row of the board that an id or a reference names: 0 when it names none, null for a number alone. */
function boardRowOfTask(tx: ReadTx, asked: string): number | null {
  if (/^\d/.test(asked)) return null;
  if (asked.startsWith("tsk_")) return taskWithId(tx, asked)?.board_row ?? 0;
  return holderOfPrefix(tx, asked.slice(0, asked.lastIndexOf("-")).toUpperCase()) ?? 0;
}
