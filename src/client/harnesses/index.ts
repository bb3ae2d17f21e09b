import { claudeCodeProfile } from "./claude-code.ts";
import { codexProfile } from "./codex.ts";
import { opencodeProfile } from "./opencode.ts";
import type { HarnessProfile } from "./profile.ts";

/** The harnesses that this program knows, the innermost first: Codex in a Claude Code session is found as Codex. */
export const profiles: readonly HarnessProfile[] = [
  codexProfile,
  opencodeProfile,
  claudeCodeProfile,
];

/** The profile of a harness, or null. */
export const profileOf = (harness: string): HarnessProfile | null =>
  profiles.find((profile) => profile.harness === harness) ?? null;
