import { revokeCodes } from "../boards/revoke-codes.ts";
import { saveGeneration, serverAdmins } from "../../db/accounts.ts";
import { boardAt } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import { workingCodesOfBoard } from "../../db/join-codes.ts";
import {
  boardRows,
  countsForReceipt,
  endEveryKey,
  endWhatARestoreEnds,
  insertRestore,
  type RestoreRow,
} from "../../db/restores.ts";
import { system } from "../actor.ts";
import { newId } from "../ids.ts";
import { makeKey } from "../people/create-person.ts";
import { freeKeyName } from "../people/keys.ts";
import { recordAs } from "../record.ts";
import { StartRefused } from "../start-refused.ts";
import { idleKeySeconds } from "../time.ts";

/** What a restored database becomes. */
export interface Rebirth {
  readonly mode: "local" | "team";
  /** The name of the backup, and when it was taken. */
  readonly backup: string;
  readonly takenAt: string;
  readonly keys: "keep" | "revoke";
  /** Digest of the new key of the first admin; null if none is made. */
  readonly keyDigest: string | null;
}

/**
 * Makes a restored database a server again, in one transaction: a new generation, which the log of every board names, and
 * an end of what must not come back to life. Gives the receipt.
 */
export function rebirth(tx: Tx, { mode, backup, takenAt, keys, keyDigest }: Rebirth): RestoreRow {
  const generation = newId(tx, "gen");
  const counts = countsForReceipt(tx);
  saveGeneration(tx, generation);
  endWhatARestoreEnds(tx);
  if (keys === "revoke") endEveryKey(tx);
  for (const row of boardRows(tx)) {
    const board = boardAt(tx, row)!;
    // First, where the log was put back: a head that was lost explains itself only by an event that is not later than it.
    recordAs(tx, board, system, "board.rolled_back", { generation, backup, at: takenAt });
    revokeCodes(tx, board, system, workingCodesOfBoard(tx, row));
  }
  if (keyDigest !== null) makeAdminKey(tx, mode, keyDigest);
  const receipt = { backup, taken_at: takenAt, restored_at: tx.now, generation, keys, ...counts };
  insertRestore(tx, receipt);
  return receipt;
}

function makeAdminKey(tx: Tx, mode: "local" | "team", digest: string): void {
  const [person] = serverAdmins(tx);
  if (!person)
    throw new StartRefused(
      "server_admin_required",
      "The backup has no active admin who could get the new key.",
      "Restore it with `--keys keep`.",
    );
  makeKey(tx, person, {
    name: freeKeyName(tx, person, "restored"),
    digest,
    seconds: mode === "local" ? null : idleKeySeconds,
    idle: true,
  });
}
