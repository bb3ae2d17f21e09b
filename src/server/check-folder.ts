import { rmSync } from "node:fs";
import { join } from "node:path";

/** The folder in a data folder in which a check rebuilds boards. */
export const checkFolder = (dataFolder: string): string => join(dataFolder, ".check");

/** Removes what a check left that was killed. */
export const removeCheckFolder = (dataFolder: string): void =>
  rmSync(checkFolder(dataFolder), { recursive: true, force: true });
