import { constants, closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { greatestSeq } from "../contract/limits.ts";
import { idForm } from "../contract/forms.ts";
import {
  BackupDamaged,
  BackupFailed,
  BackupNotFound,
  isForbidden,
  mayNotRead,
} from "./backup-errors.ts";

/** One stored part of a backup: its bytes are found by their digest. */
export interface StoredBytes {
  /** Lowercase hex. */
  readonly sha256: string;
  readonly size: number;
}

/** A board as it was when the backup was taken. */
export interface BackedUpBoard {
  readonly id: string;
  readonly seq: number;
  /** Hash of the last event, in lowercase hex. */
  readonly head: string;
}

/** What `manifest.json` says. A folder without it is no backup: it is written last. */
export interface Manifest {
  readonly format: typeof manifestFormat;
  /** Version of the program that made the backup. */
  readonly program: string;
  /** How many migrations its database has. */
  readonly schema: number;
  readonly server_id: string;
  readonly mode: "local" | "team";
  readonly generation: string;
  /** When the copied state was the newest one: UTC with three fraction digits. */
  readonly at: string;
  readonly boards: readonly BackedUpBoard[];
  readonly database: StoredBytes;
  readonly digest_key: StoredBytes;
  /** The bytes of files, each once, ordered by digest. */
  readonly files: readonly StoredBytes[];
}

/** A part of a backup with the place where it lies in the backup's folder. */
export interface Part extends StoredBytes {
  /** With `/`, also on other systems. It is derived from digests and constants, never read from a manifest. */
  readonly path: string;
}

/** The format that this program writes and reads. */
export const manifestFormat = 1;
export const manifestName = "manifest.json";
/** The form of a backup's name. */
export const backupNameForm = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** Most bytes of a manifest: some 700,000 files. */
export const largestManifest = 64 * 1024 * 1024;

/** Where the bytes of a file lie, in a backup as in a data folder. */
export const pathOfFile = (sha256: string): string => `files/${sha256.slice(0, 2)}/${sha256}`;

/** Every part of a backup but its manifest, the database last: whoever writes them in this order writes it last. */
export const partsOf = ({ database, digest_key, files }: Manifest): Part[] => [
  { path: "digest-key", ...digest_key },
  ...files.map((bytes) => ({ path: pathOfFile(bytes.sha256), ...bytes })),
  { path: "service.db", ...database },
];

/** Bytes of a backup without its manifest. */
export const sizeOf = (manifest: Manifest): number =>
  partsOf(manifest).reduce((sum, { size }) => sum + size, 0);

/** The text of `manifest.json`. It ends with its own digest, so that an edited one is noticed. Throws for one that is too large to be read again. */
export function manifestText(manifest: Manifest): string {
  const body = JSON.stringify(ordered(manifest));
  const text = `${JSON.stringify({ manifest: ordered(manifest), sha256: digestOf(body) })}\n`;
  if (Buffer.byteLength(text) > largestManifest)
    throw new BackupFailed(
      "backup_failed",
      `There are ${manifest.files.length} files, and a backup names some 700,000: its manifest has at most ${largestManifest / 1024 / 1024} MiB.`,
      "Delete boards and files that nobody needs, or move boards to another server: `service board move`",
    );
  return text;
}

/** Reads the manifest of the backup in a folder. Throws `BackupNotFound` or `BackupDamaged`. */
export function readManifest(folder: string): Manifest {
  const file = join(folder, manifestName);
  return parseManifest(file, boundedText(file, folder));
}

/** Reads the text of a manifest, which may come from anywhere. `name` is what its errors call it. Throws `BackupDamaged`. */
export function parseManifest(name: string, text: string): Manifest {
  const damaged = (why: string): never => {
    throw new BackupDamaged(name, why);
  };
  if (Buffer.byteLength(text) > largestManifest) damaged("it is too large");
  const outer = record(jsonOf(text) ?? damaged("it is not JSON"));
  const inner = record(outer?.["manifest"]);
  if (!outer || !inner) return damaged("it is not the manifest of a backup");
  const { format } = inner;
  if (format !== manifestFormat)
    damaged(
      typeof format === "number" && format > manifestFormat
        ? `a newer version of this program wrote it (format ${format}, this one knows ${manifestFormat})`
        : "its format is not known",
    );
  if (!hasExactly(outer, ["manifest", "sha256"]) || !isManifest(inner))
    return damaged("it does not have the fields of a manifest");
  if (outer["sha256"] !== digestOf(JSON.stringify(inner)))
    damaged("it was changed after it was written");
  return inner;
}

const digestOf = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");

/** The manifest with its fields in the order in which they are digested, and no others. */
const ordered = (manifest: Manifest): Manifest => ({
  format: manifest.format,
  program: manifest.program,
  schema: manifest.schema,
  server_id: manifest.server_id,
  mode: manifest.mode,
  generation: manifest.generation,
  at: manifest.at,
  boards: manifest.boards.map(({ id, seq, head }) => ({ id, seq, head })),
  database: bytesOf(manifest.database),
  digest_key: bytesOf(manifest.digest_key),
  files: manifest.files.map(bytesOf),
});
const bytesOf = ({ sha256, size }: StoredBytes): StoredBytes => ({ sha256, size });

function boundedText(file: string, folder: string): string {
  let descriptor: number;
  try {
    // A manifest is a file: a link or a pipe of that name is not followed.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new BackupNotFound(basename(folder), dirname(folder));
    if (isForbidden(error)) throw mayNotRead(file);
    throw new BackupDamaged(file, `it cannot be read: ${message}`);
  }
  try {
    const there = fstatSync(descriptor);
    if (!there.isFile()) throw new BackupDamaged(file, "it is not a file");
    if (there.size > largestManifest) throw new BackupDamaged(file, "it is too large");
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;
const record = (value: unknown): Json | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;

const hasExactly = (value: Json, names: readonly string[]): boolean => {
  const own = Object.keys(value);
  return own.length === names.length && names.every((name) => Object.hasOwn(value, name));
};

const hex = /^[0-9a-f]{64}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const serverId = new RegExp(idForm("srv"));
const generationId = new RegExp(idForm("gen"));
const boardId = new RegExp(idForm("brd"));
const isText = (value: unknown, form: RegExp): value is string =>
  typeof value === "string" && form.test(value);
const isCount = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

const fields = [
  "format",
  "program",
  "schema",
  "server_id",
  "mode",
  "generation",
  "at",
  "boards",
  "database",
  "digest_key",
  "files",
];

function isManifest(value: Json | Manifest): value is Manifest {
  const { program, schema, server_id, mode, generation, at, boards, database, digest_key, files } =
    value as Json;
  return (
    hasExactly(value as Json, fields) &&
    isText(program, /^[\x21-\x7e]{1,100}$/) &&
    isCount(schema, 1, 100_000) &&
    isText(server_id, serverId) &&
    (mode === "local" || mode === "team") &&
    isText(generation, generationId) &&
    isText(at, time) &&
    Array.isArray(boards) &&
    boards.every(isBoard) &&
    isBytes(database) &&
    isBytes(digest_key) &&
    Array.isArray(files) &&
    files.every(isBytes) &&
    isRising(files.map(({ sha256 }: StoredBytes) => sha256)) &&
    new Set(boards.map(({ id }: BackedUpBoard) => id)).size === boards.length
  );
}

function isBoard(value: unknown): value is BackedUpBoard {
  const board = record(value);
  return (
    board !== null &&
    hasExactly(board, ["id", "seq", "head"]) &&
    isText(board["id"], boardId) &&
    isCount(board["seq"], 1, greatestSeq) &&
    isText(board["head"], hex)
  );
}

function isBytes(value: unknown): value is StoredBytes {
  const bytes = record(value);
  return (
    bytes !== null &&
    hasExactly(bytes, ["sha256", "size"]) &&
    isText(bytes["sha256"], hex) &&
    isCount(bytes["size"], 0, Number.MAX_SAFE_INTEGER)
  );
}

/** Each digest once, and in order. */
const isRising = (digests: readonly string[]): boolean =>
  digests.every((digest, index) => index === 0 || digest > digests[index - 1]!);
