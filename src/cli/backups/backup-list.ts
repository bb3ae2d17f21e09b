import { BackupNotFound } from "../../backup/backup-errors.ts";
import type { Place } from "../../backup/place.ts";
import { defineCommand } from "../frame/command.ts";
import { size } from "../terminal/size-text.ts";
import { columns, someOf } from "../terminal/table.ts";
import { backupFlags, backupRecord, placeOfBackups } from "./place-of-backups.ts";

export default defineCommand({
  summary: "List backups, newest first",
  acts: "person",
  startsNothing: true,
  args: backupFlags,
  seeAlso: ["backup", "backup verify", "restore"],
  async run({ args, data: cli }) {
    const { place } = placeOfBackups(cli, args);
    const backups = (await place.list()).map(({ name, manifest }) =>
      backupRecord(place, name, manifest),
    );
    const known = new Set(backups.map(({ name }) => name));
    const unreadable: string[] = [];
    for (const name of (await place.taken()).toSorted())
      if (!known.has(name) && (await isBackup(place, name))) unreadable.push(name);
    // Several servers may share a place.
    const isShared = new Set(backups.map(({ server_id }) => server_id)).size > 1;
    const rows = backups.map(({ name, taken_at, bytes, server_id }) => [
      name,
      taken_at,
      size(bytes),
      ...(isShared ? [server_id] : []),
    ]);
    return {
      json: { where: place.where, backups, unreadable },
      text: [
        rows.length
          ? columns(rows)
          : `There are no backups in ${place.where}${unreadable.length ? " that can be read" : ""}.`,
        ...(unreadable.length
          ? [
              `Not readable: ${someOf(unreadable).join(", ")}. Why: ${cli.typed("backup verify NAME")}`,
            ]
          : []),
      ].join("\n"),
    };
  },
});

/** Whether there is a manifest, however damaged: a folder without one is no backup. */
const isBackup = (place: Place, name: string): Promise<boolean> =>
  place.manifestOf(name).then(
    () => true,
    (error: unknown) => !(error instanceof BackupNotFound),
  );
