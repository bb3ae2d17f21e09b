import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { changeJson, hasTexts, readJson, type JsonFile } from "./private-files.ts";

/** Whose entry it is: an agent's seat or a person, on one board of one server. */
export interface Owner {
  /** Id of the seat or of the person. */
  readonly who: string;
  /** `local`, or the server's address. */
  readonly server: string;
  readonly board: string;
  /** The server's generation. Missing in entries of older versions of this program, and for servers that have none. */
  readonly server_generation?: string | undefined;
}

/** Which version of a file was fetched to a path of this machine, or written from it. */
export interface Remembered extends Owner {
  readonly file_id: string;
  readonly name: string;
  readonly version: number;
  /** Digest of the bytes that were at the path then. */
  readonly digest: string;
  /** Absolute. */
  readonly path: string;
}

/** The most entries that are kept. The oldest are dropped first. */
const most = 2_000;
const texts = ["who", "server", "board", "file_id", "name", "digest", "path"];

/** Any content is valid, because a damaged file must not fail a command. Invalid entries are left out and gone after the next change. */
const fileIn = ({ folders }: Pick<Machine, "folders">): JsonFile<unknown> => ({
  path: join(folders.state, "files.json"),
  holds: (content): content is unknown => entriesOf(content).length >= 0,
});
const isEntry = (value: unknown): value is Remembered =>
  hasTexts(value, texts) && Number.isSafeInteger((value as Remembered).version);
function entriesOf(content: unknown): Remembered[] {
  const { files } = (content ?? {}) as { files?: unknown };
  return Array.isArray(files) ? files.filter(isEntry) : [];
}

/** All entries, newest first. None if the file cannot be read. */
export function remembered(machine: Pick<Machine, "folders">): Remembered[] {
  try {
    return entriesOf(readJson(fileIn(machine))).reverse();
  } catch {
    return [];
  }
}

const isOwners = (entry: Remembered, { who, server, board }: Owner) =>
  entry.who === who && entry.server === server && entry.board === board;

/** The entries of an owner, newest first: at one path, or all of them without one. */
export const rememberedBy = (machine: Machine, owner: Owner, path?: string): Remembered[] =>
  remembered(machine).filter(
    (entry) => isOwners(entry, owner) && (path === undefined || entry.path === path),
  );

/** Saves an entry, in place of an earlier one for that file at that path. */
export const remember = (machine: Machine, entry: Remembered): void =>
  change(machine, (entries) => [
    ...entries.filter(
      (one) => !(isOwners(one, entry) && one.file_id === entry.file_id && one.path === entry.path),
    ),
    entry,
  ]);

/** Changes the name of a file in every owner's entries. */
export const rememberName = (
  machine: Machine,
  file: { readonly id: string; readonly name: string },
) => changeOf(machine, file.id, (entry) => [{ ...entry, name: file.name }]);

/** Forgets a file that was removed. */
export const forget = (machine: Machine, fileId: string): void =>
  changeOf(machine, fileId, () => []);

function changeOf(
  machine: Machine,
  fileId: string,
  changed: (entry: Remembered) => Remembered[],
): void {
  if (remembered(machine).some(({ file_id }) => file_id === fileId))
    change(machine, (entries) =>
      entries.flatMap((entry) => (entry.file_id === fileId ? changed(entry) : [entry])),
    );
}

function change(machine: Machine, changed: (entries: Remembered[]) => Remembered[]): void {
  try {
    changeJson<unknown>(fileIn(machine), null, (content) => ({
      files: changed(entriesOf(content)).slice(-most),
    }));
  } catch (error) {
    machine.note(`The version of this file could not be remembered: ${(error as Error).message}`);
  }
}
