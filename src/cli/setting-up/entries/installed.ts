import { profiles } from "../../../client/harnesses/index.ts";
import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import type { Cli } from "../../frame/cli.ts";
import { fileState } from "../settings-files/file-state.ts";
import { bare, digestOfHooks, ownHooksIn } from "./hook-entries.ts";
import { readManifest, recordOf, sha256, type Manifest, type Scope } from "./manifest.ts";
import { placeOf } from "./places.ts";

type Run = Pick<Cli, "env" | "system" | "cwd" | "folders" | "learned">;

/** The harnesses whose hooks, or extension, are as `init` wrote them, by scope. Reads files alone, and never fails. */
export function installedHarnesses(run: Run): Record<Scope, string[]> {
  const manifest = attempt(() => readManifest(run));
  const namesIn = (scope: Scope): string[] =>
    profiles
      .filter((profile) => manifest !== null && isInstalled(run, manifest, profile, scope))
      .map(({ harness }) => harness)
      .sort();
  return { global: namesIn("global"), project: namesIn("project") };
}

function isInstalled(run: Run, manifest: Manifest, profile: HarnessProfile, scope: Scope): boolean {
  return profile.install.some((item) => {
    if (item.kind !== "hooks" && item.kind !== "file") return false;
    const path = placeOf(run, profile, item, scope);
    const record = path === null ? undefined : recordOf(manifest, path, item.kind);
    if (path === null || record?.scope !== scope) return false;
    return attempt(() => digestAt(path, item.kind, profile.harness)) === record.sha256;
  });
}

function digestAt(path: string, kind: "hooks" | "file", harness: string): string | null {
  const { text } = fileState(path);
  if (text === null) return null;
  return kind === "file" ? sha256(text) : digestOfHooks(ownHooksIn(text, harness).map(bare));
}

/** What cannot be read counts as not there. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
