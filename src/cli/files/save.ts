import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Writes bytes to a path: first beside it under a name of their own, which then takes its place. Whatever goes wrong
 * before, a signal too, leaves what was there. `mayReplace` is asked when all bytes are there.
 */
export async function saveAs(
  path: string,
  there: Stats | null,
  bytes: ReadableStream<Uint8Array>,
  mayReplace: () => Promise<unknown>,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID()}.part`);
  const file = openSync(part, "wx", 0o600);
  const remove = () => rmSync(part, { force: true });
  const stops = Object.entries(signals).map(([signal, code]) => {
    const stop = () => {
      remove();
      process.exit(code);
    };
    process.once(signal, stop);
    return () => process.off(signal, stop);
  });
  try {
    for await (const chunk of bytes) writeWhole(file, chunk);
    await mayReplace();
    chmodSync(part, there ? there.mode & 0o777 : 0o666 & ~process.umask());
    renameSync(part, path);
  } finally {
    closeSync(file);
    remove();
    for (const off of stops) off();
  }
}

function writeWhole(file: number, chunk: Uint8Array): void {
  let rest = chunk;
  while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
}
