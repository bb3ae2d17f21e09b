import type { Cli } from "../../frame/cli.ts";
import {
  emptyManifest,
  manifestFile,
  type InstallRecord,
  type Manifest,
  type RestoreRecord,
} from "../entries/manifest.ts";
import type { SetupPlan } from "../entries/setup-types.ts";
import { missingFolders, refuseUnwritable, writeFiles } from "./write-files.ts";

/**
 * Writes what was planned. The manifest comes first: what is in a file and not in the manifest would stay for ever, while
 * a record of what is not there does no harm.
 */
export function applyPlan(cli: Cli, plan: SetupPlan, delivery: string | undefined): void {
  refuseUnwritable(plan.writes, cli.system.userId);
  const made = plan.writes.flatMap(({ file }) => missingFolders(file.target));
  const before = JSON.stringify(cli.learned.json(manifestFile(cli.folders)));
  const change = (manifest: Manifest) => recorded(manifest, plan, made, delivery);
  const isChange = before !== JSON.stringify(change(JSON.parse(before) ?? emptyManifest));
  if (isChange) cli.learned.change(manifestFile(cli.folders), emptyManifest, change);
  writeFiles(plan.writes);
}

function recorded(
  manifest: Manifest,
  { records, restores }: SetupPlan,
  made: readonly string[],
  delivery = manifest.delivery,
): Manifest {
  return {
    ...manifest,
    installs: merged<InstallRecord>(
      manifest.installs,
      records,
      (one, other) => one.path === other.path && one.kind === other.kind,
    ),
    restores: merged<RestoreRecord>(
      manifest.restores,
      restores,
      (one, other) => one.path === other.path,
    ),
    folders: [...new Set([...manifest.folders, ...made])],
    ...(delivery !== undefined && { delivery }),
  };
}

/** The list with each new record in the place of the one that it replaces, or at the end. */
function merged<T>(
  list: readonly T[],
  added: readonly T[],
  isSame: (one: T, other: T) => boolean,
): T[] {
  const kept = list.map((old) => added.find((record) => isSame(record, old)) ?? old);
  return [...kept, ...added.filter((record) => !list.some((old) => isSame(record, old)))];
}
