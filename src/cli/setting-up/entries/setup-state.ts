import { buildInfo } from "../../../client/build-info.ts";
import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import type { Cli } from "../../frame/cli.ts";
import { fileState, type FileState } from "../settings-files/file-state.ts";
import { installedVersion } from "./harness-version.ts";
import { readManifest } from "./manifest.ts";
import { ownProgram } from "./own-program.ts";
import { placeOf } from "./places.ts";
import type { SetupState } from "./setup-types.ts";

/** Reads what `init` and `doctor` need to know of this machine. Each file is read once. */
export async function setupState(cli: Cli, chosen: readonly HarnessProfile[]): Promise<SetupState> {
  const files = new Map<string, FileState>();
  const asked = chosen.map(async (profile) => {
    const { version } = await installedVersion(cli, profile);
    return [profile.harness, version] as const;
  });
  return {
    program: ownProgram(cli),
    build: buildInfo.version,
    manifest: readManifest(cli),
    versions: Object.fromEntries(await Promise.all(asked)),
    place: (profile, item, scope) => placeOf(cli, profile, item, scope),
    file(path) {
      const state = files.get(path) ?? fileState(path);
      files.set(path, state);
      return state;
    },
  };
}
