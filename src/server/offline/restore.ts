import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BackupFailed } from "../../backup/backup-errors.ts";
import { copyPart } from "../../backup/copy-part.ts";
import { manifestName, partsOf, sizeOf, type Manifest } from "../../backup/manifest.ts";
import {
  copySynced,
  moveToNewName,
  removeAtOnce,
  syncPath,
  syncTree,
} from "../../client/files/copied-file.ts";
import { LockHeld, takeLock } from "../../client/files/lock.ts";
import { createPrivately, makePrivateFolder } from "../../client/files/private-file.ts";
import { openDatabase } from "../../db/engine/database.ts";
import { migrations } from "../../db/migrations/index.ts";
import type { RestoreRow } from "../../db/restores.ts";
import { verifyBackup, type OnBytes } from "../backup/verify-backup.ts";
import { digestKeyOf } from "../digest-key.ts";
import { writeKeyFile } from "../key-file.ts";
import { restoreFolder } from "../restore-folder.ts";
import { createSecrets } from "../secrets.ts";
import { rebirth } from "./after-restore.ts";

/** The input of a restore. */
export interface RestoreOptions {
  readonly mode: "local" | "team";
  /** The folder of the backup. Absolute. */
  readonly from: string;
  readonly manifest: Manifest;
  /** The backup's name. */
  readonly name: string;
  /** Absolute folder of the server's data: absent or empty. */
  readonly dataFolder: string;
  readonly keys: "keep" | "revoke";
  /** File that gets the first admin's new key: always that of a local server, else with `revoke`. */
  readonly keyFile: string;
  readonly onBytes?: OnBytes;
}

/** What a restore did. */
export interface Restored extends RestoreRow {
  /** The file with the first admin's new key; null if none was made. */
  readonly keyFile: string | null;
}

/**
 * Names that a restore lets stand in an otherwise empty data folder: backups and their failed runs, logs, the address of this
 * machine's server, which a mere look chooses, and what a file system puts there.
 */
const mayStay =
  /^(\.restore|\.restore-done|\.restore-lock.*|saved|backups|backup-runs\.json|server\.addr|lost\+found|.*\.log(\.\d+)?)$/;
/** What a restore moves to its place, in this order. The database is last: without it a folder holds no server. */
const moved = ["files", "digest-key", "admin-key", "service.db"];

/**
 * Restores a backup into an empty data folder. Everything is written and verified in a folder inside of it, and moved to
 * its place at the end. A restore that was interrupted is begun anew. Throws errors with `code` and `hint`.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { dataFolder } = options;
  refuseUnfit(options);
  makePrivateFolder(dataFolder);
  const release = lockedAgainstOthers(dataFolder);
  const inside = restoreFolder(dataFolder);
  try {
    removeInterrupted(dataFolder);
    refuseUnlessEmpty(dataFolder);
    rmSync(inside, { recursive: true, force: true });
    makePrivateFolder(inside);
    await copyIn(options, inside);
    await verifyBackup(inside);
    rmSync(join(inside, manifestName));
    const { receipt, token } = await reborn(options, inside);
    moveAll(options, inside, token);
    return { ...receipt, keyFile: token === null ? null : options.keyFile };
  } catch (error) {
    if (!existsSync(movingMark(dataFolder))) rmSync(inside, { recursive: true, force: true });
    throw error;
  } finally {
    release();
  }
}

function refuseUnfit({ manifest, mode, dataFolder }: RestoreOptions): void {
  if (manifest.schema > migrations.length)
    throw new BackupFailed(
      "data_newer",
      `This backup was made by a newer version of this program (${manifest.program}, schema ${manifest.schema}; this one knows ${migrations.length}).`,
      "Restore it with that version or a later one.",
    );
  if (manifest.mode !== mode)
    throw new BackupFailed(
      "database_mode",
      `This is the backup of a ${manifest.mode} server, and ${dataFolder} is for a ${mode} one.`,
      manifest.mode === "team"
        ? "Name a folder for a team's data: `--data DIR`."
        : "Leave out `--data`, and set SERVICE_HOME to the home that gets the server.",
    );
}

function lockedAgainstOthers(dataFolder: string): () => void {
  try {
    return takeLock(join(dataFolder, ".restore-lock"), 0);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw new BackupFailed(
      "restore_running",
      `Another restore into ${dataFolder} is running.`,
      "Wait until it has ended.",
    );
  }
}

/** The mark that says that everything in the data folder was moved there by a restore that did not end. */
const movingMark = (dataFolder: string): string => join(restoreFolder(dataFolder), "moving");

/** Removes what an interrupted restore had moved. No server can have started on it. */
function removeInterrupted(dataFolder: string): void {
  if (!existsSync(movingMark(dataFolder))) return;
  for (const name of moved) rmSync(join(dataFolder, name), { recursive: true, force: true });
  // Before the mark goes: else a power cut could bring back what was moved, without it.
  syncPath(dataFolder);
}

function refuseUnlessEmpty(dataFolder: string): void {
  const found = readdirSync(dataFolder).filter((name) => !mayStay.test(name));
  if (found.length === 0) return;
  throw new BackupFailed(
    "folder_not_empty",
    `The folder ${dataFolder} is not empty: it has ${found.slice(0, 3).join(", ")}${found.length > 3 ? " and more" : ""}.`,
    "A restore never writes over anything. Name an empty folder, or move what is there away first.",
  );
}

/** Copies every part, and compares each with its digest. */
async function copyIn(options: RestoreOptions, inside: string): Promise<void> {
  const { from, manifest, onBytes } = options;
  const total = sizeOf(manifest);
  let bytes = 0;
  for (const part of partsOf(manifest)) {
    await copyPart(part, from, inside);
    onBytes?.((bytes += part.size), total);
  }
  copySynced(join(from, manifestName), join(inside, manifestName));
}

/** Migrates the restored database and makes it a server again. The token is the first admin's new key. */
async function reborn({ mode, name, manifest, keys }: RestoreOptions, inside: string) {
  const secrets = createSecrets(digestKeyOf(inside, true));
  const token = mode === "local" || keys === "revoke" ? secrets.create("key") : null;
  const keyDigest = token === null ? null : secrets.digest(token);
  const db = openDatabase(join(inside, "service.db"));
  try {
    const receipt = await db.write((tx) =>
      rebirth(tx, { mode, backup: name, takenAt: manifest.at, keys, keyDigest }),
    );
    return { receipt, token };
  } finally {
    db.close();
  }
}

function moveAll(
  { dataFolder, mode, keyFile }: RestoreOptions,
  inside: string,
  token: string | null,
): void {
  // Migrations copied the database that they changed; the backup has it too.
  rmSync(join(inside, "backups"), { recursive: true, force: true });
  if (token !== null && mode === "team") writeKeyFile(join(inside, "admin-key"), token);
  // The parts are on disk, and now their names are.
  syncTree(inside);
  // A server that looked for a restore before this one began may have started since: by the mark all here would count as the restore's.
  refuseUnlessEmpty(dataFolder);
  createPrivately(movingMark(dataFolder), "");
  if (token !== null && mode === "local") writeKeyFile(keyFile, token);
  for (const part of moved)
    if (existsSync(join(inside, part))) moveToNewName(join(inside, part), join(dataFolder, part));
  removeAtOnce(inside, join(dataFolder, ".restore-done"));
}
