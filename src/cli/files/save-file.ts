import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { moveIntoPlace } from "../../client/files/private-file.ts";
import type { Cli } from "../frame/cli.ts";
import type { Target } from "./local-file.ts";
import { cleaningUp } from "../frame/on-signal.ts";

/**
 * Writes bytes to a path: first beside it under a name of their own, which then takes its place. Whatever goes wrong
 * before, a signal or a power cut too, leaves what was there. The bytes are on disk when this returns. `mayReplace` is
 * asked when all bytes are there, and gets their path.
 */
export async function saveAs(
  cli: Cli,
  { path, there }: Target,
  bytes: ReadableStream<Uint8Array>,
  mayReplace: (part: string) => Promise<unknown>,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID()}.part`);
  const remove = () => rmSync(part, { force: true });
  await cleaningUp(cli, remove, async () => {
    const file = openSync(part, "wx", 0o600);
    try {
      for await (const chunk of bytes) writeWhole(file, chunk);
    } finally {
      closeSync(file);
    }
    await mayReplace(part);
    chmodSync(part, there ? there.mode & 0o777 : 0o666 & ~cli.system.umask());
    moveIntoPlace(part, path);
  });
}

/** Writes all bytes: one `writeSync` may write only a part. */
export function writeWhole(file: number, chunk: Uint8Array): void {
  let rest = chunk;
  while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
}
