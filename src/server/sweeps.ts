import type { Db } from "../db/database.ts";
import { dropKeptAnswers } from "../db/kept-answers.ts";
import { lapsedPresences, tellLapse } from "../db/members.ts";
import { afterSeconds, keptAnswerSeconds, presenceSeconds } from "./time.ts";

/** How often lapses are looked for, in seconds: they are to be noticed within 25. */
export const sweepSeconds = 15;

/** Does what time alone brings about: tells of presences that have run out, and drops kept answers that have. */
export async function sweep(db: Db): Promise<void> {
  const lapsed = db.read((tx) => lapsedPresences(tx, afterSeconds(tx.now, -presenceSeconds)));
  if (lapsed.length > 0)
    await db.write((tx) => {
      for (const { member_row: memberRow, board_row: boardRow } of lapsed) {
        tellLapse(tx, memberRow);
        tx.signal({ about: "presence", boardRow, memberRow });
      }
    });
  const dropped = await db.write((tx) =>
    dropKeptAnswers(tx, afterSeconds(tx.now, -keptAnswerSeconds)),
  );
  if (dropped > 0) await sweep(db);
}
