import { basename } from "node:path";
import { mostTasksAbout } from "../../contract/limits.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { toSend } from "./local-file.ts";
import { boardName } from "./file-name.ts";
import type { Place } from "../acting/place-of.ts";
import { ownerAt } from "./file-place.ts";
import {
  knownAt,
  replacing,
  sendFile,
  withInput,
  type BoardFile,
  type Query,
} from "./send-file.ts";
import { commandLine, words } from "../frame/suggest.ts";

interface PutFlags {
  readonly path: string;
  readonly name?: string | undefined;
  readonly base?: string | undefined;
  readonly task: readonly string[];
  readonly maintained: boolean;
  readonly mediaType?: string | undefined;
}

/** Writes a file of this machine, or what is piped in, to a board. */
export async function putFile(place: Place, flags: PutFlags): Promise<BoardFile> {
  if (flags.task.length > mostTasksAbout)
    throw usageError(
      `There are ${flags.task.length} tasks, and ${mostTasksAbout} are the most.`,
      "Leave some out.",
    );
  if (flags.path !== "-") return putFrom(place, flags, toSend(place.cli.cwd, flags.path));
  if (flags.name === undefined)
    throw usageError(
      "What is piped in has no name.",
      "Give it one: `service file put - --name notes.md`.",
    );
  nameOf(place, flags, flags.name);
  return withInput(place.cli, (path) => putFrom(place, flags, path));
}

async function putFrom(place: Place, flags: PutFlags, path: string): Promise<BoardFile> {
  const isKept = flags.path !== "-";
  const owner = await ownerAt(place);
  const known = isKept ? await knownAt(place, owner, path, flags.name) : null;
  const name = nameOf(place, flags, flags.name ?? known?.name ?? basename(flags.path));
  const query: Query = {
    name,
    ...replacing(flags.base, known),
    ...(flags.maintained && { maintained: true }),
    ...(flags.task.length > 0 && { about: [...flags.task] }),
    ...(flags.mediaType !== undefined && { media_type: flags.mediaType }),
  };
  const command = commandOf(flags);
  const commandAs = (other: string) => commandOf({ ...flags, name: other });
  const sending = { typedPath: flags.path, path, isKept, query, known, command, commandAs };
  return sendFile(place, owner, sending);
}

const nameOf = ({ hinted }: Place, flags: PutFlags, name: string): string =>
  boardName(name, (other) => hinted(commandOf({ ...flags, name: other })));

/** The command that was typed, without `--base`. */
const commandOf = ({ path, name, task, maintained, mediaType }: PutFlags): string =>
  commandLine({
    words: words`file put ${path}`,
    flags: { name, task, maintained, "media-type": mediaType },
  });
