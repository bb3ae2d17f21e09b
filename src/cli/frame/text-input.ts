import { usageError } from "../../client/machine/local-error.ts";
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

/** The piped input without the line breaks at its end. A terminal is read only for `-`. */
async function fromInput(stdin: Input, typed: "-" | undefined): Promise<string> {
  if (typed === undefined && stdin.isTerminal()) return "";
  const bytes = await stdin.bytes();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/[\r\n]+$/, "");
  } catch {
    throw usageError("What is piped in is not text in UTF-8.", "Convert it, such as with `iconv`.");
  }
}
