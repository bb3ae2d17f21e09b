import type { SQLQueryBindings } from "bun:sqlite";
import type { ManagedHeadCache } from "./head-cache.ts";
import type { ManagedRowCaches } from "./row-cache.ts";
import type { Signal } from "./signals.ts";
import type { Statements } from "./statements.ts";
import type { ReadTx, Tx } from "./transaction.ts";

/** What became of a unit of work. */
export type Outcome =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly signals: Signal[];
      readonly undos: (() => void)[];
    }
  /** Spoiled: its changes are still there, and only a rollback of the whole transaction removes them. */
  | { readonly ok: false; readonly error: unknown; readonly spoiled: boolean };

/** Runs one unit of work. With `separately`, its first change opens a savepoint for it. */
export function runUnit(
  statement: Statements,
  { rowCaches, heads }: { rowCaches: ManagedRowCaches; heads: ManagedHeadCache },
  reader: ReadTx,
  work: (tx: Tx) => unknown,
  separately: boolean,
): Outcome {
  let signals: Signal[] = [];
  let undos: (() => void)[] = [];
  let changed = false;
  let spoiled = false;
  const change = (text: string, values: SQLQueryBindings[]) => {
    if (!changed && separately) statement("SAVEPOINT unit").sql.run();
    changed = true;
    const changing = statement(text);
    rowCaches.beforeChange(changing);
    heads.beforeChange(changing);
    return changing.sql.run(...values);
  };
  const undo = () => {
    signals = [];
    for (const takeBack of undos.reverse()) takeBack();
    undos = [];
    if (!changed) return;
    heads.clear();
    if (!separately) {
      spoiled = true;
      return;
    }
    statement("ROLLBACK TO unit").sql.run();
    statement("RELEASE unit").sql.run();
    changed = false;
  };
  const tx: Tx = {
    ...reader,
    run: (text, ...values) => change(text, values).changes,
    insert: (text, ...values) => Number(change(text, values).lastInsertRowid),
    signal: (signal) => void signals.push(signal),
    onUndo: (takeBack) => void undos.push(takeBack),
    attempt(part) {
      try {
        return part();
      } catch (error) {
        undo();
        throw error;
      }
    },
  };
  try {
    const value = work(tx);
    if (value instanceof Promise)
      throw new TypeError("A unit of work must not be async: it would commit before it ends.");
    if (changed && separately) statement("RELEASE unit").sql.run();
    if (!spoiled) return { ok: true, value, signals, undos };
    undo();
    return { ok: false, error: undefined, spoiled };
  } catch (error) {
    undo();
    return { ok: false, error, spoiled };
  }
}
