import { dirname, basename, relative } from "node:path";
import { bytesIn, openFileIn, pathIn, type Call } from "./strace.ts";

/** A change of a file's bytes, or of its size. `ended` is when its call had returned. */
export type Change = { readonly ended: number; readonly at: number } & (
  { readonly bytes: Buffer } | { readonly bytes: null }
);

/** A name that a folder gets, or loses when `node` is null. */
export interface Naming {
  readonly ended: number;
  readonly name: string;
  readonly node: Node | null;
}

/** A file: what is on disk, and what may be. */
export interface FileNode {
  readonly kind: "file";
  synced: Buffer;
  pending: Change[];
  /** Where the next write without a place goes, by the number of the open file. */
  readonly positions: Map<string, number>;
  size: number;
}

/** A folder: the names that are on disk, and those that may be. */
export interface FolderNode {
  readonly kind: "folder";
  readonly synced: Map<string, Node>;
  readonly now: Map<string, Node>;
  pending: Naming[];
}
export type Node = FileNode | FolderNode;

/** Something that happens to a disk at a place among the calls. */
export interface Step {
  readonly place: number;
  /** The call and the path, for who reads what a power cut lost. */
  readonly what: string;
  /** Whether it is about a name or a sync: these are fewer than the writes, and more depends on each. */
  readonly turns: boolean;
  happen(): void;
}

const newFolder = (): FolderNode => ({
  kind: "folder",
  synced: new Map(),
  now: new Map(),
  pending: [],
});
const newFile = (): FileNode => ({
  kind: "file",
  synced: Buffer.alloc(0),
  pending: [],
  positions: new Map(),
  size: 0,
});

/**
 * The disk below a folder, and the steps with which calls change it. It promises as little as POSIX does: bytes are on disk
 * after a sync of their file, and a name after a sync of its folder. `keeps` says whether it does what a sync of a path asks.
 */
