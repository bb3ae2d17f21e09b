import type { Env } from "./machine.ts";

interface Harness {
  readonly name: string;
  /** Variables that mark a command of a session. */
  readonly session: readonly string[];
  /** Variables that mark a command of a sandbox. */
  readonly sandbox: readonly string[];
  /** Sandbox variables that also mean: no network, not even this machine's own. */
  readonly noNetwork: readonly string[];
}

/** The programs that run agents, and the variables that mark their commands. */
const harnesses: readonly Harness[] = [
  {
    name: "codex",
    session: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
    sandbox: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
    noNetwork: ["CODEX_SANDBOX_NETWORK_DISABLED"],
  },
  {
    name: "claude-code",
    session: ["SERVICE_SESSION", "CLAUDECODE"],
    sandbox: ["SANDBOX_RUNTIME"],
    noNetwork: [],
  },
];

const anySet = (env: Env, names: readonly string[]) => names.some((name) => env[name]);

/** The harness whose session the command runs in, or null in a plain terminal. */
export function harnessOf(env: Env): string | null {
  const found = harnesses.find(({ session, sandbox }) => anySet(env, [...session, ...sandbox]));
  return found?.name ?? null;
}

/** Whether the command runs inside a session of a harness. */
export const inSession = (env: Env): boolean => harnessOf(env) !== null;

/** The harness and the harness's own id of the session that a command runs in, as far as its environment says it. */
export function sessionOf(env: Env): { harness: string; session: string } | null {
  const own = env["CLAUDE_CODE_SESSION_ID"];
  if (own) return { harness: "claude-code", session: own };
  const [, harness, session] =
    /^([a-z0-9][a-z0-9-]*):(.+)$/.exec(env["SERVICE_SESSION"] ?? "") ?? [];
  return harness && session ? { harness, session } : null;
}

/** Whether a variable says that the command runs in a sandbox. Commands that a rule lets out of it may have it too. */
export const inSandbox = (env: Env): boolean =>
  harnesses.some(({ sandbox }) => anySet(env, sandbox));

/** Whether a sandbox keeps the command from every network. */
export const networkBlocked = (env: Env): boolean =>
  harnesses.some(({ noNetwork }) => anySet(env, noNetwork));

/** Whether the command runs in a subagent, which has no seat of its own. */
export function inSubagent(env: Env): boolean {
  const { CODEX_THREAD_ID: thread, CODEX_SESSION_ID: root } = env;
  if (thread) return root !== undefined && root !== thread;
  return Boolean(env["SERVICE_SUBAGENT"]);
}
