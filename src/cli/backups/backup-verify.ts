import { defineCommand } from "../frame/command.ts";
import { backupFlags, backupRecord, placeOfBackups } from "./place-of-backups.ts";
import { withBackup } from "./with-backup.ts";

export default defineCommand({
  summary: "Verify a backup",
  acts: "person",
  startsNothing: true,
  args: {
    name: { type: "positional", description: "The backup." },
    ...backupFlags,
  },
  details:
    "Compares every part with its digest, checks the database and the record of every board. A damaged backup ends with exit code 3.",
  seeAlso: ["backup list", "restore"],
  async run({ args, data: cli }) {
    const { place } = placeOfBackups(cli, args);
    try {
      const manifest = await withBackup(cli, place, args.name, (folder) =>
        cli.offline.verifyBackup(folder),
      );
      return {
        json: { backup: backupRecord(place, args.name, manifest), ok: true },
        text: `Backup ${args.name} is whole.`,
      };
    } catch (error) {
      const { code, message, hint } = error as Error & { code?: string; hint?: string };
      if (code !== "backup_damaged") throw error;
      const json = { backup: { name: args.name, where: place.where }, ok: false };
      return {
        json: { ...json, error: { code, message, hint } },
        text: `${message}\n${hint}`,
        exitCode: 3,
      };
    }
  },
});
