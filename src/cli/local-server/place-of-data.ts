import { isAbsolute, join, resolve } from "node:path";
import { usageError } from "../../client/machine/local-error.ts";
import { ownerTokenFile } from "../../client/machine/servers.ts";
import type { Cli } from "../frame/cli.ts";

/** A server's data folder, and the file for a key that is made there. */
export interface PlaceOfData {
  readonly mode: "local" | "team";
  readonly dataFolder: string;
  readonly keyFile: string;
}

/** The data folder that `--data` or SERVICE_DATA names, else that of this machine's own server, which may be named too. */
export function placeOfData(cli: Cli, flag: string | undefined): PlaceOfData {
  const named = flag ?? cli.env["SERVICE_DATA"];
  if (named !== undefined && !isAbsolute(named))
    throw usageError(`--data is not an absolute path: ${named}.`, "Begin it with `/`.");
  const dataFolder = resolve(named ?? cli.folders.data);
  if (dataFolder === resolve(cli.folders.data))
    return { mode: "local", dataFolder, keyFile: ownerTokenFile(cli) };
  return { mode: "team", dataFolder, keyFile: join(dataFolder, "admin-key") };
}
