import { existsSync, lstatSync, readFileSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { shellWord } from "../../contract/shell-word.ts";
import type { Cli } from "../frame/cli.ts";
import { absoluteProgram } from "../frame/program-name.ts";

const secretFiles = [
  "service.db",
  "service.db-wal",
  "service.db-shm",
  "digest-key",
  "server.pid",
  "admin-key",
  "recovered-keys",
];

/** Refuses a data folder that other users can enter, or that has a server file that they can read. */
export function refuseShared(cli: Cli, folder: string): void {
  const own = cli.system.userId;
  const found = refuseOwnedByOther(cli, folder);
  refuseExchangeable(folder);
  if (!found) return;
  refuseOthers(folder, found, own, "700");
  for (const name of secretFiles) {
    const file = join(folder, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isFile())
      throw refusal(file, "is not an ordinary file", "Put the file itself in its place.");
    if (stats) refuseOthers(file, stats, own, "600");
  }
}

/** Refuses a folder of this machine's own server in which every user could put another file in the place of its keys and database. */
export function refuseOpen(folder: string): void {
  const found = statsOf(folder);
  if (found?.isDirectory() && found.mode & 0o002)
    throw refusal(folder, "can be written by every user", `\`chmod 700 ${shellWord(folder)}\``);
  refuseExchangeable(folder);
}

/**
 * Refuses a folder whose parent every user can write to: another one could be put in its place. With the sticky bit, as on
 * `/tmp`, nobody but its owner can.
 */
function refuseExchangeable(folder: string): void {
  const parent = dirname(folder);
  const { mode } = statsOf(parent) ?? { mode: 0 };
  if (mode & 0o002 && !(mode & 0o1000))
    throw refusal(
      folder,
      "lies in a folder that every user can write to",
      `\`chmod o-w ${shellWord(parent)}\``,
    );
}

/** Refuses a data folder of another user. Whoever wrote into it would leave files that the folder's owner cannot use. */
export function refuseOwnedByOther(cli: Cli, folder: string): Stats | null {
  const found = statsOf(folder);
  if (!found) return null;
  if (!found.isDirectory())
    throw usageError(`${folder} is not a folder.`, "Name the folder of a server's data.");
  const { userId } = cli.system;
  if (userId !== undefined && found.uid !== userId)
    throw refusal(
      folder,
      "belongs to another user",
      `Run this as that user: \`${asUser(cli, found.uid)}\``,
    );
  return found;
}

function statsOf(folder: string): Stats | undefined {
  try {
    return lstatSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw usageError(
      code === "ENOTDIR"
        ? `${folder} lies in a file and not in a folder.`
        : `${folder} cannot be looked at: ${message}.`,
      "Name a folder of its own, in a folder that you can enter.",
    );
  }
}

/** The command line of this run, for a user with this number. */
function asUser(cli: Cli, user: number): string {
  const words = cli.words.map(shellWord).join(" ");
  return `sudo -u ${shellWord(userName(user) ?? `#${user}`)} ${absoluteProgram(cli)} ${words}`;
}

/** The name of a user of this machine, or null where the list of users does not have it. */
function userName(user: number): string | null {
  const users = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8").split("\n") : [];
  const [name] = users.map((line) => line.split(":")).find((row) => row[2] === String(user)) ?? [];
  return name ?? null;
}

function refuseOthers(
  path: string,
  { uid, mode }: Stats,
  own: number | undefined,
  wanted: string,
): void {
  if (own !== undefined && uid !== own)
    throw refusal(path, "belongs to another user", `\`chown ${own} ${shellWord(path)}\``);
  if (mode & 0o077)
    throw refusal(path, "is open to other users", `\`chmod ${wanted} ${shellWord(path)}\``);
}

const refusal = (path: string, what: string, remedy: string) =>
  new LocalError(
    "server_not_running",
    `${path} ${what}, and it holds what the server must keep.`,
    remedy,
  );
