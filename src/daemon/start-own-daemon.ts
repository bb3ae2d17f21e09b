import { fateOf, ownMark } from "../client/files/process.ts";
import { claudeCode } from "./harnesses/claude-code.ts";
import { systemClock } from "./loop/clock.ts";
import type { DaemonOptions } from "./sessions/daemon-options.ts";
import { startDaemon, type RunningDaemon } from "./start-daemon.ts";

/** How long messages are gathered before a session is woken: a burst is one wake. */
const gatherMs = 2_000;

type Given = Omit<DaemonOptions, "harnesses" | "clock" | "gatherMs" | "isRunning">;

/** Starts the daemon of this machine with the harnesses that it knows. Null if another process is it already. */
export const startOwnDaemon = (given: Given): Promise<RunningDaemon | null> =>
  startDaemon({
    ...given,
    ...{ harnesses: [claudeCode(given.machine.folders)], clock: systemClock, gatherMs },
    // A process that cannot be looked up counts as running.
    isRunning: ({ pid, start }) =>
      fateOf({ pid, started: start, place: ownMark().place }) !== "dead",
  });
