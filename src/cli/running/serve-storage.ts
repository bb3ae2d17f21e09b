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
}

interface Flags {
  readonly db?: string | undefined;
  readonly files?: string | undefined;
}

/** Reads `--db` and `--files`, else SERVICE_DB and SERVICE_FILES. Refuses every other kind of storage, and never shows the address: it may hold a password. */
export function storageOf(env: Env, flags: Flags): Storage {
  const asked = (flag: "db" | "files", read: (text: string) => string | null): Asked | null => {
    const variable = `SERVICE_${flag.toUpperCase()}`;
    const text = flags[flag] ?? env[variable];
    if (!text) return null;
    const by = flags[flag] === undefined ? variable : `--${flag}`;
    const folder = read(text);
    if (folder === null) throw unsupported(`${by} names storage that this program does not have.`);
    return { by, folder };
  };
  return {
    data: asked("db", dataFolderOf),
    files: asked("files", (text) => pathOf(text, "disk:")),
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

const dataFolderOf = (text: string): string | null => {
  const path = pathOf(text, "sqlite:");
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