export function modelledDisk(
  root: string,
  calls: readonly Call[],
  keeps: (path: string) => boolean = () => true,
) {
  const top = newFolder();
  /** Files by the last name that they had, also after it is gone. */
  const known = new Map<string, Node>([[root, top]]);
  const isBelow = (path: string | undefined): path is string =>
    path === root || path?.startsWith(`${root}/`) === true;
  const plain = (path: string) => path.replace(/ ?\(deleted\)$/, "");

  function nodeAt(path: string): Node | undefined {
    let node: Node | undefined = top;
    for (const part of relative(root, path).split("/").filter(Boolean))
      node = node?.kind === "folder" ? node.now.get(part) : undefined;
    return node;
  }
  function folderAt(path: string): FolderNode {
    const node = nodeAt(path);
    if (node?.kind !== "folder") throw new Error(`${path} is no folder of the modelled disk`);
    return node;
  }
  function fileOf(path: string): FileNode {
    const node = nodeAt(path) ?? known.get(plain(path));
    if (node?.kind !== "file") throw new Error(`${path} is no file of the modelled disk`);
    return node;
  }
  function name(path: string, node: Node | null, ended: number): void {
    const folder = folderAt(dirname(path));
    if (node) {
      folder.now.set(basename(path), node);
      known.set(path, node);
    } else folder.now.delete(basename(path));
    folder.pending.push({ ended, name: basename(path), node });
  }
  function change(file: FileNode, at: number, bytes: Buffer | null, ended: number): void {
    file.pending.push({ ended, at, bytes });
    file.size = bytes ? Math.max(file.size, at + bytes.length) : at;
  }

  function opened(call: Call, path: string, flags: string): void {
    const there = nodeAt(path);
    if (!there && flags.includes("O_CREAT")) name(path, newFile(), call.ended);
    const node = nodeAt(path);
    if (node?.kind !== "file") return;
    if (there && flags.includes("O_TRUNC")) change(node, 0, null, call.ended);
    node.positions.set(String(call.result), flags.includes("O_APPEND") ? Infinity : 0);
  }
  function written(call: Call, place: number | null): void {
    const open = openFileIn(call.args[0]!)!;
    const file = fileOf(open.path);
    const bytes = bytesIn(call.args[1]!).subarray(0, call.result);
    if (bytes.length !== call.result) throw new Error(`${call.name} without its bytes`);
    const position = file.positions.get(open.number) ?? 0;
    change(file, place ?? Math.min(position, file.size), bytes, call.ended);
    if (place === null && position !== Infinity)
      file.positions.set(open.number, position + call.result);
  }
  function copied({ args, result, ended }: Call): void {
    const [from, to] = [args[1]!, args[3]!].map((place) => Number(/^\[(\d+)\]$/.exec(place)?.[1]));
    if (Number.isNaN(from) || Number.isNaN(to)) throw new Error("a copy without its places");
    const { synced, pending } = fileOf(openFileIn(args[0]!)!.path);
    const bytes = withChanges(synced, pending).subarray(from, from! + result);
    change(fileOf(openFileIn(args[2]!)!.path), to!, bytes, ended);
  }
  function moved(call: Call, from: string, to: string): void {
    if (!isBelow(from) || !isBelow(to)) throw new Error(`${from} leaves the modelled disk`);
    const node = nodeAt(from)!;
    name(to, node, call.ended);
    if (call.name.startsWith("rename")) name(from, null, call.ended);
  }
  function synced(call: Call, path: string): void {
    if (!keeps(path)) return;
    const node = nodeAt(path) ?? fileOf(path);
    const isCovered = ({ ended }: { ended: number }) => ended < call.began;
    if (node.kind === "folder")
      for (const { name, node: named } of node.pending.filter(isCovered))
        if (named) node.synced.set(name, named);
        else node.synced.delete(name);
    else node.synced = withChanges(node.synced, node.pending.filter(isCovered));
    node.pending = node.pending.filter((one) => !isCovered(one)) as never;
  }

  /** What a call does to this disk; null if it is about other files. Throws for what this model does not know. */
  function stepOf(call: Call): Step | null {
    const { args, began, ended } = call;
    const step = (path: string, happen: () => void, turns = true): Step | null =>
      isBelow(path)
        ? { place: began, what: `${call.name} ${relative(root, path)}`, turns, happen }
        : null;
    const fd = openFileIn(args[0] ?? "")?.path ?? "";
    switch (call.name) {
      case "open":
      case "openat": {
        const isAt = call.name === "openat";
        const [where, flags] = isAt ? [args[1]!, args[2]!] : [args[0]!, args[1]!];
        const path = pathIn(where, isAt ? args[0] : undefined);
        return step(path, () => opened(call, path, flags), flags.includes("O_CREAT"));
      }
      case "lseek":
        return step(
          fd,
          () => {
            const node = nodeAt(fd) ?? known.get(plain(fd));
            if (node?.kind === "file")
              node.positions.set(openFileIn(args[0]!)!.number, call.result);
          },
          false,
        );
      case "write":
      case "writev":
        return step(fd, () => written(call, null), false);
      case "pwrite64":
      case "pwritev":
      case "pwritev2":
        return step(fd, () => written(call, Number(args[3])), false);
      case "ftruncate":
        return step(fd, () => change(fileOf(fd), Number(args[1]), null, ended));
      case "rename":
      case "link":
        return step(pathIn(args[1]!), () => moved(call, pathIn(args[0]!), pathIn(args[1]!)));
      case "renameat":
      case "renameat2":
      case "linkat": {
        const to = pathIn(args[3]!, args[2]);
        return step(to, () => moved(call, pathIn(args[1]!, args[0]), to));
      }
      case "unlink":
      case "rmdir":
        return step(pathIn(args[0]!), () => name(pathIn(args[0]!), null, ended));
      case "unlinkat":
        return step(pathIn(args[1]!, args[0]), () => name(pathIn(args[1]!, args[0]), null, ended));
      case "mkdir":
        return step(pathIn(args[0]!), () => name(pathIn(args[0]!), newFolder(), ended));
      case "mkdirat":
        return step(pathIn(args[1]!, args[0]), () =>
          name(pathIn(args[1]!, args[0]), newFolder(), ended),
        );
      case "fsync":
      case "fdatasync": {
        const sync = step(fd, () => synced(call, fd));
        return sync && { ...sync, place: ended };
      }
      case "copy_file_range":
        return step(openFileIn(args[2]!)?.path ?? "", () => copied(call));
      case "sendto":
      case "sendmsg":
        return null;
      case "ioctl":
        if (args[1]!.includes("CLONE") && isBelow(fd)) throw new Error("a file is cloned");
        return null;
      case "mmap":
        if (
          /MAP_SHARED/.test(args[3]!) &&
          /PROT_WRITE/.test(args[2]!) &&
          isBelow(openFileIn(args[4]!)?.path)
        )
          throw new Error("a file is written through memory");
        return null;
      default: {
        const isOfOthers =
          args.every((arg) => !isBelow(openFileIn(arg)?.path)) &&
          !args.some((arg) => arg.startsWith('"') && isBelow(bytesIn(arg).toString()));
        if (isOfOthers && !/^(io_uring_setup|sync)$/.test(call.name)) return null;
        throw new Error(`the modelled disk does not know ${call.name}`);
      }
    }
  }

  const steps = calls
    .filter(({ result }) => result >= 0)
    .flatMap((call) => stepOf(call) ?? [])
    .sort((a, b) => a.place - b.place);
  return { top, steps };
}

/** Bytes after some changes. */
export function withChanges(bytes: Buffer, changes: readonly Change[]): Buffer {
  let [size, most] = [bytes.length, bytes.length];
  for (const { at, bytes } of changes) {
    size = bytes ? Math.max(size, at + bytes.length) : at;
    most = Math.max(most, size);
  }
  const changed = Buffer.alloc(most);
  bytes.copy(changed);
  for (const { at, bytes } of changes)
    if (bytes) bytes.copy(changed, at);
    else changed.fill(0, at);
  return changed.subarray(0, size);
}
