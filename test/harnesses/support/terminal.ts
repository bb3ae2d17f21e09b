import { afterAll } from "bun:test";
import { join } from "node:path";
import { programsFolder } from "./programs.ts";

/** What the suite uses of the terminal emulator, which is installed with the programs. */
interface Emulator {
  readonly buffer: {
    readonly active: {
      readonly baseY: number;
      readonly length: number;
      getLine(row: number): { translateToString(trim: boolean): string } | undefined;
    };
  };
  write(bytes: Uint8Array, then: () => void): void;
  onData(act: (answer: string) => void): void;
}

const keys = {
  enter: "\r",
  escape: "\x1b",
  tab: "\t",
  up: "\x1b[A",
  down: "\x1b[B",
  ctrlC: "\x03",
  ctrlD: "\x04",
  ctrlU: "\x15",
};

/** A person at a terminal: starts a program, types, and reads the screen. */
export interface Terminal {
  readonly pid: number;
  /** The visible lines. */
  screen(): string;
  /** All lines, those that scrolled by too. */
  history(): string;
  type(text: string): void;
  key(name: keyof typeof keys): void;
  /** Types a line and presses Enter until `happened`: a program that still starts swallows keys. */
  enter(text: string, happened: () => boolean): Promise<void>;
  /** Resolves with the screen once it matches. */
  showing(match: RegExp, milliseconds?: number): Promise<string>;
  /** Resolves once the screen no longer matches. */
  hiding(match: RegExp): Promise<string>;
  isRunning(): boolean;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const [cols, rows] = [120, 40];

/** Opens a program at a pseudo-terminal of 120 by 40. It is killed when the test ends. */
export async function openTerminal(
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Terminal> {
  const { default: xterm } = (await import(
    join(programsFolder, "node_modules/@xterm/headless/lib-headless/xterm-headless.js")
  )) as { default: { Terminal: new (options: object) => Emulator } };
  const view = new xterm.Terminal({ cols, rows, scrollback: 5_000, allowProposedApi: true });
  const looking = new Set<() => void>();
  const look = () => {
    for (const one of looking) one();
  };
  const child = Bun.spawn([...command], {
    cwd,
    env: { TERM: "xterm-256color", COLORTERM: "truecolor", LANG: "C.UTF-8", ...env },
    terminal: { cols, rows, data: (_, bytes) => view.write(bytes.slice(), look) },
  });
  const pty = child.terminal!;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  // Full-screen programs ask their terminal where the cursor is, and some do not start without an answer.
  view.onData((answer) => {
    if (isRunning()) pty.write(answer);
  });
  void child.exited.then(look);

  const lines = (from: number, to: number): string => {
    const { active } = view.buffer;
    const texts = Array.from(
      { length: to - from },
      (_, i) => active.getLine(from + i)?.translateToString(true) ?? "",
    );
    return texts.join("\n").trimEnd();
  };
  const screen = () => lines(view.buffer.active.baseY, view.buffer.active.baseY + rows);
  const becoming = (is: (seen: string) => boolean, what: string, milliseconds: number) =>
    new Promise<string>((resolve, reject) => {
      const end = (act: () => void) => {
        looking.delete(once);
        clearTimeout(timer);
        act();
      };
      const fail = (why: string) => () =>
        reject(new Error(`the screen did not ${what}: ${why}\n${screen()}`));
      const once = () => {
        const seen = screen();
        if (is(seen)) end(() => resolve(seen));
        else if (!isRunning()) end(fail("the program ended"));
      };
      const timer = setTimeout(() => end(fail(`${milliseconds} ms`)), milliseconds);
      looking.add(once);
      once();
    });
  const terminal: Terminal = {
    pid: child.pid,
    screen,
    isRunning,
    history: () => lines(0, view.buffer.active.length),
    type: (text) => void pty.write(text),
    key: (name) => void pty.write(keys[name]),
    async enter(text, happened) {
      pty.write(text);
      for (let tries = 0; tries < 6; tries++) {
        // One write of both would be taken for pasted text.
        await Bun.sleep(400);
        pty.write(keys.enter);
        for (let waits = 0; waits < 40; waits++) {
          if (happened()) return;
          await Bun.sleep(50);
        }
      }
      throw new Error(`nothing came of what was typed:\n${screen()}`);
    },
    showing: (match, milliseconds = 30_000) =>
      becoming((seen) => match.test(seen), `show ${match}`, milliseconds),
    hiding: (match) => becoming((seen) => !match.test(seen), `lose ${match}`, 30_000),
    async kill(signal) {
      if (isRunning()) child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), 3_000);
      await child.exited;
      clearTimeout(late);
    },
  };
  afterAll(async () => {
    await terminal.kill("SIGKILL");
    pty.close();
  });
  return terminal;
}
