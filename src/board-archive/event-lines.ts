import { closeSync, openSync, readSync } from "node:fs";
import { archiveInvalid } from "./archive-invalid.ts";

/** How much of the log is in memory at once. */
const window = 1024 * 1024;
/** The longest line that an event of this service can have, with room to spare. */
const longestLine = 4 * 1024 * 1024;

/** Where the log of an archive is. */
export interface LogPart {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/** The lines of an archive's log, one by one, each read when it is asked for. */
export function* eventLines({ path, start, size }: LogPart): Generator<string> {
  const file = openSync(path, "r");
  try {
    const read = Buffer.alloc(window);
    let rest = Buffer.alloc(0);
    for (let at = 0; at < size;) {
      const count = readSync(file, read, 0, Math.min(window, size - at), start + at);
      if (count === 0) throw archiveInvalid("the log in it breaks off");
      at += count;
      rest = Buffer.concat([rest, read.subarray(0, count)]);
      let from = 0;
      for (let end; (end = rest.indexOf(10, from)) >= 0; from = end + 1)
        yield textOf(rest.subarray(from, end));
      rest = Buffer.from(rest.subarray(from));
      if (rest.length > longestLine) throw archiveInvalid("a line of the log in it is too long");
    }
    if (rest.length > 0) throw archiveInvalid("the last line of the log in it has no end");
  } finally {
    closeSync(file);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw archiveInvalid("a line of the log in it is no UTF-8");
  }
}
