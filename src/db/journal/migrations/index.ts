import journal from "./0001_journal.sql" with { type: "text" };

/** The schema of the daemon's journal, in the order in which its steps run. One that has shipped never changes. */
export const journalMigrations: readonly { name: string; sql: string }[] = [
  { name: "0001_journal", sql: journal },
];
