import { dlopen } from "bun:ffi";
import { closeSync, readSync } from "node:fs";

const nonBlocking = 0o4000;
const opened = 0x20;
/** Without it two files that are opened one after the other, and are the same, would be told as one. */
const closedUnchanged = 0x10;
const headBytes = 16;

/** Watches which files of some folders are opened to be read, by whichever process: their names, in their order. Linux only. */
export function watchOpenings(folders: readonly string[]) {
  const { symbols } = dlopen("libc.so.6", {
    inotify_init1: { args: ["i32"], returns: "i32" },
    inotify_add_watch: { args: ["i32", "cstring", "u32"], returns: "i32" },
  });
  const descriptor = symbols.inotify_init1(nonBlocking);
  for (const folder of folders) {
    const path = Buffer.from(`${folder}\0`);
    if (symbols.inotify_add_watch(descriptor, path as never, opened | closedUnchanged) < 0)
      throw new Error(`${folder} cannot be watched`);
  }
  return {
    /** What was opened since it was asked last. */
    taken(): string[] {
      const names: string[] = [];
      const buffer = Buffer.alloc(65_536);
      const length = readOrNothing(descriptor, buffer);
      for (let at = 0; at < length;) {
        const size = buffer.readUInt32LE(at + 12);
        const name = buffer.toString("utf8", at + headBytes, at + headBytes + size);
        if (buffer.readUInt32LE(at + 4) === opened) names.push(name.replace(/\0+$/, ""));
        at += headBytes + size;
      }
      return names;
    },
    end: () => closeSync(descriptor),
  };
}

function readOrNothing(descriptor: number, buffer: Buffer): number {
  try {
    return readSync(descriptor, buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}
