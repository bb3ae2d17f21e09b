import { join } from "node:path";
import { openDatabase } from "../../db/engine/database.ts";
import { schemaOf } from "../../db/engine/open-alone.ts";
import type { Place } from "../../backup/place.ts";
import { takeInto } from "../backup/take-backup.ts";
import type { OnBytes } from "../backup/verify-backup.ts";
import { refuseUnfinishedRestore } from "../restore-folder.ts";
import { refuseOlderSchema } from "./check-storage.ts";

export { verifyBackup } from "../backup/verify-backup.ts";
export { checkStorage } from "./check-storage.ts";
export { restoreBackup } from "./restore.ts";

/**
 * Takes a backup of a data folder on which no server runs: its database is opened alone, as a server does. One of an older version
 * is refused: a backup that changed what it is of would be none to go back to.
 */
export async function backUpStopped(input: {
  readonly dataFolder: string;
  readonly place: Place;
  readonly name: string;
  readonly program: readonly string[];
  readonly version: string;
  readonly onBytes?: OnBytes;
}) {
  const { dataFolder, place, name, program, version, onBytes } = input;
  refuseUnfinishedRestore(dataFolder);
  const path = join(dataFolder, "service.db");
  refuseOlderSchema(path, schemaOf(path));
  const db = openDatabase(path);
  try {
    return await takeInto(place, { db, dataFolder, program, version }, name, {
      ...(onBytes && { onBytes }),
    });
  } finally {
    db.close();
  }
}
