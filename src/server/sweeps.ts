import type { Db, ReadTx, Tx } from "../db/engine/database.ts";
import { dropKeptAnswers } from "../db/kept-answers.ts";
import { lateLines, tellLate } from "../db/lines.ts";
import { dropMachineRequests } from "../db/machine-requests.ts";
import { lapsedPresences, tellLapse } from "../db/members.ts";
import { afterSeconds, keptAnswerSeconds, presenceSeconds } from "./time.ts";

/** How often lapses are looked for, in seconds: they are to be noticed within 25. */
export const sweepSeconds = 15;

/** Does what time alone brings about: tells of presences that have run out and of pauses that last too long, and drops kept answers and machines' requests that have. */
export async function sweep(db: Db): Promise<void> {
  const lapsed = (tx: ReadTx) => lapsedPresences(tx, afterSeconds(tx.now, -presenceSeconds));
  await tellOf(db, lapsed, tellLapse);
  await tellOf(db, lateLines, tellLate);
  const dropped = await db.write(
    (tx) => dropKeptAnswers(tx, afterSeconds(tx.now, -keptAnswerSeconds)) + dropMachineRequests(tx),
  );
  if (dropped > 0) await sweep(db);
}

type Due = readonly { readonly member_row: number; readonly board_row: number }[];

/** Tells once of each agent that is due. Nothing is written when none is. */
async function tellOf(
  db: Db,
  due: (tx: ReadTx) => Due,
  told: (tx: Tx, memberRow: number) => unknown,
): Promise<void> {
  if (db.read(due).length === 0) return;
  await db.write((tx) => {
    for (const { member_row: memberRow, board_row: boardRow } of due(tx)) {
      told(tx, memberRow);
      tx.signal({ about: "presence", boardRow, memberRow });
    }
  });
}
