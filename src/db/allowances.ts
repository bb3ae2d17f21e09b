import type { ReadTx, Tx } from "./engine/database.ts";
import { putRow } from "./insert-row.ts";

/** What a person lets their agents do by themselves. */
interface AllowanceRow {
  /** JSON: a list of categories. */
  categories: string;
  revision: number;
}

export const allowanceOf = (tx: ReadTx, personRow: number) =>
  tx.get<AllowanceRow>(
    "SELECT categories, revision FROM allowance WHERE person_row = ?",
    personRow,
  );
export const setAllowanceOf = (tx: Tx, personRow: number, allowance: AllowanceRow) =>
  putRow(tx, "allowance", { person_row: personRow, ...allowance });
