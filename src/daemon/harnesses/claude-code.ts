import { bellFile } from "../../client/machine/daemon-files.ts";
import type { Folders } from "../../client/machine/machine.ts";
import { writeFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Harness } from "./harness.ts";

/** Claude Code: a session watches its bell, and a hook of it runs when the daemon writes there. */
export const claudeCode = (folders: Folders): Harness => ({
  name: "claude-code",
  wakeBytes: 32 * 1024,
  // Claude Code cuts what a hook adds at 10,000 characters.
  contextBytes: 9_000,
  // The ninth in a row ends the turn with a warning.
  turnEndBundles: 7,
  // After Esc no hook runs.
  silentTurnMs: 600_000,
  ring(session) {
    const bell = bellFile(folders, "claude-code", session);
    mkdirSync(dirname(bell), { recursive: true, mode: 0o700 });
    writeFileSync(bell, crypto.randomUUID(), { mode: 0o600 });
  },
});
