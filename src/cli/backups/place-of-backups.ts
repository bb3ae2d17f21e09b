import { join } from "node:path";
import { placeAt } from "../../backup/places.ts";
import type { Place } from "../../backup/place.ts";
import type { Manifest } from "../../backup/manifest.ts";
import { sizeOf } from "../../backup/manifest.ts";
import type { Cli } from "../frame/cli.ts";
import type { Args } from "../frame/command.ts";
import { refuseOwnedByOther } from "../local-server/private-data.ts";
import { placeOfData, type PlaceOfData } from "../local-server/place-of-data.ts";

/** The flags that say where backups are. */
export const backupFlags = {
  to: {
    type: "string",
    valueHint: "WHERE",
    description:
      "Absolute folder of the backups, or s3://BUCKET/PREFIX (else the folder saved in the data folder).",
  },
  data: {
    type: "string",
    valueHint: "DIR",
    description:
      "Absolute folder of a team's data (else SERVICE_DATA, else this machine's own server).",
  },
} as const satisfies Args;

/** The data folder that is meant, and its place of backups. Refuses the folder of another user. */
export function placeOfBackups(
  cli: Cli,
  { to, data }: { readonly to?: string | undefined; readonly data?: string | undefined },
): { readonly of: PlaceOfData; readonly place: Place } {
  const of = placeOfData(cli, data);
  refuseOwnedByOther(cli, of.dataFolder);
  cli.system.setUmask(0o077);
  return { of, place: placeAt(to ?? join(of.dataFolder, "saved"), cli.env) };
}

/** A backup as JSON. */
export const backupRecord = (place: Place, name: string, manifest: Manifest) => ({
  name,
  where: place.where,
  taken_at: manifest.at,
  bytes: sizeOf(manifest),
  files: manifest.files.length,
  boards: manifest.boards.length,
  program: manifest.program,
  server_id: manifest.server_id,
});
