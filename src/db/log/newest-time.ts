import type { ReadTx } from "../engine/database.ts";

/** The time of the newest event of all boards; null where there is none. Only the last event of each board is read. */
export const newestTime = (tx: ReadTx): string | null =>
  tx.get<{ at: string | null }>(
    "SELECT max(e.at) AS at FROM board b JOIN event e ON e.place =" +
      " (SELECT max(place) FROM event WHERE place > b.row * 4294967296 AND place < (b.row + 1) * 4294967296)",
  )?.at ?? null;
