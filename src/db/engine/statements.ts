import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";

/** A statement, with what the engine has to know of it. Its text is looked at once. */
export interface Prepared {
  readonly sql: Statement<unknown, SQLQueryBindings[]>;
  /** The table that it changes; null when it changes none, or begins in no way that is known here. */
  readonly table: string | null;
}

/** The prepared statements of a connection. */
export interface Statements {
  /** The statement of a text. Texts are constants: each is prepared once. */
  (text: string): Prepared;
  /** Lets all of them go, so that the connection can be closed. */
  finalize(): void;
}

/** Makes the statements of one connection. */
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
 * Every parameter is written behind a plus, which changes no value: SQLite looks at a value bound to a bare `column = ?`
 * in a join, or to a bare `LIMIT ?`, to choose its plan, and so prepares the statement anew at each binding.
 */
function prepare(connection: Database, text: string): Prepared {
  const [, table = null] = /^(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) (\w+)/.exec(text) ?? [];
  return { sql: connection.prepare(text.replace(/\?\d*/g, "+$&")), table };
}
