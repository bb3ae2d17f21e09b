import { lstatSync } from "node:fs";
import { join } from "node:path";
import { buildInfo, type BuildInfo } from "../build-info.ts";
import type { Folders } from "./machine.ts";
import { readText } from "./private-files.ts";

/** The longest path that a Unix socket may have on every system, with its end mark. */
const longestSocketPath = 103;

/** The daemon's control socket. A folder with a long path has it elsewhere, since a socket's path is short. */
export function daemonSocket({ state }: Folders, userId: number | undefined): string {
  const path = join(state, "daemon.sock");
  if (Buffer.byteLength(path) <= longestSocketPath) return path;
  const hash = new Bun.CryptoHasher("sha256").update(state).digest("hex").slice(0, 16);
  return `/tmp/service-${userId ?? "user"}/${hash}.sock`;
}

/** Whether others than this user may own or enter a folder, so that whoever listens in it may be somebody else. */
export function isShared(folder: string, userId: number | undefined): boolean {
  const { uid, mode } = lstatSync(folder);
  return (userId !== undefined && uid !== userId) || (mode & 0o077) !== 0;
}

/** The lock that the daemon holds for its whole life. */
export const daemonLock = ({ state }: Folders): string => join(state, "daemon.lock");
/** The lock of a command that replaces a daemon of an older build. */
export const upgradeLock = ({ state }: Folders): string => join(state, "upgrade.lock");
/** The file with the daemon's process id, and in its second line the version and the commit time of its build. */
export const daemonPid = ({ state }: Folders): string => join(state, "daemon.pid");
/** The daemon's log. */
export const daemonLog = ({ state }: Folders): string => join(state, "daemon.log");
/** The daemon's journal. */
export const daemonJournal = ({ state }: Folders): string => join(state, "delivery.db");

/** The folder of the files that sessions watch. */
export const bellsFolder = ({ state }: Folders): string => join(state, "bells");

/**
 * The file that a session watches: the daemon writes it when messages wait. The name is a hash of the session's id,
 * which comes from a harness and may hold anything.
 */
export function bellFile(folders: Folders, harness: string, session: string): string {
  const name = new Bun.CryptoHasher("sha256").update(`${harness}:${session}`).digest("hex");
  return join(bellsFolder(folders), name.slice(0, 32));
}

/** The build that the daemon noted when it began. Read without asking it; this build if there is none. */
export function recordedDaemonBuild(folders: Folders): BuildInfo {
  const text = readText(daemonPid(folders));
  if (text === null) return buildInfo;
  const [version = "", commit_time = ""] = (text.split("\n")[1] ?? "").split(" ");
  return { version, ...(commit_time !== "" && { commit_time }) };
}
