import type { Db, ReadTx, Tx } from "../db/engine/database.ts";
import { dropKeptAnswers } from "../db/kept-answers.ts";
import { lateLines, tellLate } from "../db/agent-lines.ts";
import { dropMachineRequests } from "../db/machine-requests.ts";
import { memberAt } from "../db/members.ts";
import { lapsedPresences, presenceOf, tellLapse } from "../db/presences.ts";
import { isUnreported, presenceNow } from "./presence.ts";
import { afterSeconds, heldInboxSeconds, keptAnswerSeconds, presenceSeconds } from "./time.ts";

/** Pause between two sweeps, in seconds. A lapse must be noticed within 25 seconds. */
export const sweepSeconds = 15;

/**
 * Does the work that is due by time alone: reports agents whose presence has lapsed, whose pause is too long or whose wait
 * for messages ended a minute ago, and deletes kept answers and machine requests that have ended.
 */
export async function sweep(db: Db): Promise<void> {
  const lapsed = (tx: ReadTx) => lapsedPresences(tx, afterSeconds(tx.now, -presenceSeconds));
  // An agent that waits for messages is idle, whatever has run out.
  await tellOf(db, lapsed, tellLapse, (tx, row) => presenceNow(tx, row).presence === "no_session");
  await tellOf(db, lateLines, tellLate);
  await tellOfEndedWaits(db);
  const dropped = await db.write(
    (tx) => dropKeptAnswers(tx, afterSeconds(tx.now, -keptAnswerSeconds)) + dropMachineRequests(tx),
  );
  if (dropped > 0) await sweep(db);
}

type Due = readonly { readonly member_row: number; readonly board_row: number }[];

/** Reports each due agent once, if there is anything to show. Writes nothing if no agent is due. */
async function tellOf(
  db: Db,
  due: (tx: ReadTx) => Due,
  told: (tx: Tx, memberRow: number) => unknown,
  isShown: (tx: ReadTx, memberRow: number) => boolean = () => true,
): Promise<void> {
  if (db.read(due).length === 0) return;
  await db.write((tx) => {
    for (const { member_row: memberRow, board_row: boardRow } of due(tx)) {
      told(tx, memberRow);
      if (isShown(tx, memberRow)) tx.signal({ about: "presence", boardRow, memberRow });
    }
  });
}

/** Reports agents who no longer count as waiting for messages, unless they have reported a presence since. */
async function tellOfEndedWaits(db: Db): Promise<void> {
  const due = db.read((tx) =>
    db.heldInboxes
      .forget(afterSeconds(tx.now, -heldInboxSeconds))
      .filter(({ memberRow, last }) => isUnreported(last, presenceOf(tx, memberRow)))
      .filter(({ memberRow }) => presenceNow(tx, memberRow).presence !== "idle")
      .map(({ memberRow }) => memberAt(tx, memberRow)!)
      .filter(({ status }) => status === "active"),
  );
  if (due.length === 0) return;
  await db.write((tx) => {
    for (const { row: memberRow, board_row: boardRow } of due)
      tx.signal({ about: "presence", boardRow, memberRow });
  });
}
