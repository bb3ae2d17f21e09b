import type { Db, ReadTx } from "../../db/engine/database.ts";
import { isCited } from "../../db/files.ts";
import { afterSeconds } from "../time.ts";
import type { ByteStore } from "./byte-store.ts";

/** How often bytes that nothing cites are looked for, in seconds. */
export const byteSweepSeconds = 3600;
/** How long bytes stay that nothing cites, in seconds. */
const uncitedSeconds = 24 * 60 * 60;
/** How many are looked at before others have their turn. */
const someTogether = 100;

/**
 * Removes bytes older than a day that no version of any file has. Each is looked at again while nothing else can write,
 * and those stay that an upload is about to cite. Gives how many were removed.
 */
export async function sweepBytes(db: Db, bytes: ByteStore): Promise<number> {
  const before = db.read((tx) => new Date(afterSeconds(tx.now, -uncitedSeconds)));
  const isSpare = (tx: ReadTx, digest: string) => !bytes.isHeld(digest) && !isCited(tx, digest);
  let [seen, removed] = [0, 0];
  for (const digest of await bytes.olderThan(before)) {
    // Most are cited and stay. Whoever asks something meanwhile does not wait for all of them.
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
