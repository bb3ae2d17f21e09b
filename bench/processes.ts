import { readFileSync } from "node:fs";
import type { Subprocess } from "bun";

const running = new Set<Subprocess>();

/** Starts a program and remembers it, so that `stopAll` ends it whatever happens. */
export function start(
  command: string[],
  options: { env?: Record<string, string>; log?: string } = {},
): Subprocess {
  const { env, log } = options;
  const child = Bun.spawn(command, {
    ...(env && { env }),
    stdin: "ignore",
    stdout: log === undefined ? "ignore" : Bun.file(log),
    stderr: log === undefined ? "inherit" : Bun.file(log),
  });
  return remember(child);
}

/** Ends the process with the rest of the run, if nothing ends it before. */
export function remember<C extends Subprocess>(child: C): C {
  running.add(child);
  void child.exited.then(() => running.delete(child));
  return child;
}

/** Asks a process to end, by its id; after five seconds ends it. */
export async function stop(child: Subprocess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const last = setTimeout(() => child.kill("SIGKILL"), 5000);
  await child.exited;
  clearTimeout(last);
}

/** Ends every process this run started. */
export const stopAll = () => Promise.all([...running].map(stop));

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  if (!line) throw new Error(`Process ${pid} has no memory: it ended`);
  return Number(line[1]) * 1024;
}

/** Resident memory once it has stopped moving: the least of the samples of the last so many seconds. */
export async function settledBytes(pid: number, seconds: number): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < seconds * 10; i++) {
    await Bun.sleep(100);
    least = Math.min(least, residentBytes(pid));
  }
  return least;
}

/** Microseconds for which the first thread of a process, which runs its JavaScript, was on a processor. */
export function mainThreadTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1000;
}

/** Watches a process's resident memory every 20 ms; calling what it gives ends that and tells the greatest seen, in bytes. */
export function watchPeak(pid: number): () => number {
  let peak = residentBytes(pid);
  const timer = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), 20);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/** How many files a process of this run may have open. Bun raises its own limit to the hard one. */
export function openFilesMost(): number {
  const limits = readFileSync("/proc/self/limits", "utf8");
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? 0);
}

/** A port of the loopback address that nothing listens on. */
export function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

/**
 * Waits until a path answers 200 and gives the milliseconds since a moment of `performance.now`. Asks again
 * after a millisecond; gives up after 20 seconds.
 */
export async function firstAnswer(url: string, since: number, child: Subprocess): Promise<number> {
  while (performance.now() - since < 20_000) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`);
    try {
      const { status } = await fetch(url, { keepalive: false });
      const now = performance.now();
      if (status === 200) return now - since;
      throw new Error(`${url} answered ${status}`);
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error;
      await Bun.sleep(1);
    }
  }
  throw new Error(`${url} did not answer within 20 seconds`);
}
