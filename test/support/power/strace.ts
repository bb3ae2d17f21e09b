import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A system call of a traced process. Calls of all processes are ordered by when they began. */
export interface Call {
  readonly process: string;
  readonly name: string;
  readonly args: readonly string[];
  /** NaN if its process was killed before it returned. */
  readonly result: number;
  /** Its place among all calls, and the place at which it had returned. */
  readonly began: number;
  readonly ended: number;
}

/** What decides about files, and what is told to others. */
const watched =
  "open,openat,openat2,creat,lseek,write,pwrite64,writev,pwritev,pwritev2,truncate,ftruncate,fallocate,copy_file_range,sendfile,splice," +
  "rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync,sync,syncfs," +
  "ioctl,mmap,sendto,sendmsg,io_uring_setup";

/** The words that start a command under strace. `inject` ends the process at a call, such as `fsync:signal=KILL:when=1`. */
export const tracing = (folder: string, process: string, inject?: string): readonly string[] => [
  // strace ends no process in the quick mode.
  ...[
    "strace",
    "-f",
    ...(inject ? [] : ["--seccomp-bpf"]),
    "-y",
    "-xx",
    "-ttt",
    "-s",
    String(10 ** 8),
  ],
  "-o",
  join(folder, `${process}.trace`),
  "-e",
  `trace=${watched}`,
  ...(inject ? ["-e", `inject=${inject}`] : []),
  "--",
];

/** The calls that were traced into a folder, of these processes. */
export function tracedCalls(folder: string, processes: readonly string[]): readonly Call[] {
  const lines = processes.flatMap((process) =>
    readFileSync(join(folder, `${process}.trace`), "latin1")
      .split("\n")
      .flatMap((text) => lineOf(process, text)),
  );
  // The order within a file stays where times are equal.
  lines.sort((a, b) => a.time - b.time);
  const unfinished = new Map<string, { began: number; text: string }>();
  const calls: Call[] = [];
  for (const [place, { process, thread, text }] of lines.entries()) {
    const caller = `${process} ${thread}`;
    const begun = unfinished.get(caller);
    unfinished.delete(caller);
    if (text.endsWith(pausing))
      unfinished.set(caller, { began: place, text: text.slice(0, -pausing.length) });
    else {
      const resumed = /^<\.\.\. \w+ resumed>/.exec(text)?.[0];
      const whole = resumed ? (begun?.text ?? "") + text.slice(resumed.length) : text;
      const call = callOf(whole);
      if (call) calls.push({ ...call, process, began: begun?.began ?? place, ended: place });
    }
  }
  for (const [caller, { began, text }] of unfinished) {
    const call = callOf(`${text}) = ?`);
    if (call) calls.push({ ...call, process: caller.split(" ")[0]!, began, ended: Infinity });
  }
  return calls.sort((a, b) => a.began - b.began);
}

const pausing = " <unfinished ...>";

function lineOf(process: string, line: string) {
  const [head, thread, time] = /^(\d+) +(\d+\.\d+) /.exec(line) ?? [];
  return head
    ? [{ process, thread: thread!, time: Number(time), text: line.slice(head.length) }]
    : [];
}

/** A call with the number that it returned; null for what is no call. */
function callOf(text: string): Pick<Call, "name" | "args" | "result"> | null {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(") = ");
  const result = Number.parseInt(text.slice(close + 4), 10);
  if (!/^\w+$/.test(text.slice(0, open)) || close < 0) return null;
  return { name: text.slice(0, open), args: argumentsIn(text.slice(open + 1, close)), result };
}

/** Splits at the commas that are in no bracket. Texts have none, since strace writes them in hexadecimal. */
function argumentsIn(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  for (const part of text.split(", ")) {
    if (depth > 0) found.push(`${found.pop()}, ${part}`);
    else found.push(part);
    if (part.length < 100_000)
      for (const sign of part) depth += "[{".includes(sign) ? 1 : "]}".includes(sign) ? -1 : 0;
    else depth += bracketsAround(part);
  }
  return found;
}

/** The same count for a part that is mostly one long text. */
const bracketsAround = (part: string): number =>
  (part.match(/[[{]/g)?.length ?? 0) - (part.match(/[\]}]/g)?.length ?? 0);

/** The bytes of all texts in an argument, one after another. */
export const bytesIn = (arg: string): Buffer =>
  Buffer.from((arg.match(/"[^"]*"/g) ?? []).join("").replaceAll(/["\\x]/g, ""), "hex");

/** The number and the path of an open file; null for what is none. */
export function openFileIn(arg: string): { number: string; path: string } | null {
  const [, number, path] = /^(\w+)<([^>]*)>/.exec(arg) ?? [];
  return number ? { number, path: decoded(path!) } : null;
}

/** A path that a call names, from the folder that it may be relative to. */
export function pathIn(arg: string, folder?: string): string {
  const path = bytesIn(arg).toString();
  if (path.startsWith("/")) return path;
  const base = folder && openFileIn(folder)?.path;
  if (!base) throw new Error(`a relative path: ${path}`);
  return join(base, path);
}

const decoded = (path: string): string =>
  path.replace(/(\\x[0-9a-f]{2})+/g, (hex) =>
    Buffer.from(hex.replaceAll("\\x", ""), "hex").toString(),
  );
