import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { profiles } from "../../../client/harnesses/index.ts";
import type { HarnessProfile, InstallItem } from "../../../client/harnesses/profile.ts";
import { configFolder, globalPath, homeFolder } from "../../../client/machine/harness-files.ts";
import { LocalError, usageError } from "../../../client/machine/local-error.ts";
import type { Cli } from "../../frame/cli.ts";
import { leadsOut } from "./foreign-hooks.ts";
import { onPath } from "./harness-version.ts";
import type { Scope } from "./manifest.ts";

type Run = Pick<Cli, "env" | "system" | "cwd">;

/** Where a part lies. A project is the working folder. Null for what has no file of its own in that scope. */
export function placeOf(
  run: Run,
  profile: HarnessProfile,
  item: InstallItem,
  scope: Scope,
): string | null {
  if (item.kind === "consent") return null;
  const places = item.kind === "allow-rule" ? item.places : item;
  if (!places) return null;
  if (scope === "global") return globalPath(run, profile, places.global);
  return places.project === undefined ? null : join(run.cwd, places.project);
}

/** Refuses a project that is the home folder, and one whose files lie elsewhere: what is written would count for others. */
export function refuseProject(run: Run, chosen: readonly HarnessProfile[]): void {
  const home = homeFolder(run);
  if (existsSync(home) && realpathSync(home) === realpathSync(run.cwd))
    throw usageError(
      "The working folder is your home folder, and that is no project.",
      "Go to the project's folder, or set up all of your sessions: `service init --scope global`.",
    );
  for (const profile of chosen)
    for (const item of profile.install) {
      const path = placeOf(run, profile, item, "project");
      if (path === null || !leadsOut(run.cwd, path)) continue;
      throw new LocalError(
        "settings_foreign",
        `${path} leads out of the project over a link. Nothing was changed.`,
        "Put a folder or file of the project in the link's place, or use `--scope global`.",
      );
    }
}

/** Whether a person uses a harness: its settings folder is there, or its program is on the PATH. */
export const isDetected = (run: Run, profile: HarnessProfile): boolean =>
  existsSync(configFolder(run, profile)) || onPath(run, profile.command);

/** The harnesses that a list names, by their own names or those of their programs. */
export function namedHarnesses(list: string): HarnessProfile[] {
  const found = list.split(",").map((word) => {
    const name = word.trim();
    const profile = profiles.find(({ harness, command }) => [harness, command].includes(name));
    if (profile) return profile;
    throw usageError(
      `There is no harness ${name || "without a name"} here.`,
      `Write one or several of these, with commas: ${harnessNames().join(", ")}.`,
    );
  });
  return [...new Set(found)];
}

/** The names of all harnesses. */
const harnessNames = (): string[] => profiles.map(({ harness }) => harness).sort();
