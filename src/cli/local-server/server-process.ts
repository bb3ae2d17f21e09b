import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Cli } from "../frame/cli.ts";
import { readText } from "../../client/machine/private-files.ts";

type Files = Pick<Cli, "folders">;
type Machine = Pick<Cli, "folders" | "system">;

export const pidFile = (dataFolder: string): string => join(dataFolder, "server.pid");

/** The process id that the local server recorded, or null. */
export const recordedPid = (cli: Files): number | null =>
  Number(readText(pidFile(cli.folders.data))) || null;

/** The id of the process that has this home's database open, or null. Where no system shows that, the recorded process while it lives. */
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

/** Whether a process still runs the server. That it is alive is not enough: it may outlive its server, which removes its record last. */
export const stillServes = (cli: Machine, pid: number): boolean =>
  cli.system.isAlive(pid) && (recordedPid(cli) === pid || serverPid(cli) === pid);

/** The variables that a process was started with, or null where no system shows them. */
export function variablesOf(pid: number): Record<string, string> | null {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    );
  } catch {
    return null;
  }
}

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => linkAt(join(folder, name)) === path);
  } catch {
    return false;
  }
}

/** Ignores files that are closed while we read the list. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
