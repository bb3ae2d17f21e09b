import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import type {
  Child,
  Clock,
  Input,
  Output,
  StartOptions,
  Surroundings,
  System,
} from "./surroundings.ts";
import { isAlive } from "../../client/files/process.ts";
import { writeAll } from "../terminal/write-all.ts";

const argumentsFile = "/proc/self/cmdline";

/** The surroundings of a run in this process. */
export function thisProcess(): Surroundings {
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin,
    stdout: outputAt(1),
    stderr: outputAt(2),
    clock,
    system,
  };
}

const clock: Clock = {
  now: Date.now,
  sleep: Bun.sleep,
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
};

const stdin: Input = {
  isTerminal: () => isTerminal(0),
  bytes: () => Bun.stdin.bytes(),
  stream: () => Bun.stdin.stream(),
  ask: (question, fallback) => prompt(question, fallback),
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

const outputAt = (descriptor: 1 | 2): Output => ({
  isTerminal: () => isTerminal(descriptor),
  write: (text) => writeAll(descriptor, text),
  writeLater(text) {
    const file = descriptor === 1 ? Bun.stdout : Bun.stderr;
    file.write(text).catch(() => {});
  },
  writeNow(text) {
    try {
      writeSync(descriptor, text);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!["EPIPE", "EAGAIN"].includes(code)) throw error;
    }
  },
});

/**
 * Whether a standard stream is a terminal. `node:tty` takes longer to load than a command takes to run, so it is asked only
 * about what may be one.
 */
function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isCharacterDevice() || stats.rdev === nullDevice()) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

const nullDevice = () => statSync("/dev/null").rdev;

const system: System = {
  pid: process.pid,
  executable: process.execPath,
  userId: process.getuid?.(),
  // `node:os` is loaded only where it is needed: it slows every start.
  homeFolder: () => process.getBuiltinModule("node:os").homedir(),
  temporaryFolder: () => process.getBuiltinModule("node:os").tmpdir(),
  commandLine: () => (existsSync(argumentsFile) ? readFileSync(argumentsFile) : null),
  umask: () => process.umask(),
  setUmask: (mask) => void process.umask(mask),
  start,
  kill: (pid, signal) => void process.kill(pid, signal),
  isAlive,
  onSignal(signal, act) {
    process.once(signal, act);
    return () => void process.off(signal, act);
  },
  exit: (code) => process.exit(code),
};

function start(command: readonly string[], { cwd, env, log }: StartOptions): Child {
  const file = openSync(log, "a", 0o600);
  const child = Bun.spawn([...command], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", file, file],
  });
  child.unref();
  closeSync(file);
  return {
    pid: child.pid,
    get exitCode() {
      return child.exitCode;
    },
    end: () => child.kill("SIGKILL"),
  };
}
