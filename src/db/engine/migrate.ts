import type { Database as Sqlite } from "bun:sqlite";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { makePrivateFolder, moveIntoPlace, type Disk } from "../../client/files/private-file.ts";
import { DatabaseUnavailable } from "./unavailable.ts";
import { migrations } from "../migrations/index.ts";

/** One step of a schema. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** How many copies from before upgrades stay on disk. */
const keptCopies = 3;

/** Brings a database to this program's schema in one transaction. Before anything changes, existing data is copied to `backups` beside it and synced. Throws `DatabaseUnavailable` if a newer program wrote it. */
export function migrate(
  sql: Sqlite,
  path: string,
  disk: Disk = fs,
  steps: readonly Migration[] = migrations,
): void {
  const { user_version: done } = sql.query("PRAGMA user_version").get() as { user_version: number };
  if (done > steps.length)
    throw new DatabaseUnavailable(
      "data_newer",
      `The database ${path} was written by a newer version of this program (schema ${done}, this one knows ${steps.length}).`,
      `Start it with that version or a later one; a database never goes back.${olderCopies(path)}`,
    );
  if (done === steps.length) return void sql.run("PRAGMA foreign_keys = ON");
  if (done > 0 && path !== ":memory:") backUp(sql, path, done, disk);
  // A step that rebuilds a table drops it first, so references to it are broken until all steps are done.
  sql.run("PRAGMA foreign_keys = OFF");
  sql
    .transaction(() => {
      for (const { sql: text } of steps.slice(done)) sql.run(text);
      if (sql.query("PRAGMA foreign_key_check").get())
        throw new Error("the new schema leaves references that lead nowhere");
      sql.run(`PRAGMA user_version = ${steps.length}`);
    })
    .immediate();
  sql.run("PRAGMA foreign_keys = ON");
}

const copyName = /^[\dTZ-]+-schema-\d+\.db$/;
const copiesFolder = (path: string): string => join(dirname(path), "backups");

/** Where the copies from before upgrades are, for a person who has to go back: what came after them is not in them. */
function olderCopies(path: string): string {
  const folder = copiesFolder(path);
  const copies = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter((name) => copyName.test(name))
    : [];
  const newest = copies.sort().at(-1);
  if (newest === undefined) return "";
  return ` The newest copy from before an upgrade is ${join(folder, newest)}; it lacks what was stored since.`;
}

/** Copies the database to a file named by time and schema, and deletes all but the newest copies. An unfinished copy has another name and does not count. */
function backUp(sql: Sqlite, path: string, schema: number, disk: Disk): void {
  const folder = copiesFolder(path);
  makePrivateFolder(folder, disk);
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  const copy = join(folder, `${time}-schema-${schema}.db`);
  sql.query("VACUUM INTO ?").run(`${copy}.part`);
  moveIntoPlace(`${copy}.part`, copy, disk);
  const copies = fs.readdirSync(folder).filter((name) => copyName.test(name));
  for (const old of copies.sort().slice(0, -keptCopies)) fs.rmSync(join(folder, old));
}
