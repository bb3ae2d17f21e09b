import { resolve } from "node:path";
import type { Clock, Signal } from "../../../src/cli/frame/surroundings.ts";
import { hearing, heardFrom, type Heard } from "./command-output.ts";
import { runHere, type Processes } from "./run-in-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const main = resolve(import.meta.dir, "../../../src/main.ts");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What `--json` printed. Fails when stdout is anything but one JSON object. */
  json(): any;
}

export interface Options {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** The working folder. Default: the machine's home. */
  readonly cwd?: string;
  /** The command's clock. A process of its own has the real one. */
  readonly clock?: Clock;
}

/** A command that goes on. */
export interface Started {
  /** What stdout and stderr have said, each once it holds a text. Fails when the command ends without it. */
  saying(text: string): Promise<string>;
  warning(text: string): Promise<string>;
  /** A command in this process hears signals that a program may handle; SIGKILL is for a process. */
  kill(signal: Signal | "SIGKILL"): void;
  /** Its end, with all that was said. */
  end(): Promise<Ran>;
}

/** How the program is run. */
export interface Program {
  /** Starts a command, without waiting for its end. */
  start(words: readonly string[], options?: Options): Started;
  run(words: readonly string[], options?: Options): Promise<Ran>;
  /** Runs, and fails with what was printed unless the exit code is 0. */
  ok(words: readonly string[], options?: Options): Promise<Ran>;
  /** Runs with `--json` and gives the object. */
  json(words: readonly string[], options?: Options): Promise<any>;
  /** The code of the error that `--json` prints. */
  refusal(words: readonly string[], options?: Options): Promise<string>;
}

/** One machine: a SERVICE_HOME of its own, and the program run in it, in this process. */
export interface Machine extends Program {
  readonly home: string;
  /** The environment of its commands. */
  readonly env: Record<string, string>;
  /** The same program as a process of its own, for what is about processes. */
  readonly asProcess: Program;
  /** Stops its server before the test ends. */
  end(): Promise<unknown>;
}

/**
 * A machine whose commands have nothing of the surrounding environment but the PATH. Its server stops and its files go
 * with the test that makes it, or with the file or `describe` that makes it for all of its tests; never make one in `beforeAll`.
 */
export function newMachine(user = "Ada L"): Machine {
  const home = temporaryFolder(() => end());
  const env = { PATH: process.env["PATH"]!, HOME: home, SERVICE_HOME: home, USER: user };
  const processes: Processes = { servers: new Set(), daemons: new Map() };
  const here = programOf((words, options) => startIn(processes, { home, env }, words, options));
  let ending: Promise<unknown> | null = null;
  const end = () => (ending ??= here.run(["down"]));
  return {
    ...here,
    home,
    env,
    asProcess: programOf((words, options) => {
      // It would end the process that the server lives in, and that is this one.
      if (words[0] === "down" && processes.servers.size > 0)
        throw new Error("This machine's server lives in the test's process.");
      return startApart({ home, env }, words, options);
    }),
    end,
  };
}

/** A machine whose commands are processes of their own, for what lies in a process: its environment, its id, its signals. */
export function newMachineOfProcesses(user?: string): Machine {
  const machine = newMachine(user);
  return { ...machine, ...machine.asProcess };
}

type Start = (words: readonly string[], options: Options) => Started;

function programOf(begin: Start): Program {
  const start: Program["start"] = (words, options = {}) => begin(words, options);
  const run: Program["run"] = (words, options) => start(words, options).end();
  return {
    start,
    run,
    async ok(words, options) {
      const ran = await run(words, options);
      if (ran.code !== 0) throw new Error(`${words.join(" ")}: ${ran.stdout}${ran.stderr}`);
      return ran;
    },
    async json(words, options) {
      const { code, stdout, json } = await run([...words, "--json"], options);
      if (code !== 0) throw new Error(`${words.join(" ")}: ${stdout}`);
      return json();
    },
    async refusal(words, options) {
      const { code, stdout, json } = await run([...words, "--json"], options);
      if (code !== 1) throw new Error(`${words.join(" ")} ended with ${code}: ${stdout}`);
      return json().error.code;
    },
  };
}

type Place = Pick<Machine, "home" | "env">;

function startIn(
  processes: Processes,
  { home, env }: Place,
  words: readonly string[],
  { env: more, stdin = "", cwd = home, clock }: Options,
): Started {
  const [stdout, stderr] = [hearing(), hearing()];
  const { exitCode, signal } = runHere(processes, words, {
    cwd,
    env: { ...env, ...more },
    stdin,
    ...(clock && { clock }),
    out: stdout.add,
    error: stderr.add,
  });
  void exitCode.finally(() => [stdout, stderr].forEach(({ close }) => close()));
  return startedWith({ stdout, stderr, exitCode, kill: signal });
}

function startApart(
  { home, env }: Place,
  words: readonly string[],
  { env: more, stdin = "", cwd = home }: Options,
): Started {
  const child = Bun.spawn([process.execPath, main, ...words], {
    cwd,
    env: { ...env, ...more },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  return startedWith({
    stdout: heardFrom(child.stdout),
    stderr: heardFrom(child.stderr),
    exitCode: child.exited,
    kill: (signal) => child.kill(signal),
  });
}

interface Parts {
  readonly stdout: Heard;
  readonly stderr: Heard;
  readonly exitCode: Promise<number>;
  kill(signal: Signal | "SIGKILL"): void;
}

const startedWith = ({ stdout, stderr, exitCode, kill }: Parts): Started => ({
  saying: stdout.until,
  warning: stderr.until,
  kill,
  async end() {
    const [code, out, error] = await Promise.all([exitCode, stdout.all, stderr.all]);
    return { code, stdout: out, stderr: error, json: () => JSON.parse(out) };
  },
});
