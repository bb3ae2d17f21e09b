import { basename, dirname, join, resolve } from "node:path";
import type { Env } from "../../client/machine/machine.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";

/** A folder, and the flag or variable that named it. */
interface Asked {
  readonly by: string;
  readonly folder: string;
}

/** The folders that `--db` and `--files` name; null for one that is not given. */
export interface Storage {
  readonly data: Asked | null;
  readonly files: Asked | null;
  /** Whether another program may read the database while the server runs: `?shared=1`. */
  readonly isShared: boolean;
}

interface Flags {
  readonly db?: string | undefined;
  readonly files?: string | undefined;
}

/** Reads `--db` and `--files`, else SERVICE_DB and SERVICE_FILES. Refuses every other kind of storage, and never shows the address: it may hold a password. */
export function storageOf(env: Env, flags: Flags): Storage {
  const given = (flag: "db" | "files") => flags[flag] ?? env[`SERVICE_${flag.toUpperCase()}`];
  const asked = (flag: "db" | "files", read: (text: string) => string | null): Asked | null => {
    const variable = `SERVICE_${flag.toUpperCase()}`;
    const text = given(flag);
    if (!text) return null;
    const by = flags[flag] === undefined ? variable : `--${flag}`;
    const folder = read(text);
    if (folder === null) throw unsupported(`${by} names storage that this program does not have.`);
    return { by, folder };
  };
  return {
    data: asked("db", dataFolderOf),
    files: asked("files", (text) => pathOf(text, "disk:")),
    isShared: given("db")?.endsWith(shared) ?? false,
  };
}

/** The data folder: that of `--db`, else `fallback`. Refuses two different folders, and files anywhere but in `files` below it. */
export function dataFolder(
  { data, files }: Storage,
  fallback: string,
  other: { by: string; hint: string } | null,
): string {
  if (data && other && data.folder !== resolve(fallback))
    throw usageError(
      `${data.by} and ${other.by} name different folders: ${data.folder} and ${fallback}.`,
      other.hint,
    );
  const folder = data?.folder ?? fallback;
  if (files && files.folder !== join(folder, "files"))
    throw unsupported(`${files.by} names another folder than ${join(folder, "files")}.`);
  return folder;
}

/** Refuses what a database that another program reads cannot be: this machine's own, and one of which the server makes backups. */
export function refuseSharing(
  { isShared }: Storage,
  flags: { readonly publicUrl?: string | undefined; readonly backupEvery?: string | undefined },
): void {
  if (!isShared) return;
  if (flags.publicUrl === undefined)
    throw usageError(
      "`?shared=1` is for a team's server, and `--public-url` is missing.",
      "Add `--public-url https://HOST`, or leave `?shared=1` out.",
    );
  if (flags.backupEvery !== undefined)
    throw new LocalError(
      "storage_unsupported",
      "A server makes no backups of a database that another program reads (`?shared=1`).",
      "Leave out `--backup-every`, and use the copy that this program makes, such as Litestream's.",
    );
}

const shared = "?shared=1";

const dataFolderOf = (text: string): string | null => {
  const path = pathOf(text.endsWith(shared) ? text.slice(0, -shared.length) : text, "sqlite:");
  return path !== null && basename(path) === "service.db" ? dirname(path) : null;
};

/** The path of an address that is nothing but a scheme and an absolute path; null of any other. */
function pathOf(text: string, scheme: string): string | null {
  const url = URL.parse(text);
  if (url?.protocol !== scheme || url.host || !url.pathname.startsWith("/") || /[?#]/.test(text))
    return null;
  try {
    const path = decodeURIComponent(url.pathname);
    return path.includes("\0") ? null : resolve(path);
  } catch {
    return null;
  }
}

const unsupported = (message: string): LocalError =>
  new LocalError(
    "storage_unsupported",
    message,
    "The database is SQLite, and the files are in the folder `files` beside it: `--db sqlite:///FOLDER/service.db --files disk:///FOLDER/files`, with an absolute folder; or leave both out.",
  );
