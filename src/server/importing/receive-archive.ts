import type { Static, TSchema } from "@sinclair/typebox";
import { promises as fs } from "node:fs";
import { fits } from "../../contract/validate.ts";
import { genesisHash } from "../../db/log/chain.ts";
import type { ByteStore, Taken } from "../files/byte-store.ts";
import {
  archiveFormat,
  ArchivedPeople,
  archiveVersion,
  Manifest,
} from "../../board-archive/archive-format.ts";
import { archiveInvalid } from "../../board-archive/archive-invalid.ts";
import { eventLines, type LogPart } from "../../board-archive/event-lines.ts";
import type { ReceivedArchive } from "../../board-archive/received-archive.ts";
import { beyondBounds } from "./beyond-bounds.ts";
import { tarEntries, type TarEntry } from "../../board-archive/tar-entries.ts";
import { eventAgain, verifiedEvent, type VerifiedEvent } from "../../board-archive/verify-event.ts";

/** The largest of the two parts that are read into memory. */
const largestJson = 16 * 1024 * 1024;
/** How many events are verified before other requests get their turn. */
const someTogether = 200;
/** How far the clock of another server may be ahead, in milliseconds. */
const clockSkew = 60 * 60 * 1000;

/** A received archive, and the bytes of its files, which are still beside the store. */
export interface Received {
  readonly archive: ReceivedArchive;
  readonly files: readonly Taken[];
}

/**
 * Verifies an archive that lies at a path: its parts and their order, every event's schema and place in the chain, the
 * head, and the bytes of every file. Nothing of it is in the database or under a digest afterwards. The bytes of files that
 * were taken are added to `files`, so that they can be dropped whatever happens.
 */
export async function receiveArchive(
  path: string,
  bytes: Pick<ByteStore, "take">,
  now: number,
  files: Taken[],
): Promise<ReceivedArchive> {
  const file = await fs.open(path, "r");
  try {
    const entries = tarEntries(file, (await file.stat()).size);
    const manifest = manifestOf(await jsonPart(file, await part(entries, "manifest.json")));
    const people = await jsonPart(file, await part(entries, "people.json"));
    if (!fits(ArchivedPeople, people))
      throw archiveInvalid("people.json has not the form of a list of people");
    const log: LogPart = { path, ...(await part(entries, "events.jsonl")) };
    const found = await verifyLog(log, manifest, now);
    await takeFiles(file, entries, { bytes, cited: found.cited, files });
    return {
      manifest,
      people: people as Static<typeof ArchivedPeople>,
      name: found.name,
      events: () => eventLines(log).map(eventAgain),
    };
  } finally {
    await file.close();
  }
}

async function part(entries: AsyncGenerator<TarEntry>, name: string): Promise<TarEntry> {
  const { value } = await entries.next();
  if (value?.name !== name) throw archiveInvalid(`it has no ${name} where it must be`);
  return value;
}

async function jsonPart(file: FileHandle, { name, start, size }: TarEntry): Promise<unknown> {
  if (size > largestJson) throw archiveInvalid(`${name} is too large`);
  const text = Buffer.alloc(size);
  await file.read(text, 0, size, start);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    throw archiveInvalid(`${name} is no JSON`);
  }
}

function manifestOf(manifest: unknown): Static<typeof Manifest> {
  const { format, version } = (manifest ?? {}) as { format?: unknown; version?: unknown };
  if (format !== archiveFormat) throw archiveInvalid("it is no archive of a board");
  if (Number.isSafeInteger(version) && (version as number) > archiveVersion)
    throw archiveInvalid(
      `it has version ${version as number} of the format, and this program reads up to version ${archiveVersion}`,
    );
  if (!fitsAs(Manifest, manifest))
    throw archiveInvalid("manifest.json has not the form of a manifest");
  if (manifest.since)
    throw archiveInvalid(`it has only what came after #${manifest.since.seq}, and not the rest`);
  return manifest;
}
const fitsAs = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  fits(schema, value);

