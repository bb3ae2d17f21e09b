import { writeSync } from "node:fs";

const fullPauseMs = 2;

/**
 * Writes all of a text or bytes to stdout or stderr. False when the reader has gone away. On a full non-blocking pipe
 * `Bun.write` starts again and repeats itself, so we do not use it.
 */
export async function writeAll(descriptor: 1 | 2, text: string | Uint8Array): Promise<boolean> {
  let rest = typeof text === "string" ? new TextEncoder().encode(text) : text;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw error;
      await Bun.sleep(fullPauseMs);
    }
  }
  return true;
}
