import { fs } from "./late-fs.ts";
import { fateOf, ownMark, type ProcessMark } from "./process.ts";

/** How long a lock is waited for, in milliseconds. */
const longestWaitMs = 10_000;
/** After how long a lock counts as left if its holder cannot be looked up, in milliseconds. */
const leftAfterMs = 10_000;
const pauseMs = 5;

/** Another process holds a lock, and did not release it in the time to wait. */
export class LockHeld extends Error {
  override readonly name = "LockHeld";
  readonly path: string;
  /** The process that holds it; null when the lock does not say. */
  readonly pid: number | null;
  constructor(path: string, pid: number | null) {
    super(`${path} is held by ${pid === null ? "another process" : `process ${pid}`}`);
    this.path = path;
    this.pid = pid;
  }
}

/**
 * Runs `work` while no other process holds the lock file `path`, whose folder is there. The lock of a process that has
 * ended is taken over at once. Throws `LockHeld` after `waitMs`.
 */
export function withLock<T>(path: string, work: () => T, waitMs = longestWaitMs): T {
  const release = takeLock(path, waitMs);
  try {
    return work();
  } finally {
    release();
  }
}

/** Takes a lock as `withLock` does, for work that takes time. Gives the function that releases it. */
export function takeLock(path: string, waitMs = longestWaitMs): () => void {
  const id = take(path, performance.now() + waitMs);
  return () => {
    if (lockAt(path)?.id === id) fs().rmSync(path, { force: true });
  };
}

function take(path: string, until: number): string {
  const id = crypto.randomUUID();
  while (!tryTake(path, id)) {
    const found = lockAt(path);
    if (found === null) continue;
    if (isLeft(found)) remove(path, found, until);
    else if (performance.now() >= until) throw new LockHeld(path, found.holder?.pid ?? null);
    else pause();
  }
  return id;
}

/** A link is made only if there is no file of that name, and with its whole text: nobody sees a lock without its holder. */
function tryTake(path: string, id: string): boolean {
  const temporary = `${path}.${id}.new`;
  try {
    fs().writeFileSync(temporary, JSON.stringify({ id, ...ownMark() }), {
      mode: 0o600,
      flag: "wx",
    });
    fs().linkSync(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  } finally {
    fs().rmSync(temporary, { force: true });
  }
}

/**
 * Removes a lock that was left. Several processes may find the same one, and whoever comes late would remove the lock of
 * the process that was first. So they take turns, under a lock that is named after the one that was left: it is there
 * until one of them has removed it, and never again.
 */
function remove(path: string, left: Lock, until: number): void {
  const work = () => {
    if (lockAt(path)?.id === left.id) fs().rmSync(path, { force: true });
  };
  withLock(`${path}.${left.id}`, work, until - performance.now());
}

/** What has become of the process that took a lock: `unknown` also where the lock does not say, null where there is no lock. */
export function holderOf(path: string): ReturnType<typeof fateOf> | null {
  const found = lockAt(path);
  return found && (found.holder === null ? "unknown" : fateOf(found.holder));
}

interface Lock {
  /** No two locks have the same. */
  readonly id: string;
  /** Null when the lock does not say: an earlier version of this program made it, or a power cut emptied it. */
  readonly holder: ProcessMark | null;
  readonly ageMs: number;
}

function isLeft({ holder, ageMs }: Lock): boolean {
  const fate = holder === null ? "unknown" : fateOf(holder);
  return fate === "dead" || (fate === "unknown" && ageMs > leftAfterMs);
}

/** What a lock file says; null when there is none. */
function lockAt(path: string): Lock | null {
  let file: number;
  try {
    file = fs().openSync(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const { ino, mtimeMs } = fs().fstatSync(file);
    const said = parsed(fs().readFileSync(file, "utf8"));
    const ageMs = Date.now() - mtimeMs;
    return said === null
      ? { id: `${ino}-${Math.trunc(mtimeMs)}`, holder: null, ageMs }
      : { id: said.id, holder: said, ageMs };
  } finally {
    fs().closeSync(file);
  }
}

function parsed(text: string): (ProcessMark & { readonly id: string }) | null {
  try {
    const { id, pid, started, place } = JSON.parse(text);
    const isWhole = Number.isSafeInteger(pid) && pid > 0 && /^[\da-f-]{36}$/.test(id);
    return isWhole ? { id, pid, started: `${started}`, place: `${place}` } : null;
  } catch {
    return null;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const never = new Int32Array(new SharedArrayBuffer(4));
const pause = () => void Atomics.wait(never, 0, 0, pauseMs);
