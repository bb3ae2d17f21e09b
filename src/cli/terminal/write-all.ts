import { fs } from "../../client/files/late-fs.ts";

const fullPauseMs = 2;

/** So many bytes a pipe takes whole or not at all, on every system: the least PIPE_BUF of POSIX. */
const wholeBytes = 512;

/**
 * Writes all of a text or bytes to stdout or stderr. False when the reader has gone away. On a full non-blocking pipe
 * Bun's own write starts again and repeats itself, so it writes only what a pipe takes whole: that needs no `node:fs`.
 */
export async function writeAll(descriptor: 1 | 2, text: string | Uint8Array): Promise<boolean> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  try {
    if (bytes.length > wholeBytes) await writeInParts(descriptor, bytes);
    else await (descriptor === 1 ? Bun.stdout : Bun.stderr).write(bytes);
    return true;
  } catch (error) {
    if (codeOf(error) === "EPIPE") return false;
    throw error;
  }
}

async function writeInParts(descriptor: 1 | 2, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0)
    try {
      rest = rest.subarray(fs().writeSync(descriptor, rest));
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") throw error;
      await Bun.sleep(fullPauseMs);
    }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
