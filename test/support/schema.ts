/** `bun test/support/schema.ts --write` writes what the migrations add up to into `src/db/schema.sql`. */
import { join } from "node:path";
import { openDatabase } from "../../src/db/engine/database.ts";

export const schemaFile = join(import.meta.dir, "../../src/db/schema.sql");

/** The statements of a database that every migration has run on. */
export function schemaText(): string {
  const db = openDatabase(":memory:");
  const statements = db.read((tx) =>
    tx.all<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"),
  );
  db.close();
  return `-- What the migrations add up to, written by a program. Change the schema by adding a migration.\n\n${statements
    .map(({ sql }) => `${sql};\n`)
    .join("\n")}`;
}

if (import.meta.main && process.argv.includes("--write")) await Bun.write(schemaFile, schemaText());
