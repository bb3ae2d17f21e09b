import { join } from "node:path";
import type { Cli } from "./cli.ts";
import { changeJson, hasTexts, readJson, type JsonFile } from "./private-files.ts";
import type { ServerRef } from "./servers.ts";

/** A position of a log and its hash. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

type Heads = Record<string, Head>;
const headsFile = (cli: Cli): JsonFile<Heads> => ({
  path: join(cli.folders.state, "audit-heads.json"),
  holds: (content): content is Heads =>
    typeof content === "object" && content !== null && Object.values(content).every(isHead),
  afresh: "verify again: `service audit verify`",
});
const isHead = (head: unknown): boolean =>
  hasTexts(head, ["hash"]) && Number.isSafeInteger((head as Head).seq);
const keyOf = (server: ServerRef, boardId: string) => `${server.name} ${boardId}`;

/** The head of a board's log that this machine verified last, or null. */
export const pinnedHead = (cli: Cli, server: ServerRef, boardId: string): Head | null =>
  readJson(headsFile(cli))?.[keyOf(server, boardId)] ?? null;

/** Keeps the head of a board's log that was verified. One further on, kept by another run meanwhile, stays. */
export function pinHead(cli: Cli, server: ServerRef, boardId: string, { seq, hash }: Head): void {
  const key = keyOf(server, boardId);
  changeJson(headsFile(cli), {}, (heads) => {
    const kept = heads[key];
    return kept && kept.seq > seq ? heads : { ...heads, [key]: { seq, hash } };
  });
}
