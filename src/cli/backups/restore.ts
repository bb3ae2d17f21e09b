import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backupNameForm, manifestName } from "../../backup/manifest.ts";
import type { FoundBackup } from "../../backup/place.ts";
import { placeAt } from "../../backup/places.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand } from "../frame/command.ts";
import { watched } from "../frame/progress.ts";
import { mayAsk } from "../frame/questions.ts";
import { placeOfData } from "../local-server/place-of-data.ts";
import { refuseOwnedByOther } from "../local-server/private-data.ts";
import { sizeOf } from "../../backup/manifest.ts";
import { someOf } from "../terminal/table.ts";
import { withBackup } from "./with-backup.ts";

export default defineCommand({
  summary: "Restore a server from a backup",
  acts: "person",
  startsNothing: true,
  args: {
    where: {
      type: "positional",
      valueHint: "WHERE",
      description: "Folder of the backups, or s3://BUCKET/PREFIX.",
    },
    name: { type: "positional", required: false, description: "The backup (else the newest)." },
    data: {
      type: "string",
      valueHint: "DIR",
      description: "Absolute folder of a team's data (else SERVICE_DATA, else this machine's own).",
    },
    keys: {
      type: "string",
      options: ["keep", "revoke"],
      description: "Whether the access keys of the backup work again, or all end.",
    },
  },
  details:
    "Writes and verifies everything before anything is in its place, and writes over nothing. Browser sessions, invitations, join codes and requests of machines end. With --keys revoke all keys and agents' tokens end too, and the first admin gets a new key.",
  examples: [
    ["restore /srv/backups --data /var/lib/board-service --keys revoke", "The newest backup."],
  ],
  seeAlso: ["backup", "backup list", "recover"],
  async run({ args, data: cli }) {
    const of = placeOfData(cli, args.data);
    refuseOwnedByOther(cli, of.dataFolder);
    cli.system.setUmask(0o077);
    const { where, named } = placeAndName(args);
    const place = placeAt(where, cli.env);
    // Where none can be read, the error says why the one there is cannot be.
    const name = named ?? newest(where, await place.list()) ?? (await place.taken())[0];
    if (name === undefined)
      throw usageError(`There are no backups in ${where}.`, "Name the folder that holds them.");
    const manifest = await place.manifestOf(name);
    const keys = args.keys ?? askForKeys(cli, manifest.at);
    const shown = watched(cli, "Restoring", name, sizeOf(manifest));
    const { keyFile, ...receipt } = await withBackup(cli, place, name, (from) =>
      cli.offline.restoreBackup({
        ...of,
        from,
        name,
        manifest,
        keys,
        ...(shown.onProgress && { onBytes: shown.onProgress }),
      }),
    ).finally(shown.end);
    return {
      json: { data: of.dataFolder, restore: receipt, key_file: keyFile },
      text: [
        `Restored the backup ${name} of ${manifest.at} into ${of.dataFolder}.`,
        ...(keyFile === null ? [] : [`The first admin's new key is in ${keyFile}.`]),
        "Start the server. Clients notice the restore by themselves.",
      ].join("\n"),
    };
  },
});

/** The newest backup of a place. Refuses to choose among those of several servers: the newest may be of another one than is meant. */
function newest(where: string, found: readonly FoundBackup[]): string | undefined {
  const newestOf = new Map<string, string>();
  for (const { name, manifest } of found)
    if (!newestOf.has(manifest.server_id)) newestOf.set(manifest.server_id, name);
  const names = [...newestOf.values()];
  if (names.length <= 1) return names[0];
  throw usageError(
    `${where} has backups of ${names.length} servers.`,
    `Name the one that is meant. The newest of each: ${someOf(names).join(", ")}.`,
  );
}

/** The folder of one backup names the backup too. */
function placeAndName({
  where,
  name,
}: {
  readonly where: string;
  readonly name?: string | undefined;
}) {
  const isBackup =
    name === undefined &&
    backupNameForm.test(basename(where)) &&
    existsSync(join(where, manifestName));
  return isBackup ? { where: dirname(where), named: basename(where) } : { where, named: name };
}

function askForKeys(cli: Cli, at: string): "keep" | "revoke" {
  const question = `Keep the access keys? Whatever was revoked or removed after ${at} works again with keep; revoke ends all of them.`;
  const answer = mayAsk(cli) ? cli.stdin.ask(`${question} [keep/revoke]`)?.trim() : undefined;
  if (answer === "keep" || answer === "revoke") return answer;
  throw new LocalError(
    "confirmation_required",
    question,
    "Add `--keys keep` or `--keys revoke`, and run it again.",
  );
}
