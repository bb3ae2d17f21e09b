import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { changeJson, hasTexts, readJson, type JsonFile } from "./private-files.ts";

/** Whose memory it is: an agent's seat or a person, on one board of one server. */
export interface Owner {
  /** Id of the seat or of the person. */
  readonly who: string;
  /** `local`, or the server's address. */
  readonly server: string;
  readonly board: string;
}

/** Which version of a file was fetched to a path of this machine, or written from it. */
export interface Remembered extends Owner {
  readonly file_id: string;
  readonly name: string;
  readonly version: number;
  /** Of the bytes that stood at the path then. */
  readonly digest: string;
  /** Absolute. */
  readonly path: string;
}

/** The oldest are forgotten beyond so many. */
const most = 2_000;
const texts = ["who", "server", "board", "file_id", "name", "digest", "path"];

/** Any content counts, since a damaged file must fail nothing: what is no entry is left out, and gone with the next change. */
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

/** What is remembered, newest first. Nothing where it cannot be read. */
export function remembered(machine: Pick<Machine, "folders">): Remembered[] {
  try {
    return entriesOf(readJson(fileIn(machine))).reverse();
  } catch {
    return [];
  }
}

const isOwners = (entry: Remembered, { who, server, board }: Owner) =>
  entry.who === who && entry.server === server && entry.board === board;

/** What an owner last fetched or wrote, newest first: at a path, everywhere without one. */
export const rememberedBy = (machine: Machine, owner: Owner, path?: string): Remembered[] =>
  remembered(machine).filter(
    (entry) => isOwners(entry, owner) && (path === undefined || entry.path === path),
  );

/** Notes a version, in place of what was known of the same file at the same path. */
export const remember = (machine: Machine, entry: Remembered): void =>
  change(machine, (entries) => [
    ...entries.filter(
      (one) => !(isOwners(one, entry) && one.file_id === entry.file_id && one.path === entry.path),
    ),
    entry,
  ]);

/** Notes that a file has another name, for everybody on this machine. */
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
    machine.note(`It could not be remembered which version this is: ${(error as Error).message}`);
  }
}
