import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Draw } from "../hostile/draw.ts";
import {
  withChanges,
  type Change,
  type FolderNode,
  type Naming,
  type Node,
} from "./modelled-disk.ts";

/** What a disk writes at once, at least. */
const sector = 512;

/** What a power cut leaves of what was not synced: of the names of a folder, and of the changes of a file. */
interface Leaving {
  names(pending: readonly Naming[], draw: Draw): readonly Naming[];
  bytes(pending: readonly Change[], draw: Draw): readonly Change[];
}

const none = () => [];
const all = <T>(pending: readonly T[]) => pending;
const some = <T>(pending: readonly T[], draw: Draw) => pending.filter(() => draw.chance(0.5));
const inSectors = (changes: readonly Change[]) => changes.flatMap(sectorsOf);

/** What power cuts leave, by name. */
export const leavings: Readonly<Record<string, Leaving>> = {
  "nothing that was not synced": { names: none, bytes: none },
  everything: { names: all, bytes: all },
  "names without bytes": { names: all, bytes: none },
  "bytes without names": { names: none, bytes: all },
  "a torn last write": {
    names: all,
    bytes: (pending, draw) => [
      ...pending.slice(0, -1),
      ...some(inSectors(pending.slice(-1)), draw),
    ],
  },
  "some names and some sectors": {
    names: some,
    bytes: (pending, draw) => some(inSectors(pending), draw),
  },
};

/** The sectors of a change, each of which may be on disk without the others. */
function sectorsOf(change: Change): Change[] {
  const { at, bytes, ended } = change;
  if (bytes === null) return [change];
  const parts: Change[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + sector - ((at + from) % sector));
    parts.push({ ended, at: at + from, bytes: bytes.subarray(from, to) });
    from = to;
  }
  return parts;
}

/** Whether a disk has all that it was given, so that a power cut leaves one thing only. */
export const isSynced = (node: Node): boolean =>
  node.pending.length === 0 && (node.kind === "file" || [...node.now.values()].every(isSynced));

/** A machine takes a while to start again: so old is what it finds, in seconds. */
const startSeconds = 60;

/** Writes what a power cut leaves of a disk into a folder that is there. Files and folders are their owner's alone. */
export function layOut(disk: FolderNode, into: string, leaving: Leaving, draw: Draw): void {
  const names = new Map(disk.synced);
  for (const { name, node } of leaving.names(disk.pending, draw))
    if (node) names.set(name, node);
    else names.delete(name);
  for (const [name, node] of names)
    if (node.kind === "folder") {
      mkdirSync(join(into, name), { mode: 0o700 });
      layOut(node, join(into, name), leaving, draw);
    } else {
      const left = withChanges(node.synced, leaving.bytes(node.pending, draw));
      writeFileSync(join(into, name), left, { mode: 0o600 });
      const then = Date.now() / 1000 - startSeconds;
      utimesSync(join(into, name), then, then);
    }
}
