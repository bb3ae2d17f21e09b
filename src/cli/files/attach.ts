import { basename } from "node:path";
import { mostFilesAttached } from "../../contract/limits.ts";
import { ApiError } from "../../client/client.ts";
import { requireFeature } from "../connection/features.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { digestOf, toSend } from "./local-file.ts";
import type { Place } from "../acting/place-of.ts";
import { ownerAt } from "./file-place.ts";
import { putFile } from "./put-file.ts";
import { remember } from "../../client/machine/remembered-files.ts";
import { sameVersion } from "./same-version.ts";
import { knownAt } from "./send-file.ts";

interface Version {
  readonly file: string;
  readonly version: number;
}

/** Writes files of this machine to the agent's board and gives the versions that a message attaches. */
export async function attach(place: Place, paths: readonly string[]): Promise<Version[]> {
  if (paths.length > mostFilesAttached)
    throw usageError(
      `There are ${paths.length} files, and ${mostFilesAttached} are the most that a message attaches.`,
      "Write the others with `service file put PATH`, and name them in the text.",
    );
  // All of them are looked at before the first one is sent.
  const there = paths.map((path) => ({ path, absolute: toSend(place.cli.cwd, path) }));
  await requireFeature(place.actor, "files");
  const versions: Version[] = [];
  for (const { path, absolute } of there) versions.push(await versionOf(place, path, absolute));
  return versions;
}

/** The version to attach: the remembered one if the file here is unchanged, else a new one, or the board's if it has the same bytes. */
async function versionOf(place: Place, path: string, absolute: string): Promise<Version> {
  const owner = await ownerAt(place);
  const known = await knownAt(place, owner, absolute);
  if (known && known.digest === (await digestOf(absolute)))
    return { file: known.file_id, version: known.version };
  try {
    const { id, latest } = await putFile(place, { path, task: [], maintained: false });
    return { file: id, version: latest.version };
  } catch (error) {
    const isTaken = error instanceof ApiError && /^file_(exists|changed)$/.test(error.code);
    const same = isTaken && (await sameVersion(place, known?.name ?? basename(path), absolute));
    if (!same) throw error;
    const { id: file_id, name, latest } = same;
    const { version, digest } = latest;
    remember(place.cli, { ...owner, file_id, name, version, digest, path: absolute });
    return { file: file_id, version };
  }
}
