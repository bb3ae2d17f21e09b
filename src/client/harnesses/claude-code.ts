import type { HarnessProfile } from "./profile.ts";

/** Claude Code, as version 2.1.330 behaves. */
export const claudeCodeProfile: HarnessProfile = {
  harness: "claude-code",
  name: "Claude Code",
  command: "claude",
  checkName: "claude",
  checks: {
    installed: ["claude", "--version"],
    loggedIn: ["claude", "auth", "status"],
    // The first with `FileChanged`, without which nothing wakes an idle session.
    minVersion: "2.1.83",
    proved: "2.1.330",
  },
  configDir: { env: "CLAUDE_CONFIG_DIR", default: ".claude" },
  marks: {
    session: ["CLAUDECODE"],
    sandbox: ["SANDBOX_RUNTIME"],
    noNetwork: [],
    sandboxFix: "Install the hooks, which run outside the sandbox: `service init`.",
  },
  identity: { env: "CLAUDE_CODE_SESSION_ID", envFile: "CLAUDE_ENV_FILE" },
  lifecycle: { liveness: "process", subagentField: "agent_id" },
  delivery: {
    method: "bell",
    wakeBytes: 32 * 1024,
    // It cuts what a hook adds at 10,000 characters.
    contextBytes: 9_000,
    // The ninth in a row ends the turn with a warning.
    turnEndBundles: 7,
    // After Esc no hook runs.
    silentTurnMs: 600_000,
    hooks: [
      {
        event: "SessionStart",
        run: "session-start",
        timeout: 30,
        since: "2.0.22",
        without: "commands cannot tell which agent they are, and nothing wakes the session",
      },
      {
        event: "CwdChanged",
        run: "folder-changed",
        timeout: 10,
        since: "2.1.83",
        without: "after a `cd` nothing wakes the session",
      },
      {
        event: "FileChanged",
        run: "bell",
        timeout: 60,
        options: {
          asyncRewake: true,
          rewakeMessage: "From the team board:",
          rewakeSummary: "Message from the team board",
        },
        since: "2.1.83",
        without: "an idle session does not wake",
      },
      {
        event: "UserPromptSubmit",
        run: "prompt",
        timeout: 10,
        since: "1.0.54",
        without: "the session does not count as busy when the person types",
      },
      {
        event: "PreToolUse",
        run: "before-tool",
        timeout: 10,
        since: "2.1.69",
        without: "a subagent's commands act as the agent, and confirmations come later",
      },
      {
        // The hooks of single tools are no way out: what one of them adds would be confirmed by the next tool of the same batch.
        event: "PostToolBatch",
        run: "after-tools",
        timeout: 10,
        since: "2.1.118",
        without: "the owner's messages wait for the end of the turn",
      },
      {
        event: "Stop",
        run: "stop",
        timeout: 10,
        since: "1.0.54",
        without: "nothing arrives at the end of a turn, and no message is confirmed",
      },
      {
        event: "StopFailure",
        run: "failed",
        timeout: 10,
        since: "2.1.83",
        without: "after an API error the session counts as busy for ten minutes",
      },
      {
        event: "SessionEnd",
        run: "end",
        timeout: 10,
        since: "1.0.85",
        without: "a session that was quit stays open until its process is seen to be gone",
      },
    ],
  },
  install: [
    {
      kind: "skill",
      global: "{config}/skills/service/SKILL.md",
      project: ".claude/skills/service/SKILL.md",
    },
    {
      kind: "hooks",
      global: "{config}/settings.json",
      project: ".claude/settings.local.json",
      missing: { level: "error", effect: "No message reaches its sessions." },
    },
    { kind: "allow-rule", rule: "Bash({program} *)" },
    {
      kind: "consent",
      text: "Restart open Claude Code sessions, or type /clear in them: only then they hear their bell.",
    },
  ],
  interactive: {
    start: ["claude", "{prompt}"],
    resume: ["claude", "--resume", "{session}"],
  },
  notes: [
    "An unknown event in its settings makes it ask a question at every start: no event is written that the installed version lacks.",
    "A half-written settings file stops everybody's hooks: files are replaced whole.",
  ],
};
