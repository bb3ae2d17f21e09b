import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";

/** A prepared statement, with the table that it changes. */
export interface Prepared {
  readonly sql: Statement<unknown, SQLQueryBindings[]>;
  /** The table that it changes. Null if it changes none, or begins in a way that is not known here. */
  readonly table: string | null;
  /** Whether it only adds rows. */
  readonly inserts: boolean;
}

/** The prepared statements of a connection. */
export interface Statements {
  /** The statement for a text. Texts are constants, so each is prepared once. */
  (text: string): Prepared;
  /** Frees all statements, so that the connection can be closed. */
  finalize(): void;
}

/** Makes an empty set of statements for one connection. */
export function createStatements(connection: Database): Statements {
  const known = new Map<string, Prepared>();
  const statement = (text: string) => {
    let prepared = known.get(text);
    if (!prepared) known.set(text, (prepared = prepare(connection, text)));
    return prepared;
  };
  return Object.assign(statement, {
    finalize() {
      for (const { sql } of known.values()) sql.finalize();
      known.clear();
    },
  });
}

/**
 * Writes a plus before every parameter, which changes no value. For a bare `column = ?` in a join, and for a bare `LIMIT ?`,
 * SQLite chooses its plan by the bound value, and so prepares the statement again at each binding.
 */
function prepare(connection: Database, text: string): Prepared {
  const [, table = null] = /^(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) (\w+)/.exec(text) ?? [];
  const inserts = text.startsWith("INSERT INTO");
  return { sql: connection.prepare(text.replace(/\?\d*/g, "+$&")), table, inserts };
}
