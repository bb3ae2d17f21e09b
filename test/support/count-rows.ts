import type { ReadTx } from "../../src/db/engine/database.ts";

/** Number of rows that a query of one count gives. */
export const count = (tx: ReadTx, sql: string) => tx.get<{ n: number }>(sql)!.n;
