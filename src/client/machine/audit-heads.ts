import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { changeJson, hasTexts, readJson, type JsonFile } from "./private-files.ts";
import type { ServerRef } from "./servers.ts";

/** A position of a log and its hash. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

type Heads = Record<string, Head>;
const headsFile = (machine: Machine): JsonFile<Heads> => ({
  path: join(machine.folders.state, "audit-heads.json"),
  holds: (content): content is Heads =>
    typeof content === "object" && content !== null && Object.values(content).every(isHead),
  afresh: "verify again: `service audit verify`",
});
const isHead = (head: unknown): boolean =>
  hasTexts(head, ["hash"]) && Number.isSafeInteger((head as Head).seq);
const keyOf = (server: ServerRef, boardId: string) => `${server.name} ${boardId}`;

/** The head of a board's log that this machine verified last, or null. */
export const pinnedHead = (machine: Machine, server: ServerRef, boardId: string): Head | null =>
  readJson(headsFile(machine))?.[keyOf(server, boardId)] ?? null;

/** Saves the verified head of a board's log, unless another run has saved a later one meanwhile. */
export function pinHead(
  machine: Machine,
  server: ServerRef,
  boardId: string,
  { seq, hash }: Head,
): void {
  const key = keyOf(server, boardId);
  changeJson(headsFile(machine), {}, (heads) => {
    const kept = heads[key];
    return kept && kept.seq > seq ? heads : { ...heads, [key]: { seq, hash } };
  });
}
