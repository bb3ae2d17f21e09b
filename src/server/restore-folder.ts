import { existsSync } from "node:fs";
import { join } from "node:path";
import { StartRefused } from "./start-refused.ts";

/** The folder inside of a data folder that a restore fills and verifies, before it moves everything to its place. */
export const restoreFolder = (dataFolder: string): string => join(dataFolder, ".restore");

/** Refuses a data folder with an unfinished restore: what is there is not whole. */
export function refuseUnfinishedRestore(dataFolder: string): void {
  if (!existsSync(restoreFolder(dataFolder))) return;
  throw new StartRefused(
    "restore_unfinished",
    `A restore into ${dataFolder} was not finished: ${restoreFolder(dataFolder)} is still there.`,
    `Run the same restore again, and it begins anew: \`service restore WHERE NAME --keys keep|revoke\`, of a team's server with \`--data ${dataFolder}\``,
  );
}
