import { accessSync, constants, existsSync, readdirSync, rmSync, type Dirent } from "node:fs";
import { join } from "node:path";
import {
  copySynced,
  finishFolder,
  moveSynced,
  removeInPieces,
} from "../client/files/copied-file.ts";
import { makePrivateFolder } from "../client/files/private-file.ts";
import { BackupFailed, BackupNotFound, isForbidden, mayNotRead } from "./backup-errors.ts";
import { linkOrCopyPart } from "./copy-part.ts";
import { freePartial, newPartial } from "./unfinished.ts";
import { backupNameForm, manifestName, partsOf, readManifest } from "./manifest.ts";
import type { FoundBackup, Place } from "./place.ts";

/** A folder of backups. */
export function folderPlace(where: string): Place {
  const folderOf = (name: string): string => {
    if (!backupNameForm.test(name)) throw new BackupNotFound(name, where);
    return join(where, name);
  };
  const manifestOf = (name: string) => readManifest(folderOf(name));
  const names = () =>
    entriesOf(where)
      .filter((entry) => entry.isDirectory() && backupNameForm.test(entry.name))
      .map(({ name }) => name);
  return {
    where,
    isElsewhere: false,
    isEncrypted: false,
    taken: async () => names(),
    has: (name) => existsSync(folderOf(name)),
    list: async () =>
      names()
        .flatMap((name) => foundIn(folderOf(name), name))
        .sort(newestFirst),
    manifestOf: async (name) => manifestOf(name),
    async fetch(name) {
      manifestOf(name);
      return { folder: folderOf(name), done() {} };
    },
    async store(name, from) {
      const to = folderOf(name);
      const { folder: unfinished, release } = await newPartial(where, name);
      try {
        if (existsSync(to)) throw nameTaken(name);
        const others = finishedIn(where);
        for (const part of partsOf(readManifest(from)))
          await linkOrCopyPart(part, others, from, unfinished);
        copySynced(join(from, manifestName), join(unfinished, manifestName));
        finishFolder(unfinished, to);
      } catch (error) {
        rmSync(unfinished, { recursive: true, force: true });
        throw error;
      } finally {
        release();
      }
    },
    async delete(name) {
      const folder = folderOf(name);
      const isThere = () => existsSync(join(folder, manifestName));
      if (!isThere()) throw new BackupNotFound(name, where);
      // By this it is no backup any more, whatever happens to the rest, and its name is free.
      const { folder: unfinished, release } = await freePartial(where, name);
      try {
        // Somebody else may have deleted it meanwhile.
        if (isThere()) moveSynced(folder, unfinished);
        await removeInPieces(unfinished);
      } finally {
        release();
      }
    },
  };
}

/** Makes a folder of backups if it is missing. Throws `BackupFailed` where none can be written into it. */
export function makeFolderPlace(where: string): void {
  try {
    makePrivateFolder(where);
    accessSync(where, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new BackupFailed(
      "storage_unsupported",
      `No backup can be kept in ${where}: ${(error as Error).message}.`,
      "Name a folder in which the server's user can write.",
    );
  }
}

/** The folders of the finished backups in a folder of backups. */
export const finishedIn = (where: string): string[] =>
  readdirSync(where)
    .filter((name) => backupNameForm.test(name) && existsSync(join(where, name, manifestName)))
    .map((name) => join(where, name));

/** The error for a name that another backup has. */
export const nameTaken = (name: string) =>
  new BackupFailed(
    "backup_exists",
    `There is a backup ${name} already.`,
    `Choose another name, or remove that one: \`service backup delete ${name}\``,
  );

function entriesOf(where: string): Dirent[] {
  if (!existsSync(where)) return [];
  try {
    return readdirSync(where, { withFileTypes: true });
  } catch (error) {
    throw isForbidden(error) ? mayNotRead(where) : error;
  }
}

function foundIn(folder: string, name: string): FoundBackup[] {
  try {
    return [{ name, manifest: readManifest(folder) }];
  } catch {
    return [];
  }
}

const newestFirst = (one: FoundBackup, other: FoundBackup): number =>
  other.manifest.at.localeCompare(one.manifest.at) || other.name.localeCompare(one.name);
