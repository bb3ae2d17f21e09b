import { resolve } from "node:path";
import type { Machine } from "./machine.ts";

const main = resolve(import.meta.dir, "../../../src/main.ts");

/** A command at a terminal that somebody looks at. */
export interface AtScreen {
  /** Resolves when all of these texts have been on the screen. */
  showing(...texts: string[]): Promise<void>;
  /** The exit code, and everything that was written to the screen. */
  end(): Promise<{ code: number; screen: string }>;
}

/** Starts a command whose three standard streams are a terminal that can draw a line over again. */
export function atScreen({ home, env }: Machine, words: string[], more = {}): AtScreen {
  let screen = "";
  let changed = Promise.withResolvers<void>();
  const last = "[the command has ended]";
  const terminal = new Bun.Terminal({
    cols: 200,
    data(_, bytes) {
      screen += new TextDecoder().decode(bytes);
      changed.resolve();
      changed = Promise.withResolvers();
    },
  });
  const script = `"$0" "$@"; code=$?; echo "${last}"; exit $code`;
  const child = Bun.spawn(["sh", "-c", script, process.execPath, main, ...words], {
    cwd: home,
    env: { ...env, NO_COLOR: "1", TERM: "xterm", ...more },
    terminal,
  });
  const showing: AtScreen["showing"] = async (...texts) => {
    while (!texts.every((text) => screen.includes(text))) {
      if (screen.includes(last)) throw new Error(`it ended without showing ${texts}: ${screen}`);
      await changed.promise;
    }
  };
  return {
    showing,
    async end() {
      while (!screen.includes(last)) await changed.promise;
      const code = await child.exited;
      terminal.close();
      return { code, screen: screen.slice(0, screen.indexOf(last)) };
    },
  };
}
