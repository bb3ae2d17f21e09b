import type { Db, ReadTx } from "../db/database.ts";
import { dropKeptAnswers } from "../db/kept-answers.ts";
import { dropMachineRequests } from "../db/machine-requests.ts";
import { lapsedPresences, tellLapse } from "../db/members.ts";
import { afterSeconds, keptAnswerSeconds, presenceSeconds } from "./time.ts";

/** How often lapses are looked for, in seconds: they are to be noticed within 25. */
export const sweepSeconds = 15;

/** Does what time alone brings about: tells of presences that have run out, and drops kept answers and machines' requests that have. */
export async function sweep(db: Db): Promise<void> {
  const lapsed = (tx: ReadTx) => lapsedPresences(tx, afterSeconds(tx.now, -presenceSeconds));
  if (db.read(lapsed).length > 0)
    await db.write((tx) => {
      for (const { member_row: memberRow, board_row: boardRow } of lapsed(tx)) {
        tellLapse(tx, memberRow);
        tx.signal({ about: "presence", boardRow, memberRow });
      }
    });
  const dropped = await db.write(
    (tx) => dropKeptAnswers(tx, afterSeconds(tx.now, -keptAnswerSeconds)) + dropMachineRequests(tx),
  );
  if (dropped > 0) await sweep(db);
}
