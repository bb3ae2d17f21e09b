import { refuse } from "../../contract/refusal.ts";
import { holderOfPrefix } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";

const longest = 6;

/** The prefix that a board gets with its first task: the first three letters of its name, with a number if another board has or had them. */
export function prefixFor(tx: ReadTx, boardName: string): string {
  const letters = boardName.toUpperCase().replace(/[^A-Z]/g, "");
  const base = letters.slice(0, 3).padEnd(2, "X");
  for (let n = 1; ; n++) {
    const prefix = n === 1 ? base : `${base}${n}`;
    if (prefix.length > longest) throw refuse("task_prefix_taken", { prefix: base });
    if (holderOfPrefix(tx, prefix) === null) return prefix;
  }
}
