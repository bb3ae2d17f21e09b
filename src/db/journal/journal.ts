import { openDatabase, type Db } from "../engine/database.ts";
import { journalMigrations } from "./migrations/index.ts";

/** Opens the daemon's journal, for this process alone. Throws `DatabaseUnavailable`. */
export const openJournal = (path: string): Db =>
  openDatabase(path, { migrations: journalMigrations });
