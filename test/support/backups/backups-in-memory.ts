import { BackupFailed } from "../../../src/backup/backup-errors.ts";
import { placeAt } from "../../../src/backup/places.ts";
import { createBackups } from "../../../src/server/backup/backups.ts";
import type { Backups } from "../../../src/server/handler.ts";

/** The backups of a server whose database is in memory: each fails, since there is no file. One called `old` has failed before. */
export const backupsInMemory = (clock: () => Date): Backups =>
  createBackups(
    {
      place: placeAt("/nonexistent", {}),
      serverId: "srv_01J0000000000000000000000A",
      take: () =>
        Promise.reject(new BackupFailed("backup_failed", "There is no file.", "Use a file.")),
      runs: [
        {
          name: "old",
          state: "failed",
          started_at: "2025-12-31T00:00:00.000Z",
          ended_at: "2025-12-31T00:00:01.000Z",
          taken_at: null,
          where: "/nonexistent",
          bytes: null,
          files: null,
          error: { code: "disk_full", message: "The disk is full.", hint: "Make room." },
        },
      ],
      save() {},
      clock,
      log: Object.assign(() => {}, { takes: () => false }),
    },
    [],
  );
