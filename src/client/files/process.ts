import { readFileSync, readlinkSync } from "node:fs";

/** Whether a process of this machine exists, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Marks one process: its number can be given to another process later, its start time cannot. */
export interface ProcessMark {
  readonly pid: number;
  /** Clock ticks from the boot to its start. Empty where the system does not show it. */
  readonly started: string;
  /** The boot and the container, in which process numbers are unique. Empty where the system does not show it. */
  readonly place: string;
}

/** The mark of this process. */
export const ownMark = (): ProcessMark => ({
  pid: process.pid,
  started: stateOf(process.pid)?.started ?? "",
  place: numberSpace(),
});

/** What has become of a marked process: `unknown` if it ran in another container or before a reboot. */
export function fateOf({ pid, started, place }: ProcessMark): "alive" | "dead" | "unknown" {
  if (place !== numberSpace()) return "unknown";
  if (!isAlive(pid)) return "dead";
  const now = stateOf(pid);
  if (now === null || started === "") return "alive";
  return now.started === started && !now.isZombie ? "alive" : "dead";
}

/** Linux shows this in /proc: after the name, which may hold anything, the state is the first field and the start the twentieth. */
function stateOf(pid: number): { started: string; isZombie: boolean } | null {
  const text = shown(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", started] = [fields[0], fields[19]];
  return started === undefined ? null : { started, isZombie: /[ZX]/.test(state) };
}

const numberSpace = (): string =>
  [
    shown(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")).trim(),
    shown(() => readlinkSync("/proc/self/ns/pid")),
  ].join(" ");

function shown(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
