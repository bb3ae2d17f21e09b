import type { Details } from "../../contract/refusal.ts";

/** The codes that the command line answers by itself. The server's codes pass through unchanged. */
type LocalErrorCode =
  | "invalid_request"
  | "message_too_large"
  | "server_not_running"
  | "server_unreachable"
  | "server_unknown"
  | "server_not_selected"
  | "server_outdated"
  | "storage_unsupported"
  | "login_required"
  | "delegation_revoked"
  | "uncertain"
  | "invite_link_invalid"
  | "invite_not_found"
  | "join_code_not_found"
  | "join_line_invalid"
  | "message_ref_invalid"
  | "insecure_server"
  | "already_connected"
  | "key_invalid"
  | "machine_request_invalid"
  | "key_not_selected"
  | "agent_not_selected"
  | "agent_ambiguous"
  | "board_ambiguous"
  | "agent_not_found"
  | "board_not_found"
  | "board_not_selected"
  | "board_moved"
  | "board_head_changed"
  | "board_archive_invalid"
  | "person_not_found"
  | "person_not_on_board"
  | "server_admin_required"
  | "no_current_task"
  | "task_not_found"
  | "file_not_found"
  | "disk_full"
  | "file_too_large"
  | "version_not_found"
  | "local_file_changed"
  | "name_taken"
  | "session_unknown"
  | "agent_session_required"
  | "subagent_without_seat"
  | "daemon_not_running"
  | "daemon_outdated"
  | "daemon_in_sandbox"
  | "sandbox_blocks_network"
  | "human_command_in_session"
  | "browser_unavailable"
  | "confirmation_required"
  | "harness_unavailable"
  | "settings_broken"
  | "settings_foreign"
  | "internal";

/** A refusal of the command line itself: what happened, what to do next, and the exit code. */
export class LocalError extends Error {
  override readonly name = "LocalError";
  readonly code: LocalErrorCode;
  readonly hint: string;
  readonly details: Details | undefined;
  readonly exitCode: 1 | 2;

  constructor(
    code: LocalErrorCode,
    message: string,
    hint: string,
    details?: Details,
    exitCode: 1 | 2 = 1,
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.details = details;
    this.exitCode = exitCode;
  }
}

/** A command line that cannot be understood: `invalid_request`, exit code 2. */
export const usageError = (message: string, hint: string, details?: Details): LocalError =>
  new LocalError("invalid_request", message, hint, details, 2);
