import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { bellFile } from "../../../src/client/machine/daemon-files.ts";
import type { Machine, Ran } from "./machine.ts";

/** The events of Claude Code, and the hook that each runs. */
const claudeCodeEvents = {
  SessionStart: "session-start",
  CwdChanged: "folder-changed",
  FileChanged: "bell",
  UserPromptSubmit: "prompt",
  PreToolUse: "before-tool",
  PostToolBatch: "after-tools",
  Stop: "stop",
  StopFailure: "failed",
  SessionEnd: "end",
};

/** The events of Codex, and the hook that each runs. */
const codexEvents = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "before-tool",
  PostToolUse: "after-tools",
  Stop: "stop",
  SessionEnd: "end",
};

/** Where the settings of a harness are that name our hooks, below the home folder. */
const settings = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json" };

/** Plays a session of Claude Code on a machine: it runs the hooks as Claude Code would, with the input that it gives them. */
export function playClaudeCode(machine: Machine, session = "5e55-1") {
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session, CLAUDE_PID: String(process.pid) };
  const played = playSession(machine, "claude-code", claudeCodeEvents, session, env);
  return { ...played, bell: bellFile(played.folders, "claude-code", session) };
}

/** The same for Codex. Its hooks get none of the variables that its commands have. */
export function playCodex(machine: Machine, session = "01a205d6-b458-7d81-b232-0a41b5dc0226") {
  const env = { CODEX_SESSION_ID: session, CODEX_THREAD_ID: session };
  return { ...playSession(machine, "codex", codexEvents, session, {}), env };
}

function playSession<Event extends string>(
  machine: Machine,
  harness: keyof typeof settings,
  events: Readonly<Record<Event, string>>,
  session: string,
  env: Record<string, string>,
) {
  const { home } = machine;
  const folders = {
    config: join(home, "config"),
    data: join(home, "data"),
    state: join(home, "state"),
  };
  const text = (path: string) => readFileSync(path, "utf8").trim();
  const hooksFile = join(home, settings[harness]);
  mkdirSync(dirname(hooksFile), { recursive: true });
  writeFileSync(hooksFile, JSON.stringify({ hooks: [`service hook ${harness} stop`] }));
  const client = (token: string) =>
    createClient({ baseUrl: `http://${text(join(folders.data, "server.addr"))}`, token });
  return {
    env,
    session,
    folders,
    hooksFile,
    /** Runs the hook of an event. */
    hook: (event: Event, input: object = {}, more: Record<string, string> = {}) =>
      machine.run(["hook", harness, events[event]], {
        env: { ...env, ...more },
        stdin: JSON.stringify({ session_id: session, hook_event_name: event, cwd: home, ...input }),
      }),
    /** Posts to a board as the machine's person. */
    post: (board: string, body: object) =>
      client(text(join(folders.config, "owner-token"))).call("postMessage", {
        params: { board },
        body: body as never,
      }),
    /** How far the server says that a seat has read. */
    positionOf: async (token: string) => (await client(token).call("getInbox")).cursor,
  };
}

/** What a hook adds to the turn. Fails when it printed anything else than that of its event. */
export function contextOf({ stdout, stderr, code }: Ran, event: string): string {
  const { hookSpecificOutput } = JSON.parse(stdout);
  const { hookEventName, additionalContext, ...rest } = hookSpecificOutput;
  if (hookEventName !== event || Object.keys(rest).length > 0 || stderr !== "" || code !== 0)
    throw new Error(`${stdout}${stderr}`);
  return additionalContext;
}
