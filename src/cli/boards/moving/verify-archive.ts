import { open, type FileHandle } from "node:fs/promises";
import { archiveInvalid } from "../../../board-archive/archive-invalid.ts";
import { eventLines, type LogPart } from "../../../board-archive/event-lines.ts";
import { tarEntries, type TarEntry } from "../../../board-archive/tar-entries.ts";
import { digestsOf, extend, genesis } from "../../../client/verify.ts";

/** What an archive was found to hold. */
export interface Verified {
  /** After which event the log in it begins: none, but for the archive of a part. */
  readonly since: Head;
  readonly board: { readonly id: string; readonly name: string };
  readonly head: Head;
  readonly events: number;
  readonly files: number;
}

/** The head at which the log of an archive ends. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** After which event a whole log begins. */
const beginning: Head = { seq: genesis.seq, hash: genesis.hash };
/** How many events are checked before other work gets its turn. */
const someTogether = 500;
/** The largest manifest, in bytes: it has a few names and hashes. */
const largestManifest = 64 * 1024;
/** The largest list of people, in bytes, that a server takes. */
const largestList = 16 * 1024 * 1024;

/**
 * Checks an archive as the server that gets it will, without the schemas of its events: its parts and their order, the
 * chain up to the head that it names, and that it has the bytes of every version of a file once and nothing else. Given the
 * number of bytes that the server announced, it refuses any other. `after` is the event after which it must begin: 0 for a
 * whole board. Throws an error that says what is wrong.
 */
export async function verifyArchive(
  path: string,
  { announced, after = 0 }: { readonly announced?: number; readonly after?: number } = {},
): Promise<Verified> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (announced !== undefined && size !== announced)
      throw archiveInvalid(`it has ${size} bytes, and the server announced ${announced}`);
    const entries = tarEntries(file, size);
    const { board, since, head } = await manifestIn(file, await part(entries, "manifest.json"));
    if (since.seq !== after)
      throw archiveInvalid(`its log begins after #${since.seq}, and not after #${after}`);
    await peopleIn(file, await part(entries, "people.json"));
    const log = await part(entries, "events.jsonl");
    const cited = await chainIn({ path, ...log }, board.id, { since, head });
    const events = head.seq - since.seq;
    return { board, since, head, events, files: await filesIn(file, entries, cited) };
  } finally {
    await file.close();
  }
}

async function part(entries: AsyncGenerator<TarEntry>, name: string): Promise<TarEntry> {
  const { value } = await entries.next();
  if (value?.name !== name) throw archiveInvalid(`it has no ${name} where it must be`);
  return value;
}

async function jsonIn(
  file: FileHandle,
  { name, start, size }: TarEntry,
  largest: number,
): Promise<unknown> {
  if (size > largest) throw archiveInvalid(`${name} is too large`);
  const bytes = Buffer.alloc(size);
  await file.read(bytes, 0, size, start);
  return parsed(bytes.toString(), name);
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw archiveInvalid(`${what} is no JSON`);
  }
}

async function manifestIn(
  file: FileHandle,
  entry: TarEntry,
): Promise<Pick<Verified, "board" | "since" | "head">> {
  const manifest = (await jsonIn(file, entry, largestManifest)) as Partial<Verified> | null;
  const { board, head, since = beginning } = manifest ?? {};
  const whole =
    typeof board?.id === "string" &&
    typeof board.name === "string" &&
    isHead(head) &&
    isHead(since);
  if (!whole) throw archiveInvalid("manifest.json has not the form of a manifest");
  return { board, since, head };
}

const isHead = (head: Partial<Head> | null | undefined): head is Head =>
  Number.isSafeInteger(head?.seq) && typeof head?.hash === "string";

async function peopleIn(file: FileHandle, entry: TarEntry): Promise<void> {
  const people = await jsonIn(file, entry, largestList);
  const whole =
    Array.isArray(people) &&
    people.every((one) => typeof one?.id === "string" && typeof one.handle === "string");
  if (!whole) throw archiveInvalid("people.json has not the form of a list of people");
  if (new Set(people.map(({ id }) => id)).size !== people.length)
    throw archiveInvalid("people.json has somebody twice");
}

/** Checks the chain. Gives the digests that its versions of files name, with the size of each. */
async function chainIn(
  log: LogPart,
  boardId: string,
  { since, head }: Pick<Verified, "since" | "head">,
): Promise<Map<string, number>> {
  const cited = new Map<string, number>();
  let chain = { ...genesis, seq: since.seq, hash: since.hash };
  for (const line of eventLines(log)) {
    const seq = chain.seq + 1;
    const event = eventIn(line, seq);
    if (event.board_id !== boardId) throw archiveInvalid(`event #${seq} is of another board`);
    if (event.data === undefined) throw archiveInvalid(`event #${seq} has no data`);
    const longer = extend(chain, event, await digestsOf(event, sha256));
    if (typeof longer === "string")
      throw archiveInvalid(`its log is not whole after #${chain.seq}: ${longer}`);
    chain = longer;
    if (event.type === "file.version_added") cite(cited, event);
    if (chain.seq % someTogether === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (chain.seq === 0) throw archiveInvalid("it has no log");
  if (chain.seq !== head.seq || chain.hash !== head.hash)
    throw archiveInvalid(`its log ends at #${chain.seq}, and not at the head that it names`);
  return cited;
}

type Event = Parameters<typeof digestsOf>[0];

function eventIn(line: string, seq: number): Event {
  const event = parsed(line, `event #${seq}`) as Partial<Event> | null;
  if (typeof event?.actor !== "object" || event.actor === null)
    throw archiveInvalid(`event #${seq} has not the form of an event`);
  return event as Event;
}

function cite(cited: Map<string, number>, { seq, data }: Event): void {
  const { digest, size } = data as { digest?: unknown; size?: unknown };
  const hex = /^sha256:([0-9a-f]{64})$/.exec(String(digest))?.[1];
  if (hex === undefined || !Number.isSafeInteger(size))
    throw archiveInvalid(`event #${seq} names no bytes`);
  if ((cited.get(hex) ?? size) !== size)
    throw archiveInvalid(`event #${seq} gives the bytes of another file another size`);
  cited.set(hex, size as number);
}

/** Checks the bytes of every file. Gives their number. */
async function filesIn(
  file: FileHandle,
  entries: AsyncGenerator<TarEntry>,
  cited: ReadonlyMap<string, number>,
): Promise<number> {
  const missing = new Set(cited.keys());
  for await (const entry of entries) {
    const digest = /^files\/([0-9a-f]{64})$/.exec(entry.name)?.[1];
    if (digest === undefined || !missing.delete(digest))
      throw archiveInvalid(`nothing in its log needs ${entry.name}`);
    if (entry.size !== cited.get(digest))
      throw archiveInvalid(`${entry.name} has another size than its log says`);
    if ((await digestOf(file, entry)) !== digest)
      throw archiveInvalid(`the bytes of ${entry.name} have another digest`);
  }
  const [lost] = missing;
  if (lost !== undefined) throw archiveInvalid(`files/${lost} is missing`);
  return cited.size;
}

const sha256 = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");

async function digestOf(file: FileHandle, { start, size }: TarEntry): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  const chunk = Buffer.alloc(256 * 1024);
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, size - at), start + at);
    if (bytesRead === 0) throw archiveInvalid("it breaks off");
    hasher.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hasher.digest("hex");
}
