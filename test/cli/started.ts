import { resolve } from "node:path";
import type { Machine } from "./program.ts";

const main = resolve(import.meta.dir, "../../src/main.ts");

/** A command that goes on: what it has said so far, and its end. */
export interface Started {
  readonly child: Bun.Subprocess;
  /** What stdout and stderr have said, each once it holds a text. Fails when the command ends without it. */
  saying(text: string): Promise<string>;
  warning(text: string): Promise<string>;
  /** The exit code, and all that was said. */
  end(): Promise<{ code: number; stdout: string; stderr: string }>;
}

/** Starts a command on a machine, without waiting for its end. */
export function start({ home, env }: Machine, words: string[]): Started {
  const child = Bun.spawn([process.execPath, main, ...words], {
    cwd: home,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = [heard(child.stdout), heard(child.stderr)];
  return {
    child,
    saying: stdout.until,
    warning: stderr.until,
    async end() {
      const [code, out, error] = await Promise.all([child.exited, stdout.all, stderr.all]);
      return { code, stdout: out, stderr: error };
    },
  };
}

function heard(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let isOver = false;
  let more = Promise.withResolvers<void>();
  const all = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      more.resolve();
      more = Promise.withResolvers();
    }
    isOver = true;
    more.resolve();
    return text;
  })();
  return {
    all,
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        if (isOver) throw new Error(`it ended without saying ${part}: ${text}`);
        await more.promise;
      }
      return text;
    },
  };
}
