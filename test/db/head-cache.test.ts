import { expect, test } from "bun:test";
import fc from "fast-check";
import { boardAt } from "../../src/db/boards.ts";
import type { ReadTx, Tx } from "../../src/db/engine/database.ts";
import { system } from "../../src/server/actor.ts";
import { recordAs } from "../../src/server/record.ts";
import { startWorld } from "../support/servers/server-in-process.ts";
import { tries } from "../support/tries.ts";

const boards = [1, 2] as const;

/** The heads as the caches have them, and as the tables have them. */
const headsOf = (tx: ReadTx) =>
  boards.map((row) => {
    const { head_seq, head_hash } = boardAt(tx, row)!;
    return [head_seq, head_hash];
  });
const headsInTables = (tx: ReadTx) =>
  boards.map((row) => {
    const { seq, hash } = tx.get<{ seq: number; hash: string }>(
      "SELECT place - ?1 * 4294967296 AS seq, hash FROM event WHERE place / 4294967296 = ?1 ORDER BY place DESC LIMIT 1",
      row,
    )!;
    return [seq, hash];
  });

const append = (tx: Tx, row: number) =>
  recordAs(tx, boardAt(tx, row)!, system, "board.titled", { before: null, after: "new" });
const stop = (): never => {
  throw new Error("undone");
};

/** What a unit of work may do with the log of a board. */
const acts = {
  append,
  appendTwice: (tx: Tx, row: number) => (append(tx, row), append(tx, row)),
  fail: (tx: Tx, row: number) => (append(tx, row), stop()),
  /** Undoes what it has written, reads the head again, and then goes on as if nothing had been. */
  recover(tx: Tx, row: number) {
    try {
      tx.attempt(() => acts.fail(tx, row));
    } catch {
      headsOf(tx);
    }
  },
  loseTheLast: (tx: Tx, row: number) =>
    tx.run(
      "DELETE FROM event WHERE place / 4294967296 = ?1 AND place > ?1 * 4294967296 + 2" +
        " AND place = (SELECT max(place) FROM event WHERE place / 4294967296 = ?1)",
      row,
    ),
  look: (tx: Tx) => headsOf(tx),
} as const;

const unit = fc.record({
  board: fc.constantFrom(...boards),
  act: fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[])),
});

test("cached heads are those of the tables, whatever is appended, undone and lost in one commit", async () => {
  const commits = fc.array(fc.array(unit, { minLength: 1, maxLength: 6 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(commits, async (history) => {
      const { admin, db, stop } = await startWorld();
      for (const name of ["docs", "code"]) await admin.call("createBoard", { body: { name } });
      for (const units of history) {
        await Promise.allSettled(
          units.map(({ act, board }) =>
            db.write((tx) => {
              expect(headsOf(tx)).toEqual(headsInTables(tx));
              acts[act](tx, board);
            }),
          ),
        );
        expect(db.read(headsOf)).toEqual(db.read(headsInTables));
      }
      stop();
    }),
    tries(40),
  );
}, 60_000);

test("the log of a board goes on from its head after a commit that was undone", async () => {
  const { admin, db } = await startWorld();
  for (const name of ["docs", "code"]) await admin.call("createBoard", { body: { name } });
  const before = db.read(headsOf);
  await expect(db.write((tx) => acts.fail(tx, 1))).rejects.toThrow("undone");
  expect(db.read(headsOf)).toEqual(before);
  await db.write((tx) => append(tx, 1));
  expect(db.read(headsOf)[0]![0]).toBe((before[0]![0] as number) + 1);
});

test("a read inside of a write is refused", async () => {
  const { admin, db } = await startWorld();
  await admin.call("createBoard", { body: { name: "docs" } });
  const inside = db.write((tx) => {
    tx.run("UPDATE board SET title = ?", "changed");
    return db.read((inner) => boardAt(inner, 1));
  });
  await expect(inside).rejects.toThrow("a read inside of a transaction");
});
