import { personWithId } from "../accounts.ts";
import type { ReadTx } from "../engine/database.ts";
import { memberKeyOf } from "../members.ts";
import { standInRow } from "../stand-ins.ts";
import { taskWithId } from "../tasks.ts";

// An event names only people, members and tasks that exist, so each of these finds its row.

/** The row, kind and person of the member with an id. */
export const memberKey = (tx: ReadTx, id: string | null) => memberKeyOf(tx, id ?? "")!;

/** The row of the member with an id. */
export const memberRow = (tx: ReadTx, id: string | null): number => memberKey(tx, id).row;

/** The row of the person with an id in the log of a board: a person of this server, or a stand-in. */
export const personRow = (tx: ReadTx, boardRow: number, id: string): number =>
  standInRow(tx, boardRow, id) ?? personWithId(tx, id)!.row;

/** The row of the task with an id. */
export const taskRow = (tx: ReadTx, id: string): number => taskWithId(tx, id)!.row;
