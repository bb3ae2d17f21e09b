import { rmSync } from "node:fs";
import type { Given } from "../../client/client.ts";
import type { OutputOf } from "../../contract/index.ts";
import type { Cli } from "../frame/cli.ts";
import { cleaningUp } from "../frame/on-signal.ts";
import { withLocalHint } from "./local-hints.ts";
import { type Refused } from "./local-hints.ts";
import type { Place } from "../acting/place-of.ts";
import { versionOf } from "./version-flag.ts";
import { isStillThere } from "./still-there.ts";
import { watched } from "../frame/progress.ts";
import {
  remember,
  rememberedBy,
  type Owner,
  type Remembered,
} from "../../client/machine/remembered-files.ts";

export type BoardFile = OutputOf<"putFile">;
export type Query = NonNullable<Given<"putFile">["query"]>;

/** The bytes to send, and the file that they become a version of. */
interface Sending extends Refused {
  /** Whether the path is the person's and its version is remembered. */
  readonly isKept: boolean;
  readonly query: Query;
}

/** What a new version replaces: the version of `--base`, else the remembered one. */
export function replacing(
  base: string | undefined,
  known: Remembered | null,
): Pick<Query, "base" | "file_id"> {
  const named = base === undefined ? null : versionOf("--base", base, 0);
  if (named === null) return known ? { base: known.version, file_id: known.file_id } : {};
  return named === known?.version ? { base: named, file_id: known.file_id } : { base: named };
}

/** The version that an owner last fetched to a path or sent from it; with `name`, of the file of that name. */
export const knownAt = (place: Place, owner: Owner, path: string, name?: string) =>
  knownOf(place, owner, path, (entry) => name === undefined || entry.name === name);

/** The newest entry of an owner that is wanted: at one path, or at any. Null if the board no longer has its version. */
export async function knownOf(
  place: Place,
  owner: Owner,
  path: string | undefined,
  isWanted: (entry: Remembered) => boolean,
): Promise<Remembered | null> {
  const entry = rememberedBy(place.cli, owner, path).find(isWanted);
  return entry && (await isStillThere(place, owner, entry)) ? entry : null;
}

/** Writes a version of a file and remembers it. */
export async function sendFile(place: Place, owner: Owner, sending: Sending): Promise<BoardFile> {
  const { cli, api, board } = place;
  const { path, isKept, query } = sending;
  const bytes = Bun.file(path);
  const watch = watched(cli, "Sending", query.name, bytes.size);
  try {
    const file = await api.upload({ params: { board }, query }, bytes, watch);
    const { id: file_id, name, latest } = file;
    const { version, digest } = latest;
    if (isKept) remember(cli, { ...owner, file_id, name, version, digest, path });
    return file;
  } catch (error) {
    watch.end();
    throw await withLocalHint(place, error, sending);
  } finally {
    watch.end();
  }
}

/** Runs with what is piped in as a file of this machine, which is gone afterwards: it has to be read more than once. */
export async function withInput<T>(cli: Cli, run: (path: string) => Promise<T>): Promise<T> {
  const path = `${cli.system.temporaryFolder()}/service-${crypto.randomUUID()}`;
  const { spooled } = await import("./spool.ts");
  const remove = () => rmSync(path, { force: true });
  return cleaningUp(cli, remove, async () => {
    await spooled(cli.stdin, path);
    return run(path);
  });
}
