import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { sizeOf } from "../../backup/manifest.ts";
import type { Place } from "../../backup/place.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Cli } from "../frame/cli.ts";
import { cleaningUp } from "../frame/on-signal.ts";
import { size } from "../terminal/size-text.ts";

/**
 * Works with the folder of a backup. What is fetched from elsewhere holds everything of everybody, without the encryption that it
 * had there: it is gone afterwards, after a signal too.
 */
export async function withBackup<T>(
  cli: Cli,
  place: Place,
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (place.isElsewhere) requireRoom(cli, name, sizeOf(await place.manifestOf(name)));
  const into = place.isElsewhere
    ? mkdtempSync(join(cli.system.temporaryFolder(), "service-backup-"))
    : undefined;
  const remove = () => {
    if (into !== undefined) rmSync(into, { recursive: true, force: true });
  };
  return cleaningUp(cli, remove, async () => work((await place.fetch(name, into)).folder));
}

/** Refuses a backup for which there is no room among the temporary files, before any of it is fetched: that is often a small disk. */
function requireRoom(cli: Cli, name: string, bytes: number): void {
  const folder = cli.system.temporaryFolder();
  const { bavail, bsize } = statfsSync(folder);
  if (bytes <= bavail * bsize) return;
  throw new LocalError(
    "disk_full",
    `The backup ${name} has ${size(bytes)} and is fetched into ${folder} first, where there is room for ${size(bavail * bsize)}.`,
    "Set TMPDIR to a folder on a disk with more room, and run it again.",
  );
}
