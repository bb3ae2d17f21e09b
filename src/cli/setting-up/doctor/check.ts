import type { CheckName } from "../../../client/harnesses/profile.ts";
import { LocalError } from "../../../client/machine/local-error.ts";

/** One finding of `doctor`. A check that finds nothing wrong is `ok`, and has neither code nor fix. */
export interface Check {
  readonly name: string;
  readonly level: "ok" | "warning" | "error";
  readonly code: string | null;
  readonly message: string;
  readonly fix: string | null;
}

export const fine = (name: string, message: string): Check => ({
  name,
  level: "ok",
  message,
  code: null,
  fix: null,
});

/** What `doctor` finds by itself; a refusal of another part of this program keeps its own code. A test has a case for each. */
export type FindingCode =
  | `${CheckName}_${"hooks_missing" | "hooks_unsupported" | "version_unknown" | "too_old"}`
  | `${CheckName}_${"extension_missing" | "service_not_allowed"}`
  | `${"claude_code" | "codex" | "opencode"}_not_installed`
  | `${"skill" | "hooks" | "extension" | "tools"}_${"edited" | "outdated"}`
  | `codex_${"queue_missing" | "hooks_untrusted" | "hooks_warning" | "trust_unknown"}`
  | `codex_${"target_absent" | "subagent_target"}`
  | `claude_${"hooks_disabled" | "settings_unreadable"}`
  | `delivery_${"attention" | "stalled" | "mode_kept_here" | "mode_unconfirmed"}`
  | `daemon_${"in_sandbox" | "not_running" | "outdated"}`
  | `server_${"outdated" | "unreachable"}`
  | `version_${"skew" | "unknown"}`
  | `${"hooks" | "extension"}_in_both_scopes`
  | `tools_${"missing" | "silent"}`
  | "skill_missing"
  | "hooks_foreign"
  | `settings_${"broken" | "foreign"}`
  | "no_harness_found"
  | "login_missing"
  | "board_gone"
  | "handoff_failed"
  | "socket_unsafe"
  | "peer_check_unavailable"
  | "sandbox_blocks_network";

/** A finding: its name and code, what is so, and what to do. */
interface Finding {
  readonly name: string;
  readonly code: FindingCode;
  readonly message: string;
  readonly fix: string;
}

export const warning = (finding: Finding): Check => ({ ...finding, level: "warning" });

export const failure = (finding: Finding): Check => ({ ...finding, level: "error" });

/** A refusal of another part of this program, as a finding. Anything else that is thrown goes on. */
export function refused(name: string, error: unknown): Check {
  if (!(error instanceof LocalError)) throw error;
  const { code, message, hint } = error;
  return { name, level: "error", code, message, fix: hint };
}
