import { processAt } from "../files/process.ts";
import type { DaemonProcess } from "./daemon-wire.ts";

/** Programs that stand between a harness and what it runs. */
const shells = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox", "env"]);
const mostParents = 8;

/** The process itself, or its nearest parent that is no shell. */
export function nearestProgram(from: number): DaemonProcess {
  let pid = from;
  for (let steps = 0; steps < mostParents; steps++) {
    const found = processAt(pid);
    if (found === null || !shells.has(found.name) || found.parent <= 1) break;
    pid = found.parent;
  }
  return markOf(pid);
}

/** A process with its start time. */
export const markOf = (pid: number): DaemonProcess => ({
  pid,
  start: processAt(pid)?.started ?? "",
});
