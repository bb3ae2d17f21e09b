import { fs } from "./late-fs.ts";

/** Whether a process of this machine exists, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Lets every other process go first from now on, where the system knows of that. */
export function giveWay(): void {
  const { constants, setPriority } = process.getBuiltinModule("node:os");
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {}
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
  started: processAt(process.pid)?.started ?? "",
  place: numberSpace(),
});

/** What has become of a marked process: `unknown` if it ran in another container or before a reboot. */
export function fateOf({ pid, started, place }: ProcessMark): "alive" | "dead" | "unknown" {
  if (place !== numberSpace()) return "unknown";
  if (!isAlive(pid)) return "dead";
  const now = processAt(pid);
  if (now === null || started === "") return "alive";
  return now.started === started && !now.isZombie ? "alive" : "dead";
}

/** What the system shows about a process. */
export interface ShownProcess {
  /** The program's name, at most 15 bytes of it. */
  readonly name: string;
  readonly parent: number;
  /** Clock ticks from the boot to its start. */
  readonly started: string;
  readonly isZombie: boolean;
}

/** What the system shows about a process, or null where it shows nothing. Linux shows it in /proc. */
export function processAt(pid: number): ShownProcess | null {
  const text = shown(() => fs().readFileSync(`/proc/${pid}/stat`, "utf8"));
  // After the name, which may hold anything, the state is the first field, the parent the second, the start the twentieth.
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).split(" ");
  const [state = "", parent, started] = [fields[0], fields[1], fields[19]];
  if (started === undefined) return null;
  const name = text.slice(text.indexOf("(") + 1, end);
  return { name, parent: Number(parent), started, isZombie: /[ZX]/.test(state) };
}

const numberSpace = (): string =>
  [
    shown(() => fs().readFileSync("/proc/sys/kernel/random/boot_id", "utf8")).trim(),
    shown(() => fs().readlinkSync("/proc/self/ns/pid")),
  ].join(" ");

function shown(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
