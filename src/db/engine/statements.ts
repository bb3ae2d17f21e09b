import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";

/** The prepared statements of a connection. */
export interface Statements {
  /** The statement of a text. Texts are constants: each is prepared once. */
  (text: string): Statement<unknown, SQLQueryBindings[]>;
  /** Lets all of them go, so that the connection can be closed. */
  finalize(): void;
}

/**
 * Makes the statements of one connection. Every parameter is written behind a plus, which changes no value: SQLite looks
 * at a value bound to a bare `column = ?` in a join, or to a bare `LIMIT ?`, to choose its plan, and so prepares the
 * statement anew at each binding.
 */
export function createStatements(sql: Database): Statements {
  const prepared = new Map<string, ReturnType<Statements>>();
  const statement = (text: string) => {
    let known = prepared.get(text);
    if (!known) prepared.set(text, (known = sql.prepare(text.replace(/\?\d*/g, "+$&"))));
    return known;
  };
  return Object.assign(statement, {
    finalize() {
      for (const each of prepared.values()) each.finalize();
      prepared.clear();
    },
  });
}
