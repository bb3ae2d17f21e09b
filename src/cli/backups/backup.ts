import { existsSync } from "node:fs";
import { join } from "node:path";
import { BackupFailed } from "../../backup/backup-errors.ts";
import { makeFolderPlace } from "../../backup/folder-place.ts";
import type { Place } from "../../backup/place.ts";
import { keepNewest, placeAt } from "../../backup/places.ts";
import { buildInfo } from "../../client/build-info.ts";
import type { OutputOf } from "../../contract/index.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { asPerson } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { watched } from "../frame/progress.ts";
import { selfCommand } from "../frame/program-name.ts";
import { integer } from "../frame/values.ts";
import { size } from "../terminal/size-text.ts";
import { backupFlags, backupRecord, placeOfBackups } from "./place-of-backups.ts";

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
    if (args.to !== undefined && !named.isElsewhere) makeFolderPlace(named.where);
    const name = args.name ?? timeName(cli);
    if (place.isElsewhere && !place.isEncrypted)
      cli.note(
        `Whoever reads ${place.where} reads everything. To encrypt what is stored, set SERVICE_BACKUP_KEY: \`openssl rand -base64 32\` makes one.`,
      );
    const shown = watched(cli, "Backing up", name, 100);
    try {
      await cli.offline
        .backUpStopped({
          ...{ dataFolder: of.dataFolder, place, name },
          ...{ program: selfCommand(cli), version: buildInfo.version },
          onBytes: (bytes, total) => shown.onProgress?.(Math.floor((bytes / total) * 100)),
        })
        .catch(async (error: Error & { code?: string }) => {
          if (error.code !== "server_already_running") throw error;
          const own = ownPlace(cli, await byServer(cli, args.server, name));
          if (args.to === undefined) place = own;
          if (own.where === place.where) return;
          const made = await own.fetch(name);
          try {
            await place.store(name, made.folder);
          } finally {
            made.done();
          }
          const { folder, done } = await place.fetch(name);
          await cli.offline.verifyBackup(folder).finally(done);
        });
    } finally {
      shown.end();
    }
    const deleted = keep === null ? [] : await keepNewest(place, keep);
    const made = backupRecord(place, name, await place.manifestOf(name));
    return {
      json: { backup: made, deleted },
      text: `Backup ${name} is in ${place.where}: ${size(made.bytes)}, verified. It holds everything of everybody.`,
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

/** Has the server that runs make the backup, and waits for it. Gives the finished run. */
async function byServer(
  cli: Cli,
  server: string | undefined,
  name: string,
): Promise<OutputOf<"getBackup">> {
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
