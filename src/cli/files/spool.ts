import { closeSync, openSync } from "node:fs";
import { largestFile } from "../../contract/limits.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { writeWhole } from "./save-file.ts";
import type { Input } from "../frame/surroundings.ts";
import { piecesOf } from "../frame/text-input.ts";

/** Writes standard input to a new file that only its owner can read. Refuses a terminal, and more bytes than a file may have. */
export async function spooled(stdin: Input, path: string): Promise<void> {
  if (stdin.isTerminal())
    throw usageError(
      "Nothing is piped in.",
      "Such as `service file put - --name notes.md < FILE`, or name the file itself.",
    );
  const file = openSync(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const chunk of piecesOf(stdin)) {
      size += chunk.length;
      if (size > largestFile)
        throw new LocalError(
          "file_too_large",
          `What is piped in has more than ${largestFile} bytes.`,
          "Split it, or keep it elsewhere and post where it is.",
        );
      writeWhole(file, chunk);
    }
  } finally {
    closeSync(file);
  }
}
