import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivately } from "../../client/files/private-file.ts";
import { folderPlace, makeFolderPlace } from "../../backup/folder-place.ts";
import type { FoundBackup, Place } from "../../backup/place.ts";
import { fits } from "../../contract/validate.ts";
import { Backup } from "../../contract/backups.ts";
import type { BackupRun, Backups } from "../handler.ts";
import type { Log } from "../log.ts";
import { createBackups } from "./backups.ts";
import { reasonOf } from "./reason.ts";
import { removeUnfinished, takeInto, type BackupSource } from "./take-backup.ts";

/** How a server makes backups. */
export interface BackupSettings {
  /** The place of the backups; the folder `saved` in the data folder unless said. */
  readonly to?: Place;
  /** How many finished backups stay; all unless said. */
  readonly keep?: number;
  /** Seconds between two backups that the server begins by itself; none unless said. */
  readonly everySeconds?: number;
}

/** The folder of backups of a server that names no other. */
const defaultPlace = (dataFolder: string): string => join(dataFolder, "saved");

/** The backups of a server that runs on a data folder. */
export async function serverBackups(
  source: BackupSource,
  { to, keep }: BackupSettings,
  { serverId, clock, log }: { readonly serverId: string; clock(): Date; log: Log },
): Promise<Backups> {
  const place = to ?? folderPlace(defaultPlace(source.dataFolder));
  if (to && !to.isElsewhere) makeFolderPlace(to.where);
  if (place.isElsewhere && !place.isEncrypted)
    log({ level: "warn", event: "backups.not-encrypted", where: place.where });
  const file = join(source.dataFolder, "backup-runs.json");
  const runs = runsIn(file);
  for (const { name, state } of runs)
    if (state === "running") removeUnfinished(place, source.dataFolder, name);
  return createBackups(
    {
      place,
      serverId,
      take: (name, signal) => takeInto(place, source, name, { signal }),
      runs,
      save: (kept) => writePrivately(file, JSON.stringify(kept)),
      clock,
      log,
      ...(keep !== undefined && { keep }),
    },
    await foundIn(place, log),
  );
}

/** The backups of a place. A bucket that does not answer keeps no server from starting: its next backup finds what it has. */
async function foundIn(place: Place, log: Log): Promise<FoundBackup[]> {
  try {
    return await place.list();
  } catch (error) {
    log({ level: "error", message: `backups in ${place.where}: ${reasonOf(error).message}` });
    return [];
  }
}

/** The runs that an earlier start kept. They lie beside the database: a restore does not bring back those of another time. */
function runsIn(file: string): BackupRun[] {
  if (!existsSync(file)) return [];
  try {
    const runs: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(runs) ? runs.filter((run): run is BackupRun => fits(Backup, run)) : [];
  } catch {
    return [];
  }
}
