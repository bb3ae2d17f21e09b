import { existsSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Cli } from "../frame/cli.ts";
import { readText } from "../../client/machine/private-files.ts";

type Files = Pick<Cli, "folders">;
type Machine = Pick<Cli, "folders" | "system">;

export const pidFile = (dataFolder: string): string => join(dataFolder, "server.pid");

/** The process id that the local server wrote, or null. */
export const recordedPid = (cli: Files): number | null =>
  Number(readText(pidFile(cli.folders.data))) || null;

/**
 * The process that has this home's database open, or null when none has. Linux shows the open files of processes;
 * elsewhere it is the one that the server recorded, while it lives.
 */
export function serverPid(cli: Machine): number | null {
  const recorded = recordedPid(cli);
  if (!existsSync("/proc/self/fd"))
    return recorded && cli.system.isAlive(recorded) ? recorded : null;
  const database = join(cli.folders.data, "service.db");
  if (!existsSync(database)) return null;
  const path = realpathSync(database);
  if (recorded && hasOpen(recorded, path)) return recorded;
  const pids = readdirSync("/proc").map(Number).filter(Boolean);
  return pids.find((pid) => hasOpen(pid, path)) ?? null;
}

/** Whether the server of this process has not ended: it removes its record last, and a process may outlive it unseen. */
export const stillServes = (cli: Machine, pid: number): boolean =>
  cli.system.isAlive(pid) && (recordedPid(cli) === pid || serverPid(cli) === pid);

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => linkAt(join(folder, name)) === path);
  } catch {
    return false;
  }
}

/** A file may be closed while the list is read. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
