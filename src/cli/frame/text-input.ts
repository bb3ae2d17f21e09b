import { longestMessage } from "../../contract/limits.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import type { Input } from "./surroundings.ts";

/** The text of a message: the typed one, or standard input for `-` or none. Refuses a blank text. */
export async function saidText(stdin: Input, typed: string | undefined): Promise<string> {
  const text = typed === undefined || typed === "-" ? await fromInput(stdin, typed) : typed;
  if (text.trim() !== "") return text;
  throw usageError(
    "There is no text.",
    'Write it in quotes, as in `service say "TEXT"`, or pipe it in: `service say < FILE`.',
  );
}

/** No character of UTF-8 has more bytes, so a longer input is refused before it is read to its end, which it may not have. */
const mostTextBytes = longestMessage * 4;

/** The piped input without the line breaks at its end. A terminal is read only for `-`. */
async function fromInput(stdin: Input, typed: "-" | undefined): Promise<string> {
  if (typed === undefined && stdin.isTerminal()) return "";
  const bytes = await pipedIn(stdin, mostTextBytes);
  if (bytes === null)
    throw new LocalError(
      "message_too_large",
      `The text is too large: at most ${longestMessage} characters.`,
      'A long text goes into several messages, or into a file: `service say "TEXT" --attach FILE`.',
    );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/[\r\n]+$/, "");
  } catch {
    throw usageError("What is piped in is not text in UTF-8.", "Convert it, such as with `iconv`.");
  }
}

/** All that is piped in, or null as soon as it is more than so many bytes. */
export async function pipedIn(stdin: Input, most: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(stdin)) {
    size += piece.length;
    if (size > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** What is piped in, as it comes. Refuses a folder. */
export async function* piecesOf(stdin: Input): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stdin.stream()) yield piece;
  } catch (error) {
    throw isFolder(error)
      ? usageError("Standard input is a folder.", "Name a file after the `<`.")
      : error;
  }
}

const isFolder = (error: unknown): boolean => {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === "EISDIR" || message.startsWith("Directories cannot be read");
};
