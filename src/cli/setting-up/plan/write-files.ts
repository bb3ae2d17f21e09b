import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { writeWithMode } from "../../../client/files/private-file.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import { fileState } from "../settings-files/file-state.ts";
import type { FileWrite } from "../entries/setup-types.ts";

/** The permissions of a new file. */
const ownersOnly = 0o600;

/** Refuses, before the first file is written, a folder that takes none. */
export function refuseUnwritable(
  writes: readonly Pick<FileWrite, "file">[],
  userId: number | undefined,
): void {
  for (const { file } of writes) {
    const { owner } = file;
    if (owner !== null && userId !== undefined && owner !== userId)
      throw notWritable(file.path, "it belongs to another user, who could not read it afterwards");
    // Whoever made it read-only, such as a program that manages settings, would put it back.
    if (file.mode !== null && (file.mode & 0o200) === 0)
      throw notWritable(file.path, "it is read-only");
    const folder = nearestFolder(dirname(file.target));
    try {
      const { uid } = statSync(folder);
      if (!statSync(folder).isDirectory()) throw notWritable(file.path, `${folder} is no folder`);
      if (userId === 0 && uid !== 0)
        throw notWritable(file.path, `${folder} belongs to another user, and this runs as root`);
      accessSync(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      if (error instanceof LocalError) throw error;
      throw notWritable(file.path, `${folder} does not take files`);
    }
  }
}

/** The folder, or the nearest one above it that is there. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}

/** The folders that a write will make, the outermost first. */
export function missingFolders(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) ? [] : [...missingFolders(folder), folder];
}

/** Writes each file whole, over what was read. Its permissions stay. Refuses a file that changed since it was read. */
export function writeFiles(writes: readonly FileWrite[]): void {
  for (const { file, text } of writes) {
    if (fileState(file.path).text !== file.text)
      throw new LocalError(
        "settings_broken",
        `${file.path} was changed by another program meanwhile, so it was not written.`,
        "Run this command again.",
      );
    writeWithMode(file.target, text, file.mode ?? ownersOnly);
  }
}

const notWritable = (path: string, why: string) =>
  new LocalError(
    "internal",
    `${path} cannot be written: ${why}. Nothing was changed.`,
    "Check that you may write there; then run this command again.",
  );
