import { openDatabase, type Db } from "../engine/database.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { DatabaseUnavailable } from "../engine/unavailable.ts";
import { journalMigrations } from "./migrations/index.ts";

/** Opens the daemon's journal, for this process alone. Throws `DatabaseUnavailable`. */
export function openJournal(path: string): Db {
  try {
    return openDatabase(path, { migrations: journalMigrations });
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || error.code !== "data_unusable") throw error;
    throw new DatabaseUnavailable(
      error.code,
      error.message,
      `See that the file is yours and can be written. If it is damaged, move it away: no message is in it, and each session takes its seat again with \`service resume NAME\`. \`mv ${shellWord(path)} ${shellWord(`${path}.old`)}\``,
      error,
    );
  }
}
