import { realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import { endOfLinks } from "../settings-files/file-state.ts";
import { ownHooksIn } from "./hook-entries.ts";
import type { OwnProgram } from "./own-program.ts";

/** The commands of hooks that look like ours and run another program. In a project they may have come with the repository. */
export const foreignCommands = (
  text: string,
  { harness }: HarnessProfile,
  program: OwnProgram,
): string[] => {
  const ours = ` ${program.text} hook ${harness} `;
  const commands = ownHooksIn(text, harness).map(({ entry }) => entry.command);
  return [...new Set(commands.filter((command) => !` ${command} `.includes(ours)))];
};

/** Refuses a project's settings whose hooks run another program in our name: they are not ours to take over. */
export function refuseForeign(
  path: string,
  text: string,
  profile: HarnessProfile,
  program: OwnProgram,
): void {
  const commands = foreignCommands(text, profile, program);
  if (commands.length === 0) return;
  throw new LocalError(
    "settings_foreign",
    `${path} has hooks that look like ours and run another program: ${commands.join("; ")}. Nothing was changed.`,
    "They may have come with the project. If you do not know them, take them out of that file; then run this command again.",
  );
}

/** Whether a name below a folder leads out of it over a link, also one to a file that is not there yet. */
export function leadsOut(folder: string, path: string): boolean {
  const inside = realpathSync(folder) + sep;
  for (let part = endOfLinks(path); ; part = dirname(part)) {
    const real = realOf(part);
    if (real !== null) return !`${real}${sep}`.startsWith(inside);
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
