import { join } from "node:path";
import type { Cli } from "../cli.ts";
import { changeJson, hasTexts, readJson, type JsonFile } from "../private-files.ts";
import type { FilePlace } from "./place.ts";

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
const fileIn = ({ folders }: Pick<Cli, "folders">): JsonFile<unknown> => ({
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
export function remembered(cli: Pick<Cli, "folders">): Remembered[] {
  try {
    return entriesOf(readJson(fileIn(cli))).reverse();
  } catch {
    return [];
  }
}

/** Whose memory a command uses. */
export async function ownerAt({ actor, api, board }: FilePlace): Promise<Owner> {
  const who = actor.kind === "agent" ? actor.seat.member_id : (await api.call("getMe")).id;
  return { who, server: actor.server.name, board };
}

const isOwners = (entry: Remembered, { who, server, board }: Owner) =>
  entry.who === who && entry.server === server && entry.board === board;

/** What an owner last fetched or wrote, newest first: at a path, everywhere without one. */
export const rememberedBy = (cli: Cli, owner: Owner, path?: string): Remembered[] =>
  remembered(cli).filter(
    (entry) => isOwners(entry, owner) && (path === undefined || entry.path === path),
  );

/** Notes a version, in place of what was known of the same file at the same path. */
export const remember = (cli: Cli, entry: Remembered): void =>
  change(cli, (entries) => [
    ...entries.filter(
      (one) => !(isOwners(one, entry) && one.file_id === entry.file_id && one.path === entry.path),
    ),
    entry,
  ]);

/** Notes that a file has another name, for everybody on this machine. */
export const rememberName = (cli: Cli, file: { readonly id: string; readonly name: string }) =>
  changeOf(cli, file.id, (entry) => [{ ...entry, name: file.name }]);

/** Forgets a file that was removed. */
export const forget = (cli: Cli, fileId: string): void => changeOf(cli, fileId, () => []);

function changeOf(cli: Cli, fileId: string, changed: (entry: Remembered) => Remembered[]): void {
  if (remembered(cli).some(({ file_id }) => file_id === fileId))
    change(cli, (entries) =>
      entries.flatMap((entry) => (entry.file_id === fileId ? changed(entry) : [entry])),
    );
}

function change(cli: Cli, changed: (entries: Remembered[]) => Remembered[]): void {
  try {
    changeJson<unknown>(fileIn(cli), null, (content) => ({
      files: changed(entriesOf(content)).slice(-most),
    }));
  } catch (error) {
    cli.note(`It could not be remembered which version this is: ${(error as Error).message}`);
  }
}
