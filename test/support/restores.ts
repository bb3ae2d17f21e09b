import { join } from "node:path";
import { saveGeneration } from "../../src/db/accounts.ts";
import { boardAt } from "../../src/db/boards.ts";
import { openDatabase, type Db, type Tx } from "../../src/db/engine/database.ts";
import { system } from "../../src/server/actor.ts";
import { newId } from "../../src/server/ids.ts";
import { recordAs } from "../../src/server/record.ts";

/** Writes the event of a restore into the log of every board, as the last event. */
export function recordRollback(tx: Tx, generation: string): void {
  for (const { row } of tx.all<{ row: number }>("SELECT row FROM board ORDER BY row")) {
    const board = boardAt(tx, row);
    const data = { generation, backup: "nightly", at: tx.now };
    if (board) recordAs(tx, board, system, "board.rolled_back", data);
  }
}

/**
 * Writes into a database what a restore from a backup leaves there: a new generation, which it gives, and an event of it in
 * the log of every board. With `eventless` no board has the event, as after a rewrite that only claims to be a restore.
 */
export const markRestored = (db: Db, { eventless = false } = {}): Promise<string> =>
  db.write((tx) => {
    const generation = newId(tx, "gen");
    saveGeneration(tx, generation);
    if (!eventless) recordRollback(tx, generation);
    return generation;
  });

/** `markRestored` in the data folder of a server that is down. */
export async function markFolderRestored(data: string, how = {}): Promise<string> {
  const db = openDatabase(join(data, "service.db"));
  try {
    return await markRestored(db, how);
  } finally {
    db.close();
  }
}
