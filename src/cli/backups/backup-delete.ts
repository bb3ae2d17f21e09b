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
    const { at } = await place.manifestOf(args.name);
    const json = { backup: { name: args.name, where: place.where } };
    if (!args.yes && !confirmed(cli, `Delete the backup ${args.name} of ${at} for good?`))
      return { json: { ...json, deleted: false }, text: "Nothing was changed." };
    await place.delete(args.name);
    return { json: { ...json, deleted: true }, text: `Deleted the backup ${args.name}.` };
  },
});
