import { join } from "node:path";
import type { KeptHeads } from "../compare-heads.ts";
import type { Machine } from "./machine.ts";
import { changeJson, hasTexts, readJson, type JsonFile } from "./private-files.ts";
import type { ServerRef } from "./servers.ts";
import type { Head } from "../thinned-heads.ts";

/** The entry of a board in the file: its newest head, as older versions of this program read it, and the earlier ones. */
interface Entry extends Head {
  readonly server_generation?: string;
  readonly earlier?: readonly Head[];
}

type Entries = Record<string, Entry>;
const headsFile = (machine: Machine): JsonFile<Entries> => ({
  path: join(machine.folders.state, "audit-heads.json"),
  holds: (content): content is Entries =>
    typeof content === "object" &&
    content !== null &&
    !Array.isArray(content) &&
    Object.values(content).every(isEntry),
  afresh: "verify again: `service audit verify`",
});
const keyOf = (server: ServerRef, boardId: string) => `${server.name} ${boardId}`;

function isEntry(entry: unknown): entry is Entry {
  if (!isHead(entry)) return false;
  const { server_generation, earlier = [] } = entry as Partial<Record<keyof Entry, unknown>>;
  if (server_generation !== undefined && typeof server_generation !== "string") return false;
  if (!Array.isArray(earlier) || !earlier.every(isHead)) return false;
  const heads = [...earlier, entry];
  return heads.every(({ seq }, i) => i === 0 || seq > heads[i - 1]!.seq);
}
const isHead = (head: unknown): head is Head =>
  hasTexts(head, ["hash"]) &&
  /^sha256:[0-9a-f]{64}$/.test((head as Head).hash) &&
  Number.isSafeInteger((head as Head).seq) &&
  (head as Head).seq > 0;

/** The heads of a board's log that this machine has verified, or null for none. Refuses a damaged file. */
export function keptHeads(machine: Machine, server: ServerRef, boardId: string): KeptHeads | null {
  const entry = readJson(headsFile(machine))?.[keyOf(server, boardId)];
  if (!entry) return null;
  const { seq, hash, server_generation = null, earlier = [] } = entry;
  return { server_generation, heads: [...earlier, { seq, hash }] };
}

/** Saves the verified heads of a board in place of the ones that were read before, unless another run has saved later ones meanwhile. */
export function keepHeads(
  machine: Machine,
  server: ServerRef,
  boardId: string,
  { server_generation, heads }: KeptHeads,
  before: KeptHeads | null,
): void {
  const key = keyOf(server, boardId);
  const { seq, hash } = heads.at(-1)!;
  const known = before?.heads.at(-1)?.seq;
  changeJson(headsFile(machine), {}, (entries) => {
    const stored = entries[key];
    if (stored && stored.seq !== known && stored.seq > seq) return entries;
    const generation = server_generation === null ? {} : { server_generation };
    return { ...entries, [key]: { seq, hash, ...generation, earlier: heads.slice(0, -1) } };
  });
}