type FileHandle = Awaited<ReturnType<typeof fs.open>>;
interface Found {
  readonly name: string;
  /** The digests of all versions of files, with their sizes. */
  readonly cited: ReadonlyMap<string, number>;
}

async function verifyLog(
  log: LogPart,
  { board, head }: Static<typeof Manifest>,
  now: number,
): Promise<Found> {
  const cited = new Map<string, number>();
  let name = "";
  let last = { seq: 0, hash: genesisHash };
  for (const event of eventsOf(log, board.id)) {
    requireBeginning(event, board.id);
    if (Date.parse(event.at) > now + clockSkew)
      throw archiveInvalid(`event #${event.seq} says that it happens in the future`);
    const beyond = beyondBounds(event);
    if (beyond) throw archiveInvalid(`event #${event.seq} (${event.type}) ${beyond}`);
    if (event.type === "board.created" || event.type === "board.imported")
      name = event.payload["name"] as string;
    if (event.type === "file.version_added") cite(cited, event);
    last = event;
    if (event.seq % someTogether === 0) await Bun.sleep(0);
  }
  if (last.seq < 2) throw archiveInvalid("its log has no beginning");
  if (last.seq !== head.seq || `sha256:${last.hash}` !== head.hash)
    throw archiveInvalid(
      `its log ends at #${last.seq}, and not at the head that manifest.json names`,
    );
  if (name !== board.name)
    throw archiveInvalid("manifest.json names the board otherwise than its log");
  return { name, cited };
}

/** A log begins with the board, and then with the person who made it. */
function requireBeginning({ seq, type, payload }: VerifiedEvent, boardId: string): void {
  if ((seq === 1) !== (type === "board.created") || (seq === 2 && type !== "member.joined"))
    throw archiveInvalid(`event #${seq} is a ${type}, which cannot be there`);
  if (seq === 1 && payload["board_id"] !== boardId)
    throw archiveInvalid("event #1 makes another board");
}

function cite(cited: Map<string, number>, { seq, payload }: VerifiedEvent): void {
  const digest = (payload["digest"] as string).slice("sha256:".length);
  const size = payload["size"] as number;
  if ((cited.get(digest) ?? size) !== size)
    throw archiveInvalid(`event #${seq} gives the bytes of another file another size`);
  cited.set(digest, size);
}

function* eventsOf(log: LogPart, boardId: string): Generator<VerifiedEvent> {
  let before = { boardId, seq: 0, hash: genesisHash };
  for (const line of eventLines(log)) {
    const event = verifiedEvent(line, before);
    before = { boardId, seq: event.seq, hash: event.hash };
    yield event;
  }
}

interface Taking {
  readonly bytes: Pick<ByteStore, "take">;
  readonly cited: ReadonlyMap<string, number>;
  readonly files: Taken[];
}

/** Takes the bytes of every file. Refuses bytes that no version has, that come twice, and versions without bytes. */
async function takeFiles(
  file: FileHandle,
  entries: AsyncGenerator<TarEntry>,
  { bytes, cited, files }: Taking,
): Promise<void> {
  const missing = new Set(cited.keys());
  for await (const entry of entries) {
    const digest = /^files\/([0-9a-f]{64})$/.exec(entry.name)?.[1];
    if (digest === undefined || !missing.delete(digest))
      throw archiveInvalid(`nothing in its log needs ${entry.name}`);
    if (entry.size !== cited.get(digest))
      throw archiveInvalid(`${entry.name} has another size than its log says`);
    const taken = await bytes.take(chunksOf(file, entry));
    files.push(taken);
    if (taken.digest !== digest)
      throw archiveInvalid(`the bytes of ${entry.name} have another digest`);
  }
  const [lost] = missing;
  if (lost !== undefined) throw archiveInvalid(`files/${lost} is missing`);
}

async function* chunksOf(file: FileHandle, { start, size }: TarEntry): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const chunk = Buffer.alloc(Math.min(256 * 1024, size - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, start + at);
    if (bytesRead === 0) throw archiveInvalid("it breaks off");
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
