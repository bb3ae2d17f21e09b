import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { claudeCodeProfile } from "../../client/harnesses/claude-code.ts";
import { bellFile, bellsFolder } from "../../client/machine/daemon-files.ts";
import type { Folders } from "../../client/machine/machine.ts";
import type { Clock } from "../loop/clock.ts";
import { watchClaudeCode } from "./claude-code-states.ts";
import type { Harness } from "./harness.ts";

/**
 * Claude Code: a session watches its bell, and a hook of it runs when the daemon writes there. `usualFolder` has the settings of
 * sessions that name no other.
 */
export const claudeCode = (folders: Folders, usualFolder: string, clock: Clock): Harness => ({
  profile: claudeCodeProfile,
  ...watchClaudeCode(usualFolder, clock),
  wake: {
    kind: "bell",
    ring(session) {
      const bell = bellFile(folders, "claude-code", session);
      mkdirSync(dirname(bell), { recursive: true, mode: 0o700 });
      writeFileSync(bell, crypto.randomUUID(), { mode: 0o600 });
    },
  },
  tidy(sessions, before) {
    const folder = bellsFolder(folders);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const kept = new Set(sessions.map((id) => basename(bellFile(folders, "claude-code", id))));
    for (const name of readdirSync(folder)) {
      const bell = join(folder, name);
      if (!kept.has(name) && statSync(bell).mtimeMs < before) rmSync(bell, { force: true });
    }
  },
});
