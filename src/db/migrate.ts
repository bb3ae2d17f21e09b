import type { Database as Sqlite } from "bun:sqlite";
import { DatabaseUnavailable } from "./unavailable.ts";
import { migrations } from "./migrations/index.ts";

/** Brings a database up to this program's schema, one transaction for each step. Existing data is copied beside the file first. */
export function migrate(sql: Sqlite, path: string): void {
  const { user_version: done } = sql.query("PRAGMA user_version").get() as { user_version: number };
  if (done > migrations.length)
    throw new DatabaseUnavailable(
      "data_newer",
      `The database ${path} was written by a newer version of this program (schema ${done}, this one knows ${migrations.length}).`,
      "Start it with that version or a later one; a database never goes back.",
    );
  if (done > 0 && done < migrations.length && path !== ":memory:")
    copyBeside(sql, `${path}.before-schema-${done + 1}`);
  // A table that is made anew is dropped first: until all steps are done its references lead nowhere.
  sql.run("PRAGMA foreign_keys = OFF");
  for (const [index, { sql: text }] of migrations.entries()) {
    if (index < done) continue;
    sql
      .transaction(() => {
        sql.run(text);
        if (sql.query("PRAGMA foreign_key_check").get())
          throw new Error(`schema ${index + 1} leaves references that lead nowhere`);
        sql.run(`PRAGMA user_version = ${index + 1}`);
      })
      .immediate();
  }
  sql.run("PRAGMA foreign_keys = ON");
}

/** Copies the database to a file. One that is there already, of an attempt that was cut short, stays: then to the next name that is free. */
function copyBeside(sql: Sqlite, path: string): void {
  for (let number = 1; ; number++)
    try {
      sql.query("VACUUM INTO ?").run(number === 1 ? path : `${path}-${number}`);
      return;
    } catch (error) {
      const { message } = error as Error;
      if (!/already exists|not a database/.test(message)) throw error;
    }
}
