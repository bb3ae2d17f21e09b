import { oneLine } from "../terminal/clean.ts";
import type { Typed } from "../frame/suggest.ts";
import type { Message } from "./message-types.ts";

type Attaching = Pick<Message, "files">;

/** The files that a message attaches, such as `plan.md v2`. */
export const attachedTo = ({ files = [] }: Attaching): string[] =>
  files.map(({ name, version }) => `${oneLine(name)} v${version}`);

/** A line for below a message's text, with each file and its id, since a name can change; no line without files. */
export function attachedLine(message: Attaching): string[] {
  const { files = [] } = message;
  if (files.length === 0) return [];
  const shown = attachedTo(message).map((file, index) => `${file} (${files[index]!.id})`);
  return [`Attached: ${shown.join(", ")}`];
}

/** A line with the command that fetches files, if any of the messages has files. */
export const fetchingLine = (messages: readonly Attaching[], typed: Typed): string[] =>
  messages.some(({ files }) => files?.length)
    ? [`Fetch a file: ${typed("file get ID --version N")}`]
    : [];
