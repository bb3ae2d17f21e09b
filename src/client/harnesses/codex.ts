import type { HarnessProfile } from "./profile.ts";

/** Codex, as version 0.169.0 behaves. */
export const codexProfile: HarnessProfile = {
  harness: "codex",
  name: "Codex",
  command: "codex",
  checkName: "codex",
  checks: {
    installed: ["codex", "--version"],
    loggedIn: ["codex", "login", "status"],
    // The first with `codex queue`.
    minVersion: "0.149.0",
    proved: "0.169.0",
  },
  configDir: { env: "CODEX_HOME", default: ".codex" },
  marks: {
    session: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
    sandbox: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
    noNetwork: ["CODEX_SANDBOX_NETWORK_DISABLED"],
    sandboxFix:
      "Let sessions run our commands outside the sandbox: `service init --yes --allow-commands`.",
  },
  identity: { env: "CODEX_SESSION_ID", ownEnv: "CODEX_THREAD_ID" },
  lifecycle: { liveness: "process", subagentField: "agent_id" },
  delivery: {
    method: "queue",
    wakeBytes: 32 * 1024,
    contextBytes: 9_000,
    // Codex escapes what the end of a turn adds, so nothing is handed that way.
    turnEndBundles: 0,
    silentTurnMs: 600_000,
    hooks: [
      {
        event: "SessionStart",
        run: "session-start",
        timeout: 30,
        since: "0.114.0",
        without: "a session is known only from its first command of ours",
      },
      {
        event: "UserPromptSubmit",
        run: "prompt",
        timeout: 10,
        options: { additionalContextLimit: 8192 },
        since: "0.116.0",
        without: "messages are confirmed later, by reading the conversation",
      },
      {
        event: "PreToolUse",
        run: "before-tool",
        timeout: 10,
        options: { additionalContextLimit: 8192 },
        since: "0.129.0",
        without: "messages are confirmed only at the end of a turn",
      },
      {
        event: "PostToolUse",
        run: "after-tools",
        timeout: 30,
        options: { additionalContextLimit: 8192 },
        since: "0.129.0",
        without: "the owner's messages wait for the end of the turn",
      },
      {
        event: "Stop",
        run: "stop",
        timeout: 10,
        since: "0.114.0",
        without: "the end of a turn is seen only on the app server's socket",
      },
      {
        event: "SessionEnd",
        run: "end",
        timeout: 3,
        since: "0.145.0",
        without: "a session closes only when its app server is gone",
      },
    ],
  },
  install: [
    {
      kind: "skill",
      global: ".agents/skills/service/SKILL.md",
      project: ".agents/skills/service/SKILL.md",
    },
    {
      kind: "hooks",
      global: "{config}/hooks.json",
      project: ".codex/hooks.json",
      missing: { level: "warning", effect: "The owner's messages wait for the end of a turn." },
    },
    {
      kind: "allow-rule",
      rule: 'prefix_rule(pattern={words}, decision="allow")',
      places: { global: "{config}/rules/service.rules", project: ".codex/rules/service.rules" },
      required: "In Codex's sandbox a command reaches neither the daemon nor a server.",
    },
    {
      kind: "consent",
      text: "Start Codex and trust the hooks: it asks once, and `/hooks` shows them.",
      projectText: "Codex reads a project's .codex folder only once the project is trusted.",
    },
  ],
  interactive: {
    start: ["codex", "{prompt}"],
    resume: ["codex", "resume", "{session}"],
  },
  notes: [
    "The place of a hook in its file is part of its trust: our groups stand at the end of their lists.",
    "A rule holds only for a plain line: no pipe, no `$`, no redirection, no variable before the command.",
    "Hooks run in the app server that all terminals share: they have the environment of the terminal that started it.",
    "With `-c`, `-p`, `--search` or `--no-daemon` a session runs in its terminal by itself, and looks into its queue every ten seconds.",
    "A subagent's conversation and those in which Codex writes titles are threads too: only the session's own id is asked for.",
  ],
};
