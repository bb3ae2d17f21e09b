import type { Db, ReadTx } from "../../db/engine/database.ts";
import { isCited } from "../../db/files.ts";
import { afterSeconds } from "../time.ts";
import type { ByteStore } from "./byte-store.ts";

/** Pause between two sweeps for bytes that no version cites, in seconds. */
export const byteSweepSeconds = 3600;
/** How long bytes are kept that no version cites, in seconds. */
const uncitedSeconds = 24 * 60 * 60;
/** How many digests are checked before other work gets its turn. */
const someTogether = 100;

/**
 * Removes bytes older than a day that no version of any file has, and returns how many it removed. Each is checked once
 * more inside a write transaction, and bytes that a running upload may cite stay. While a backup copies, all stay.
 */
export async function sweepBytes(db: Db, bytes: ByteStore): Promise<number> {
  const before = db.read((tx) => new Date(afterSeconds(tx.now, -uncitedSeconds)));
  const isSpare = (tx: ReadTx, digest: string) =>
    !bytes.isResting() && !bytes.isHeld(digest) && !isCited(tx, digest);
  let [seen, removed] = [0, 0];
  for (const digest of await bytes.olderThan(before)) {
    // Most digests are cited and stay. Requests that come meanwhile do not wait for all of them.
    if (++seen % someTogether === 0) await Bun.sleep(0);
    if (!db.read((tx) => isSpare(tx, digest))) continue;
    await db.write((tx) => {
      if (!isSpare(tx, digest)) return;
      bytes.remove(digest);
      removed++;
    });
  }
  return removed;
}
