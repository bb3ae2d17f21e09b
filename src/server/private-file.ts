import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file that only its owner may read, whole or not at all, and on disk when this returns. */
export function writePrivately(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  onDisk(openSync(`${file}.new`, "w", 0o600), (descriptor) => writeSync(descriptor, text));
  renameSync(`${file}.new`, file);
  onDisk(openSync(folder, "r"), () => {});
}

function onDisk(descriptor: number, write: (descriptor: number) => void): void {
  try {
    write(descriptor);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
