import * as fs from "node:fs";
import { relative } from "node:path";
import type { Disk } from "../../src/client/files/private-file.ts";

/** A disk that does what it is asked and notes, in order, what decides about a power cut. Names are below `root`; random parts are `*`. */
export function notedDisk(root: string): { disk: Disk; notes: string[] } {
  const notes: string[] = [];
  const opened = new Map<number, string>();
  const name = (path: unknown) =>
    relative(root, String(path)).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, "*") || ".";
  const disk: Disk = {
    ...fs,
    mkdirSync: ((path: string, options: fs.MakeDirectoryOptions) => {
      const first = fs.mkdirSync(path, options);
      if (first !== undefined) notes.push(`mkdir ${name(path)}`);
      return first;
    }) as Disk["mkdirSync"],
    openSync(path, flags, mode) {
      const descriptor = fs.openSync(path, flags, mode);
      opened.set(descriptor, name(path));
      return descriptor;
    },
    fsyncSync(descriptor) {
      fs.fsyncSync(descriptor);
      notes.push(`sync ${opened.get(descriptor)}`);
    },
    writeFileSync(path, text, options) {
      fs.writeFileSync(path, text, options);
      notes.push(`write ${name(path)}`);
    },
    renameSync(from, to) {
      fs.renameSync(from, to);
      notes.push(`rename ${name(from)} ${name(to)}`);
    },
    linkSync(from, to) {
      fs.linkSync(from, to);
      notes.push(`link ${name(from)} ${name(to)}`);
    },
  };
  return { disk, notes };
}
