import { join } from "node:path";
import { claudeCodeProfile } from "../client/harnesses/claude-code.ts";
import { codexProfile } from "../client/harnesses/codex.ts";
import type { Env } from "../client/machine/machine.ts";
import { fateOf, ownMark } from "../client/files/process.ts";
import { opencodeProfile } from "../client/harnesses/opencode.ts";
import { extensionHarness } from "./extensions/extension-harness.ts";
import { claudeCode } from "./harnesses/claude-code.ts";
import { codex } from "./harnesses/codex/codex.ts";
import type { Harness } from "./harnesses/harness.ts";
import { systemClock } from "./loop/clock.ts";
import type { DaemonOptions } from "./sessions/held/daemon-options.ts";
import { startDaemon, type RunningDaemon } from "./start-daemon.ts";

/** How long messages are gathered before a session is woken: a burst is one wake. */
const gatherMs = 2_000;

type Given = Omit<DaemonOptions, "harnesses" | "clock" | "gatherMs" | "isRunning"> & {
  /** The environment of the programs that the daemon starts. */
  readonly env: Env;
  readonly gatherMs?: number | undefined;
};

/** Starts the daemon of this machine with the harnesses that it knows. Null if another process is it already. */
export const startOwnDaemon = (given: Given): Promise<RunningDaemon | null> =>
  startDaemon({
    ...given,
    harnesses: harnessesFor(given),
    clock: systemClock,
    gatherMs: given.gatherMs ?? gatherMs,
    // A process that cannot be looked up counts as running.
    isRunning: ({ pid, start }) =>
      fateOf({ pid, started: start, place: ownMark().place }) !== "dead",
  });

function harnessesFor({ machine, env, build, log }: Given): Harness[] {
  const { command, configDir } = codexProfile;
  const home = machine.system.homeFolder();
  return [
    claudeCode(machine.folders, join(home, claudeCodeProfile.configDir.default), systemClock),
    codex({
      command: [command],
      version: build.version,
      env,
      clock: systemClock,
      configDir: env["CODEX_HOME"] || join(home, configDir.default),
    }),
    extensionHarness(opencodeProfile, systemClock, log),
  ];
}
