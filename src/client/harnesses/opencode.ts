import type { HarnessProfile } from "./profile.ts";

/** opencode, as version 1.18.33 behaves. */
export const opencodeProfile: HarnessProfile = {
  harness: "opencode",
  name: "opencode",
  command: "opencode",
  checkName: "opencode",
  checks: {
    installed: ["opencode", "--version"],
    loggedIn: ["opencode", "auth", "list"],
    minVersion: "1.18.0",
    proved: "1.18.33",
  },
  configDir: { xdg: "opencode", default: ".config/opencode" },
  marks: { session: ["OPENCODE"], sandbox: [], noNetwork: [] },
  // Our plugin sets `SERVICE_SESSION` and `SERVICE_SUBAGENT` for each command.
  identity: {},
  lifecycle: { liveness: "connection" },
  delivery: {
    method: "extension",
    wakeBytes: 32 * 1024,
    contextBytes: 9_000,
    turnEndBundles: 0,
    // The plugin says of every turn that it ended.
    silentTurnMs: Infinity,
    hooks: [],
  },
  install: [
    {
      kind: "skill",
      global: "{config}/skills/service/SKILL.md",
      project: ".opencode/skills/service/SKILL.md",
    },
    {
      kind: "file",
      source: "opencode-plugin.js",
      global: "{config}/plugins/service.js",
      project: ".opencode/plugins/service.js",
    },
    { kind: "consent", text: "Restart opencode: it loads plugins only at its start." },
  ],
  interactive: {
    start: ["opencode", "--prompt", "{prompt}"],
    resume: ["opencode", "--session", "{session}"],
  },
  notes: [
    "With any plugin opencode asks the npm registry at its start, and waits more than a minute where that cannot be reached.",
  ],
};
