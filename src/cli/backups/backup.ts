import { existsSync } from "node:fs";
import { join } from "node:path";
import { BackupFailed } from "../../backup/backup-errors.ts";
import { makeFolderPlace } from "../../backup/folder-place.ts";
import type { Place } from "../../backup/place.ts";
import { backupNameForm } from "../../backup/manifest.ts";
import { keepNewest } from "../../backup/keep-newest.ts";
import { placeAt } from "../../backup/places.ts";
import { buildInfo } from "../../client/build-info.ts";
import { digestOfFile } from "../../client/files/copied-file.ts";
import type { OutputOf } from "../../contract/index.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { knownServers, selectServer } from "../../client/machine/servers.ts";
import { asPerson } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { watched } from "../frame/progress.ts";
import { selfCommand } from "../frame/program-name.ts";
import type { PlaceOfData } from "../local-server/place-of-data.ts";
import { words } from "../frame/suggest.ts";
import { integer } from "../frame/values.ts";
import { size } from "../terminal/size-text.ts";
import { backupFlags, backupRecord, placeOfBackups } from "./place-of-backups.ts";
import { withBackup } from "./with-backup.ts";

/** Pause between two looks at a backup that a server makes, in milliseconds. */
const pauseMs = 200;

export default defineCommand({
  summary: "Make a backup of a server",
  acts: "person",
  startsNothing: true,
  args: {
    ...backupFlags,
    name: { type: "string", valueHint: "NAME", description: "Its name (else the time)." },
    keep: {
      type: "string",
      valueHint: "N",
      description: "Delete all but the newest N backups there afterwards.",
    },
    ...serverFlag,
  },
  details:
    "Copies the database, the digest key and every file's bytes, and verifies the copy. A server that runs goes on meanwhile: it makes the backup in its own place, for which an admin's key is needed, and --to copies it. A backup holds everything of everybody: keep it where only you can read it.",
  examples: [
    ["backup", "This machine's own server, into its own folder of backups."],
    ["backup --to /srv/backups --keep 7", "Into another folder, where the newest 7 stay."],
  ],
  seeAlso: ["backup list", "backup verify", "restore"],
  async run({ args, data: cli }) {
    const { of, place: named } = placeOfBackups(cli, args);
    let place = named;
    const keep = args.keep === undefined ? null : integer("--keep", args.keep, 1, 10_000);
    if (!existsSync(join(of.dataFolder, "service.db")))
      throw usageError(
        `The folder ${of.dataFolder} holds no server's data.`,
        "Name the folder that the server has as `--data`, on its machine.",
      );
    const name = args.name ?? timeName(cli);
    if (!backupNameForm.test(name))
      throw new LocalError(
        "invalid_request",
        `${name} is no name for a backup.`,
        "It has up to 40 small letters, digits and hyphens, and begins with a letter or a digit, such as `before-upgrade`.",
      );
    if (args.to !== undefined && !named.isElsewhere) makeFolderPlace(named.where);
    if (place.isElsewhere && !place.isEncrypted)
      cli.note(
        `Whoever reads ${place.where} reads everything. To encrypt what is stored, set SERVICE_BACKUP_KEY: \`openssl rand -base64 32\` makes one.`,
      );
    /** Where the server has it too, if that is another place. */
    let also: string | null = null;
    const shown = watched(cli, "Backing up", name, 100);
    try {
      await cli.offline
        .backUpStopped({
          dataFolder: of.dataFolder,
          place,
          name,
          program: selfCommand(cli),
          version: buildInfo.version,
          onBytes: (bytes, total) => shown.onProgress?.(Math.floor((bytes / total) * 100)),
        })
        .catch(async (error: Error & { code?: string }) => {
          if (error.code !== "server_already_running") throw error;
          const own = ownPlace(cli, await byServer(cli, serverOn(cli, of, args.server), name));
          await requireBackupOf(of, own, name);
          if (args.to === undefined) place = own;
          if (own.where === place.where) return;
          await withBackup(cli, own, name, (folder) => place.store(name, folder));
          await withBackup(cli, place, name, (folder) => cli.offline.verifyBackup(folder));
          also = own.where;
        });
    } finally {
      shown.end();
    }
    const made = backupRecord(place, name, await place.manifestOf(name));
    const deleted =
      keep === null ? [] : await keepNewest(place, keep, { serverId: made.server_id, made: name });
    return {
      json: { backup: made, deleted },
      text: [
        `Backup ${name} is in ${place.where}: ${size(made.bytes)}, verified. It holds everything of everybody.`,
        ...(also === null
          ? []
          : [
              `The server's own copy of it stays in ${also}: ${cli.typed(words`backup delete ${name} --to ${also}`)}`,
            ]),
      ].join("\n"),
    };
  },
});

const timeName = (cli: Cli): string =>
  new Date(cli.clock.now()).toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "");

/** The place in which the server made a backup. */
function ownPlace(cli: Cli, { name, where }: OutputOf<"getBackup">): Place {
  try {
    return placeAt(where, cli.env);
  } catch (error) {
    const { code, message, hint } = error as BackupFailed;
    throw new BackupFailed(
      code,
      `The server made the backup ${name} in ${where}. ${message}`,
      hint,
    );
  }
}

/** The server that runs on a data folder, as this machine knows it. It is never another one because that is the default. */
function serverOn(cli: Cli, { mode, dataFolder }: PlaceOfData, named: string | undefined): string {
  if (mode === "local") return named ?? "local";
  // Who knows no server has perhaps no home either, in which one of this machine would choose its address.
  const knowsNone = named === undefined && knownServers(cli).length === 0;
  const chosen = knowsNone ? null : selectServer(cli, named);
  if (chosen !== null && chosen.name !== "local") return chosen.url;
  throw new LocalError(
    "login_required",
    `The server of ${dataFolder} is running, so it makes the backup itself, for one of its admins. This user has no key for it.`,
    "On the admin's own machine: `service api createBackup`. Or stop the server and run this again. Or sign in as an admin here, `service login https://HOST`, and add `--server https://HOST`.",
  );
}

/** Refuses a backup that another server made than the one of the data folder. Each has a key of its own for digests. */
async function requireBackupOf({ dataFolder }: PlaceOfData, own: Place, name: string) {
  const { server_id, digest_key } = await own.manifestOf(name);
  if ((await digestOfFile(join(dataFolder, "digest-key"))).sha256 === digest_key.sha256) return;
  throw usageError(
    `The server that was asked is ${server_id}, and not the one of ${dataFolder}. It has its own backup ${name} now, in ${own.where}.`,
    "Name the server of that folder: `--server https://HOST`.",
  );
}

/** Has the server that runs make the backup, and waits for it. Gives the finished run. */
async function byServer(cli: Cli, server: string, name: string): Promise<OutputOf<"getBackup">> {
  const { api } = await asPerson(cli, { server });
  await api.call("createBackup", { body: { name } });
  for (;;) {
    const run = await api.call("getBackup", { params: { backup: name } });
    const { state, error } = run;
    if (state === "done") return run;
    if (state === "failed")
      throw Object.assign(new Error(error?.message ?? "The backup failed."), {
        code: error?.code ?? "backup_failed",
        hint: error?.hint ?? "Try again.",
      });
    await cli.clock.sleep(pauseMs);
  }
}
