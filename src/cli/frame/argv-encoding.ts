import { usageError } from "../../client/machine/local-error.ts";
import type { System } from "./surroundings.ts";

/**
 * Refuses an argument that was not UTF-8. Such an argument arrives with U+FFFD in place of its wrong bytes. Where the
 * system gives us the typed bytes we refuse it; elsewhere it counts as a text with U+FFFD.
 */
export function refuseGarbled(system: System, words: readonly string[]): void {
  if (!words.some((word) => word.includes("\ufffd"))) return;
  const line = system.commandLine();
  if (line === null) return;
  // Each argument ends with a zero byte, and the arguments of this program come last.
  const typed = Buffer.from(line).toString("latin1").split("\0").slice(0, -1);
  for (const word of typed.slice(-words.length))
    if (!isUtf8(Buffer.from(word, "latin1")))
      throw usageError(
        "An argument is not text in UTF-8.",
        "Convert it, such as with `iconv`, or set the terminal to UTF-8.",
      );
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
