import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  type Dirent,
} from "node:fs";
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
import { backupNameForm, manifestName, partsOf, readManifest } from "./manifest.ts";
import type { FoundBackup, Place } from "./place.ts";

const partialEnd = ".partial";
/** The folder of a backup until it is whole, and while it is deleted. */
export const partialOf = (where: string, name: string): string => join(where, name + partialEnd);
const isPartial = (name: string): boolean =>
  name.endsWith(partialEnd) && backupNameForm.test(name.slice(0, -partialEnd.length));
/** How long nothing is written to the folder of an unfinished backup before the next one removes it, in milliseconds. */
const abandonedMs = 24 * 60 * 60 * 1000;
/** What the folder of a backup may have in it. */
const contentForm = /^(service\.db(-[a-z]+)?|digest-key|files|manifest\.json)$/;

/** A folder of backups. */
export function folderPlace(where: string): Place {
  const folderOf = (name: string): string => {
    if (!backupNameForm.test(name)) throw new BackupNotFound(name);
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
      if (existsSync(to)) throw nameTaken(name);
      const unfinished = await newPartial(where, name);
      try {
        const others = finishedIn(where);
        for (const part of partsOf(readManifest(from)))
          await linkOrCopyPart(part, others, from, unfinished);
        copySynced(join(from, manifestName), join(unfinished, manifestName));
        finishFolder(unfinished, to);
      } catch (error) {
        rmSync(unfinished, { recursive: true, force: true });
        throw error;
      }
    },
    async delete(name) {
      const folder = folderOf(name);
      if (!existsSync(join(folder, manifestName))) throw new BackupNotFound(name);
      // By this it is no backup any more, whatever happens to the rest, and its name is free.
      const unfinished = partialOf(where, name);
      await removeInPieces(unfinished);
      moveSynced(folder, unfinished);
      await removeInPieces(unfinished);
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

/** Makes the folder of a backup that is about to be written, and removes what earlier ones left: of its name, or a day ago. */
export async function newPartial(where: string, name: string): Promise<string> {
  makePrivateFolder(where);
  const folder = partialOf(where, name);
  for (const left of [folder, ...abandonedIn(where)]) await removeInPieces(left);
  makePrivateFolder(folder);
  return folder;
}

/** Another server, or a command, may be at work on the folders that are younger. */
const abandonedIn = (where: string): string[] =>
  entriesOf(where)
    .filter((entry) => entry.isDirectory() && isPartial(entry.name))
    .map(({ name }) => join(where, name))
    .filter(isAbandoned);

function isAbandoned(folder: string): boolean {
  try {
    const contents = readdirSync(folder);
    if (!contents.every((name) => contentForm.test(name))) return false;
    const written = [folder, ...contents.map((name) => join(folder, name))].map(
      (path) => statSync(path).mtimeMs,
    );
    return Date.now() - Math.max(...written) > abandonedMs;
  } catch {
    // Another user's, or finished meanwhile.
    return false;
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
