import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { LocalError } from "../../client/machine/local-error.ts";
import { shellWord } from "../../contract/shell-word.ts";

const secretFiles = [
  "service.db",
  "service.db-wal",
  "service.db-shm",
  "digest-key",
  "server.pid",
  "admin-key",
];

/** Refuses a data folder that other users can enter, or that has a server file that they can read. */
export function refuseShared(folder: string, own: number | undefined): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) throw refusal(folder, "is not a folder", "Name a folder of its own.");
  refuseOthers(folder, found, own, "700");
  for (const name of secretFiles) {
    const file = join(folder, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isFile())
      throw refusal(file, "is not an ordinary file", "Put the file itself in its place.");
    if (stats) refuseOthers(file, stats, own, "600");
  }
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
