import { appendFileSync, closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { runCli } from "../../../src/cli/run-cli.ts";
import type { Env } from "../../../src/client/machine/machine.ts";
import type {
  Child,
  Clock,
  Output,
  Signal,
  StartOptions,
  Surroundings,
} from "../../../src/cli/frame/surroundings.ts";
import { thisProcess } from "../../../src/cli/frame/this-process.ts";
import * as offline from "../../../src/server/offline/offline.ts";
import { recoverKey } from "../../../src/server/recover-key.ts";
import { startOwnDaemon } from "../../../src/daemon/start-own-daemon.ts";
import { startServer } from "../../../src/server/serve.ts";

const main = resolve(import.meta.dir, "../../../src/main.ts");
const real = thisProcess();

/** What a run in this process is given. */
interface Given {
  readonly env: Env;
  readonly cwd: string;
  readonly stdin?: string | Uint8Array;
  readonly clock?: Clock;
  /** The number of the process that the run plays, if it is not this one. */
  readonly pid?: number;
  /** Takes what is written to stdout and stderr. */
  out(text: Uint8Array): void;
  error(text: Uint8Array): void;
}

/** A run in this process: its end, and how it gets a signal. */
interface Running {
  readonly exitCode: Promise<number>;
  signal(name: Signal): void;
}

/** The processes of one machine that live in this process: the servers that its commands start, and its daemons by number. */
export interface Processes {
  readonly servers: Set<Running>;
  readonly daemons: Map<number, Running>;
}

/** No process of the system has such a number. */
let lastDaemon = 2 ** 30;

/** Runs the program in this process, with nothing of its surroundings. */
export function runHere(processes: Processes, words: readonly string[], given: Given): Running {
  const ended = Promise.withResolvers<number>();
  const handlers = new Map<() => void, Signal>();
  let isOver = false;
  const clock = given.clock ?? real.clock;
  // What ended at a signal does not go on after its sleep.
  const sleep: Clock["sleep"] = async (milliseconds) => {
    await clock.sleep(milliseconds);
    if (isOver) await new Promise(() => {});
  };
  const own = { ...given, clock: { ...clock, sleep } };
  const surroundings = surroundingsOf(processes, own, {
    onSignal(signal, act) {
      handlers.set(act, signal);
      return () => void handlers.delete(act);
    },
    exit(code) {
      ended.resolve(code);
      throw new RunEnded(`The run ended with ${code}.`);
    },
  });
  const parts = { startServer, recoverKey, offline, startDaemon: startOwnDaemon };
  const run = runCli([...words], surroundings, parts);
  const exitCode = Promise.race([ended.promise, run]).finally(() => {
    isOver = true;
    handlers.clear();
  });
  return {
    exitCode,
    signal(name) {
      for (const [act, signal] of [...handlers])
        if (signal === name && handlers.delete(act)) attempt(act);
    },
  };
}

/** What ends the run throws, which is nobody's failure here. */
function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
  }
}

class RunEnded extends Error {}

/** The real clock, but that its sleeps are so many times as short. What has to come in time has the whole of it. */
export const shortSleeps = (times: number): Clock => ({
  ...real.clock,
  sleep: (milliseconds) => Bun.sleep(milliseconds / times),
});

/** A clock that goes so many times as fast: for what does not come in time. */
export function hastened(times: number): Clock {
  const began = Date.now();
  return {
    now: () => began + (Date.now() - began) * times,
    elapsed: () => performance.now() * times,
    sleep: (milliseconds) => Bun.sleep(milliseconds / times),
    after: (milliseconds, act) => real.clock.after(milliseconds / times, act),
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds / times),
  };
}

function surroundingsOf(
  processes: Processes,
  {
    env,
    cwd,
    stdin = "",
    clock,
    out,
    error,
    pid: own = real.system.pid,
  }: Given & { readonly clock: Clock },
  hooks: Pick<Surroundings["system"], "onSignal" | "exit">,
): Surroundings {
  let mask = real.system.umask();
  const bytes = typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
  return {
    env,
    cwd,
    clock,
    stdin: {
      isTerminal: () => false,
      async *stream() {
        yield bytes;
      },
      ask: () => null,
      askSecret: async () => null,
    },
    stdout: outputTo(out),
    stderr: outputTo(error),
    system: {
      ...real.system,
      ...hooks,
      pid: own,
      isAlive: (pid) => (pid > 2 ** 30 ? processes.daemons.has(pid) : real.system.isAlive(pid)),
      startedAt: Date.now(),
      temporaryFolder: () => env["TMPDIR"] ?? tmpdir(),
      // A test plays a sandbox by this variable.
      opensSockets: () => env["NO_SOCKETS"] === undefined,
      commandLine: () => null,
      umask: () => mask,
      setUmask: (next) => void (mask = next),
      start: (command, options) => startHere(processes, command, options),
      kill(pid, signal) {
        if (pid > 2 ** 30) processes.daemons.get(pid)?.signal(signal);
        else if (pid !== real.system.pid) real.system.kill(pid, signal);
        else for (const server of processes.servers) server.signal(signal);
      },
    },
  };
}

function outputTo(take: (text: Uint8Array) => void): Output {
  const bytesOf = (text: string | Uint8Array) =>
    typeof text === "string" ? new TextEncoder().encode(text) : text.slice();
  return {
    isTerminal: () => false,
    async write(text) {
      take(bytesOf(text));
      return true;
    },
    isLeft: async () => false,
    writeNow: (text) => take(bytesOf(text)),
    writeLater: (text) => take(bytesOf(text)),
    written: async () => {},
  };
}

/** Starts what a command starts as a process of its own, such as this machine's server, in this process. */
function startHere(
  processes: Processes,
  [, file, ...words]: readonly string[],
  { cwd, env, log }: StartOptions,
): Child {
  if (file !== main) throw new Error(`This is not the program: ${file}.`);
  closeSync(openSync(log, "a", 0o600));
  const write = (text: Uint8Array) => appendFileSync(log, text);
  const pid = words[0] === "daemon" ? ++lastDaemon : real.system.pid;
  const running = runHere(processes, words, { env, cwd, pid, out: write, error: write });
  let exitCode: number | null = null;
  if (pid === real.system.pid) processes.servers.add(running);
  else processes.daemons.set(pid, running);
  void running.exitCode.then((code) => {
    exitCode = code;
    processes.servers.delete(running);
    processes.daemons.delete(pid);
  });
  return {
    pid,
    get exitCode() {
      return exitCode;
    },
    end: () => {},
  };
}
