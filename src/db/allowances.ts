import type { ReadTx, Tx } from "./engine/database.ts";

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
export const setAllowanceOf = (tx: Tx, personRow: number, { categories, revision }: AllowanceRow) =>
  tx.run(
    "INSERT INTO allowance (person_row, categories, revision) VALUES (?, ?, ?) ON CONFLICT (person_row) DO UPDATE SET categories = excluded.categories, revision = excluded.revision",
    personRow,
    categories,
    revision,
  );
