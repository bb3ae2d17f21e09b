import { join } from "node:path";
import { askDaemon } from "../../../src/client/machine/daemon-client.ts";
import type { DaemonAnswer, DaemonRequest } from "../../../src/client/machine/daemon-wire.ts";
import type { Machine, Options, Program } from "../commands/machine.ts";

/** What a hook on a machine has. */
export const hookOn = ({ home }: Pick<Machine, "home">) => ({
  folders: { config: join(home, "config"), data: join(home, "data"), state: join(home, "state") },
  system: { userId: process.getuid!(), homeFolder: () => home },
});

/** A session of Claude Code on a machine: commands that it runs, and what its hooks tell the daemon. */
export interface PlayedSession extends Pick<Program, "ok" | "json" | "refusal" | "run" | "start"> {
  readonly env: Record<string, string>;
  ask(request: DaemonRequest): Promise<DaemonAnswer>;
}

/** Starts a session, as its session-start hook does: the daemon runs, and knows it. */
export async function startSession(machine: Machine, id: string): Promise<PlayedSession> {
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: id };
  const inIt = (options: Options = {}) => ({ ...options, env: { ...env, ...options.env } });
  const ask = (request: DaemonRequest) =>
    askDaemon(hookOn(machine), { harness: "claude-code", session: id, ...request });
  await machine.ok(["daemon", "start"]);
  await ask({ op: "register", source: "startup", process: { pid: process.pid, start: "" } });
  return {
    env,
    ask,
    start: (words, options) => machine.start(words, inIt(options)),
    run: (words, options) => machine.run(words, inIt(options)),
    ok: (words, options) => machine.ok(words, inIt(options)),
    json: (words, options) => machine.json(words, inIt(options)),
    refusal: (words, options) => machine.refusal(words, inIt(options)),
  };
}
