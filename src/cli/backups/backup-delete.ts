import { defineCommand, yesFlag } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import { backupFlags, placeOfBackups } from "./place-of-backups.ts";

export default defineCommand({
  summary: "Delete a backup for good",
  acts: "person",
  startsNothing: true,
  args: {
    name: { type: "positional", description: "The backup." },
    ...backupFlags,
    ...yesFlag,
  },
  seeAlso: ["backup list"],
  async run({ args, data: cli }) {
    const { place } = placeOfBackups(cli, args);
    const of = await place.manifestOf(args.name).then(({ at }) => ` of ${at}`, unreadable);
    const json = { backup: { name: args.name, where: place.where } };
    if (!args.yes && !confirmed(cli, `Delete the backup ${args.name}${of} for good?`))
      return { json: { ...json, deleted: false }, text: "Nothing was changed." };
    await place.delete(args.name);
    return { json: { ...json, deleted: true }, text: `Deleted the backup ${args.name}.` };
  },
});

/** What is said of a backup that cannot be read: a damaged one can be deleted, and so can one whose key is lost. */
function unreadable(error: Error & { code?: string }): string {
  if (error.code === "backup_damaged" || error.code === "backup_key_invalid")
    return ", which cannot be read,";
  throw error;
}
