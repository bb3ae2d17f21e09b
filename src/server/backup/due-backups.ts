import type { Db } from "../../db/engine/database.ts";
import type { Backups } from "../handler.ts";
import type { BackupSettings } from "./server-backups.ts";

/** Pause between two looks whether a backup is due, in seconds. */
export const backupLookSeconds = 60;
/** After a failure the next one is tried this much later at the latest, in seconds. */
const retrySeconds = 3600;

/** Begins a backup if the server makes them by itself and the newest is old enough. Also after a restart. */
export async function startDueBackup(
  db: Db,
  backups: Backups,
  { everySeconds }: BackupSettings,
): Promise<void> {
  if (everySeconds === undefined) return;
  await db.write((tx) => {
    const all = backups.list();
    if (all.some(({ state }) => state === "running")) return;
    // What is of the future is of a clock that was wrong, and says nothing about now.
    const age = (at: string | null | undefined) =>
      at && at <= tx.now ? (Date.parse(tx.now) - Date.parse(at)) / 1000 : Infinity;
    const done = all.filter(({ state }) => state === "done");
    const youngest = Math.min(...done.map(({ taken_at }) => age(taken_at)), Infinity);
    const failed = Math.min(
      ...all.filter(({ state }) => state === "failed").map(({ ended_at }) => age(ended_at)),
      Infinity,
    );
    if (youngest >= everySeconds && failed >= Math.min(everySeconds, retrySeconds))
      backups.start(tx);
  });
}
