import { fs } from "../../client/files/late-fs.ts";
import type {
  Child,
  Clock,
  Input,
  Output,
  StartOptions,
  Surroundings,
  System,
  Talk,
} from "./surroundings.ts";
import { isAlive } from "../../client/files/process.ts";
import { typedIn } from "./program-name.ts";
import { laterWriter } from "../terminal/later-writer.ts";
import { writeAll } from "../terminal/write-all.ts";

const argumentsFile = "/proc/self/cmdline";

/** The surroundings of a run in this process. */
export function thisProcess(): Surroundings {
  return {
    env: process.env,
    cwd: typedIn({ cwd: process.cwd(), env: process.env }),
    stdin,
    stdout: outputAt(1),
    stderr: outputAt(2),
    clock,
    system,
  };
}

const clock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  sleep: Bun.sleep,
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
};

const stdin: Input = {
  isTerminal: () => isTerminal(0),
  stream: () => Bun.stdin.stream(),
  // The runtime would show a fallback that is undefined as `[undefined]`.
  ask: (question, fallback) =>
    fallback === undefined ? prompt(question) : prompt(question, fallback),
  async askSecret(question) {
    process.stderr.write(question);
    process.stdin.setRawMode(true);
    const typed = await typedLine();
    process.stdin.setRawMode(false);
    process.stderr.write("\n");
    return typed;
  },
};

/** Reads one typed line, or gives null when it is interrupted. */
async function typedLine(): Promise<string | null> {
  let typed = "";
  for await (const chunk of process.stdin)
    for (const character of String(chunk)) {
      if (character === "\r" || character === "\n" || character === "\x04") return typed;
      if (character === "\x03") return null;
      const erases = character === "\x7f" || character === "\b";
      typed = erases ? typed.slice(0, -1) : typed + character;
    }
  return typed;
}

function outputAt(descriptor: 1 | 2): Output {
  const file = () => (descriptor === 1 ? Bun.stdout : Bun.stderr);
  const { later, written } = laterWriter((text) => file().write(text));
  return {
    isTerminal: () => isTerminal(descriptor),
    write: (text) => writeAll(descriptor, text),
    isLeft: async () => (await import("../terminal/reader-left.ts")).readerLeft(descriptor),
    writeLater: later,
    written,
    writeNow(text) {
      try {
        fs().writeSync(descriptor, text);
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (!["EPIPE", "EAGAIN"].includes(code)) throw error;
      }
    },
  };
}

/**
 * Whether a standard stream is a terminal. `node:tty` takes longer to load than a command takes to run, so it is asked only
 * about what may be one.
 */
function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const stats = fs().fstatSync(descriptor);
    if (!stats.isCharacterDevice() || stats.rdev === nullDevice()) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

const nullDevice = () => fs().statSync("/dev/null").rdev;

const system: System = {
  platform: process.platform,
  pid: process.pid,
  parent: process.ppid,
  startedAt: performance.timeOrigin,
  executable: process.execPath,
  userId: process.getuid?.(),
  // `node:os` is loaded only where it is needed: it slows every start.
  homeFolder: () => process.getBuiltinModule("node:os").homedir(),
  temporaryFolder: () => process.getBuiltinModule("node:os").tmpdir(),
  opensSockets,
  commandLine: () => (fs().existsSync(argumentsFile) ? fs().readFileSync(argumentsFile) : null),
  umask: () => process.umask(),
  setUmask: (mask) => void process.umask(mask),
  start,
  converse,
  hand,
  kill: (pid, signal) => void process.kill(pid, signal),
  isAlive,
  onSignal(signal, act) {
    process.once(signal, act);
    return () => void process.off(signal, act);
  },
  exit: (code) => process.exit(code),
};

/** Listens for a moment, on this machine alone. */
function opensSockets(): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

function start(command: readonly string[], { cwd, env, log }: StartOptions): Child {
  const file = fs().openSync(log, "a", 0o600);
  const child = Bun.spawn([...command], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", file, file],
  });
  child.unref();
  fs().closeSync(file);
  return {
    pid: child.pid,
    get exitCode() {
      return child.exitCode;
    },
    end: () => child.kill("SIGKILL"),
  };
}

async function hand(
  command: readonly string[],
  { cwd, env }: Pick<StartOptions, "cwd" | "env">,
): Promise<boolean | null> {
  const program = Bun.which(command[0]!, { PATH: env["PATH"] ?? "" });
  if (program === null) return null;
  const child = Bun.spawn([program, ...command.slice(1)], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "ignore", "ignore"],
  });
  child.unref();
  // An opener ends once it has found the browser. A browser itself stays.
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), 2_000);
    void child.exited.then((code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

function converse(
  command: readonly string[],
  { cwd, env }: Pick<StartOptions, "cwd" | "env">,
): Talk | null {
  const program = Bun.which(command[0]!, { PATH: env["PATH"] ?? "" });
  if (program === null) return null;
  const child = Bun.spawn([program, ...command.slice(1)], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return {
    say: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    output: child.stdout,
    exited: child.exited,
    end: () => child.kill("SIGKILL"),
  };
}
