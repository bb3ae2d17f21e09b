import { Database } from "bun:sqlite";
import { migrations } from "../../src/db/migrations/index.ts";

/** Copies a database into a new file as the program left it whose last migration had this number. */
export function copyAsOfSchema(schema: number, from: string, to: string): void {
  const old = new Database(to, { create: true });
  for (const { sql } of migrations.slice(0, schema)) old.run(sql);
  old.run(`PRAGMA user_version = ${schema}`);
  old.run("PRAGMA foreign_keys = OFF");
  old.query("ATTACH ? AS made").run(from);
  for (const table of tablesOf(old)) {
    const columns = old.query(`SELECT name FROM pragma_table_info('${table}')`).values().join(", ");
    old.run(`DELETE FROM ${table}`);
    old.run(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM made.${table}`);
  }
  old.run("DETACH made");
  old.close();
}

/** The names of the tables of a database, without those of the search. */
export const tablesOf = (sql: Database) =>
  sql
    .query(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_%' ORDER BY rowid",
    )
    .values()
    .map(([name]) => String(name));
