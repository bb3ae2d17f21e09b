import type { DaemonProcess } from "../../client/machine/daemon-wire.ts";
import { markOf, nearestProgram } from "../../client/machine/nearest-program.ts";
import type { Hook } from "./hook.ts";

/** The process of the session: the one that the harness names, else the nearest parent of this process that is no shell. */
export function sessionProcess({ env, profile, system }: Hook): DaemonProcess {
  // Codex's app server may have the environment of a terminal inside Claude Code.
  const told = profile.harness === "claude-code" ? Number(env["CLAUDE_PID"]) : NaN;
  return Number.isSafeInteger(told) && told > 1 ? markOf(told) : nearestProgram(system.parent);
}
