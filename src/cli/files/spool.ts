import { closeSync, openSync, writeSync } from "node:fs";
import { largestFile } from "../../contract/limits.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import type { Input } from "../frame/surroundings.ts";

/** Keeps what is piped in as a file that only its owner can read. Refuses a terminal, and more than a file may have. */
export async function spooled(stdin: Input, path: string): Promise<void> {
  if (stdin.isTerminal())
    throw usageError(
      "Nothing is piped in.",
      "Such as `service file put - --name notes.md < FILE`, or name the file itself.",
    );
  const file = openSync(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const chunk of stdin.stream()) {
      size += chunk.length;
      if (size > largestFile)
        throw new LocalError(
          "file_too_large",
          `What is piped in has more than ${largestFile} bytes.`,
          "Split it, or keep it elsewhere and post where it is.",
        );
      for (let rest = chunk; rest.length > 0;) rest = rest.subarray(writeSync(file, rest));
    }
  } finally {
    closeSync(file);
  }
}
