import type { Tx } from "./engine/database.ts";

/** A row by the names of its columns. Those that it leaves out get their defaults. */
type Columns<Row> = { readonly [Name in keyof Row]: string | number | null };

function into(table: string, row: object): string {
  const names = Object.keys(row);
  return `INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
}

/** Inserts a row and returns its row number. */
export const insertRow = <Row extends Columns<Row>>(tx: Tx, table: string, row: Row): number =>
  tx.insert(`INSERT ${into(table, row)}`, ...Object.values<string | number | null>(row));

/** Stores a row. It replaces a row with the same key. */
export const putRow = <Row extends Columns<Row>>(tx: Tx, table: string, row: Row): number =>
  tx.run(`INSERT OR REPLACE ${into(table, row)}`, ...Object.values<string | number | null>(row));
