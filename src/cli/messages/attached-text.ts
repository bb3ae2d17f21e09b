import { oneLine } from "../terminal/clean.ts";
import type { Typed } from "../frame/suggest.ts";
import type { Message } from "./message-types.ts";

type Attaching = Pick<Message, "files">;

/** The files that a message attaches, such as `plan.md v2`. */
export const attachedTo = ({ files = [] }: Attaching): string[] =>
  files.map(({ name, version }) => `${oneLine(name)} v${version}`);

/** The same with the id of each file on a line below a message's text; nothing without files. An id outlives a name. */
export function attachedLine(message: Attaching): string[] {
  const { files = [] } = message;
  if (files.length === 0) return [];
  const shown = attachedTo(message).map((file, index) => `${file} (${files[index]!.id})`);
  return [`Attached: ${shown.join(", ")}`];
}

/** What an agent is told after a message with files: how to fetch each. The id finds it under any later name. */
export const attachedHints = ({ files = [] }: Attaching, typed: Typed): string[] =>
  files.map(
    ({ id, name, version }) =>
      `Attached: ${oneLine(name)} v${version}. Fetch it: ${typed(`file get ${id} --version ${version}`)}`,
  );

/** How the files of some messages are fetched; nothing when none has any. */
export const fetchingLine = (messages: readonly Attaching[], typed: Typed): string[] =>
  messages.some(({ files }) => files?.length)
    ? [`Fetch a file: ${typed("file get ID --version N")}`]
    : [];
