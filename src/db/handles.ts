import type { ReadTx } from "./database.ts";

/** Whether a handle was touched by a rename: it is one person's for good, also while they do not have it. */
export const isReserved = (tx: ReadTx, handle: string): boolean =>
  tx.get("SELECT 1 FROM reserved_handle WHERE handle = ?", handle) !== null;
