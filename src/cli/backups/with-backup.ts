import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../backup/place.ts";
import type { Cli } from "../frame/cli.ts";
import { cleaningUp } from "../frame/on-signal.ts";

/**
 * Works with the folder of a backup. What is fetched from elsewhere holds everything of everybody, without the encryption that it
 * had there: it is gone afterwards, after a signal too.
 */
export function withBackup<T>(
  cli: Cli,
  place: Place,
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const into = place.isElsewhere
    ? mkdtempSync(join(cli.system.temporaryFolder(), "service-backup-"))
    : undefined;
  const remove = () => {
    if (into !== undefined) rmSync(into, { recursive: true, force: true });
  };
  return cleaningUp(cli, remove, async () => work((await place.fetch(name, into)).folder));
}
