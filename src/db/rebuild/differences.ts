import type { Db, ReadTx } from "../engine/database.ts";
import { sha256 } from "../log/chain.ts";
import { readModels, rowsOf } from "./read-models.ts";
import { boardRowInCopy } from "./rebuild.ts";

/** A table in which a board's rows are not those that its log makes. */
export interface Difference {
  readonly boardRow: number;
  readonly table: string;
}

/**
 * Compares the read models of boards with those that `rebuild` made of their logs. Rows of boards that were not rebuilt
 * differ too, unless the board is left out. It holds a number for each table of a board, however many rows there are.
 */
export function differences(
  original: Db,
  copy: Db,
  rebuilt: readonly number[],
  leftOut: readonly number[],
): Difference[] {
  const most = Math.max(0, ...rebuilt);
  return readModels.flatMap((table) => {
    const stored = original.read((tx) => sums(tx, table));
    const made = copy.read((tx) => sums(tx, table));
    return [...new Set([...rebuilt, ...stored.keys()])]
      .filter((row) => !leftOut.includes(row))
      .filter((row) => stored.get(row) !== made.get(boardRowInCopy(row, most)))
      .map((boardRow) => ({ boardRow, table }));
  });
}

/** The rows of a table as a number for each board: the sum of their digests, which has no order. */
function sums(tx: ReadTx, table: string): Map<number, bigint> {
  const all = new Map<number, bigint>();
  for (const { boardRow, text } of rowsOf(tx, table))
    all.set(boardRow, (all.get(boardRow) ?? 0n) + BigInt(`0x${sha256(text)}`));
  return all;
}
