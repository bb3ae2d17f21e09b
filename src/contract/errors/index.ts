import { askErrors } from "./asks.ts";
import { boardErrors } from "./boards.ts";
import { credentialErrors } from "./credentials.ts";
import { deliveryErrors } from "./delivery.ts";
import { fileErrors } from "./files.ts";
import { pairingErrors } from "./pairing.ts";
import { peopleErrors } from "./people.ts";
import { taskErrors } from "./tasks.ts";

/** One entry of the table. */
export interface ErrorEntry {
  readonly status: number;
  /** One sentence: what happened. Names in braces are filled in by the refusal. */
  readonly message: string;
  /** The next thing to do, as a command where there is one. May use the same names. */
  readonly hint: string;
  /** The code on the wire where it is not the entry's own name: several entries share one. */
  readonly code?: string;
}

/** Every refusal the service can answer, declared once. Codes are stable and never reused. */
export const errors = {
  // The request itself
  invalid_request: {
    status: 400,
    message: "The request is not valid: {problem}.",
    hint: "Compare it with the operation's entry at /docs.",
  },
  invalid_combination: {
    code: "invalid_request",
    status: 422,
    message: "The request breaks a rule: {problem}.",
    hint: "Compare it with the operation's entry at /docs.",
  },
  message_too_large: {
    status: 413,
    message: "{what} is too large: at most {limit}.",
    hint: "Send less at once; put a long text into several messages.",
  },
  not_found: {
    status: 404,
    message: "There is no {what}.",
    hint: "The operations of this server are listed at /docs.",
  },
  not_implemented: {
    status: 501,
    message: "This server does not provide {feature}.",
    hint: "Leave it out, or use a server whose `GET /v1/info` lists the feature.",
  },
  idempotency_conflict: {
    status: 422,
    message: "This Idempotency-Key was used for a different request.",
    hint: "Use a new key for a new request, and the same request for the same key.",
  },
  rate_limited: {
    status: 429,
    message: "Too many attempts.",
    hint: "Wait for the number of seconds in the Retry-After header, then try again.",
  },
  host_not_allowed: {
    status: 421,
    message: "This server does not answer for the host {host}.",
    hint: "Use the server's own address: {address}.",
  },
  internal: {
    status: 500,
    message: "Something went wrong on the server (fault {fault}).",
    hint: "Nothing was changed. Try again; the server's log names the fault.",
  },
  storage_full: {
    code: "internal",
    status: 500,
    message: "The server could not store this (fault {fault}).",
    hint: "Nothing was changed. The server's operator should check the free space of its data folder.",
  },
  record_damaged: {
    status: 500,
    message: "The record of board {board} is damaged at #{seq}: {problem}.",
    hint: "The server's operator can put the last good backup of its data folder back. `service audit verify --board {board}` says how far the record holds.",
  },

  ...credentialErrors,

  // Boards
  board_not_found: {
    status: 404,
    message: "There is no board {board} that you can see.",
    hint: "`service boards` lists yours; `service boards --all` adds the open ones.",
  },
  ...boardErrors,
  not_on_board: {
    status: 403,
    message: "You are not on board {board}.",
    hint: "It is open, so you can join it: `service join --board {board}`.",
  },
  admin_required: {
    status: 403,
    message: "Only an admin of board {board} can do this.",
    hint: "Ask one of its admins: {admins}.",
  },
  owner_required: {
    status: 403,
    message: "Only an owner of board {board} can do this.",
    hint: "Ask one of its owners: {owners}.",
  },
  forbidden: {
    status: 403,
    message: "Your role {role} does not have the permission {permission}.",
    hint: "Ask a person on the board to do it.",
  },
  board_name_taken: {
    status: 409,
    message: "The board name {board} is taken.",
    hint: "Choose another name; names of boards are never given out twice.",
  },
  board_creation_restricted: {
    status: 403,
    message: "On this server only admins make boards.",
    hint: "Ask one of the server's admins: {admins}.",
  },
  template_not_found: {
    status: 422,
    message: "There is no template {template}.",
    hint: "The templates are {templates}.",
  },
  task_prefix_taken: {
    status: 409,
    message: "The task prefix {prefix} belongs to another board.",
    hint: "Choose another: a capital letter, then one to five capitals or digits.",
  },
  role_not_found: {
    status: 404,
    message: "The board has no role {role}.",
    hint: "Its roles are {roles}.",
  },
  role_unknown: {
    code: "role_not_found",
    status: 422,
    message: "The board has no role {role}.",
    hint: "Its roles are {roles}.",
  },
  name_taken: {
    status: 409,
    message: "The name {name} is taken on board {board}.",
    hint: "Choose another with `--name`, or leave it out and get a free one.",
  },
  join_code_invalid: {
    status: 404,
    message: "This join code does not work.",
    hint: "Codes end after a while and can be revoked. Ask for a new one: `service invite`.",
  },
  join_code_not_yours: {
    status: 403,
    message: "This join code is for the sessions of the person who made it.",
    hint: "Ask that person to add you to the board; then make a code of your own with `service invite`.",
  },
  join_code_not_found: {
    status: 404,
    message: "The board has no join code {id}.",
    hint: "The id (`jc_…`) is in the answer that created the code, and in the list: `service invite list --all`.",
  },
  seat_token_replaced: {
    status: 409,
    message: "The token of this answer has been replaced since.",
    hint: "Join again from that session: `service join --board {board}`.",
  },

  // People and agents
  ...peopleErrors,
  person_not_found: {
    status: 404,
    message: "There is nobody with the handle {handle} on this server.",
    hint: "`service people` lists everyone; an admin invites with `service invite --person`.",
  },
  already_on_board: {
    status: 409,
    message: "{handle} is already on board {board}.",
    hint: "`service board people --board {board}` lists who is.",
  },
  agent_session_required: {
    status: 403,
    message: "An agent needs a session of its own to add people.",
    hint: "Ask your person: `service board add @{handle} --board {board}`.",
  },
  add_people_not_allowed: {
    status: 403,
    message: "Agents may not add people to board {board}.",
    hint: "Ask your person: `service board add @{handle} --board {board}`.",
  },
  agent_not_found: {
    status: 404,
    message: "There is no agent {name} on board {board} now.",
    hint: "`service status --board {board}` names this machine's agents.",
  },
  agent_owner_required: {
    status: 403,
    message: "Only the agent's own person can do this.",
    hint: "Ask {owner}, whose agent it is.",
  },
  line_until_past: {
    status: 422,
    message: "The time {until} has passed.",
    hint: 'Give one that is ahead, such as `service paused "TEXT" --until 20m`.',
  },
  member_not_found: {
    status: 404,
    message: "There is no member {name} on this board.",
    hint: "A name is written without `@`. `service api listMembers board={board}` lists the members.",
  },
  invite_invalid: {
    status: 404,
    message: "This invitation does not work.",
    hint: "It may be used, ended or mistyped. Ask an admin for a new one: `service invite --person`.",
  },
  handle_taken: {
    status: 409,
    message: "The handle {handle} is taken.",
    hint: "Choose another with `--handle`; the invitation is still unused.",
  },
  handle_invalid: {
    status: 422,
    message: "{handle} is not a handle: lowercase letters, digits and single dashes, at most 40.",
    hint: "This would be one: {suggestion}.",
  },
  machine_request_invalid: {
    status: 404,
    message: "This machine's request does not work.",
    hint: "It may be over, decided, mistyped or for somebody else. Start again on the machine: `service connect`.",
  },
  machine_request_refused: {
    status: 403,
    message: "The person refused this machine a key.",
    hint: "If that was a mistake, start again on the machine: `service connect`.",
  },
  key_not_found: {
    status: 404,
    message: "You have no access key {key}.",
    hint: "`service keys` lists yours.",
  },
  key_name_taken: {
    status: 409,
    message: "Another working key of yours is named {name}.",
    hint: "Choose another name, or revoke that key: `service keys revoke {name}`.",
  },

  // Messages
  message_not_found: {
    status: 404,
    message: "There is no such message that you can read.",
    hint: "`service read` shows the messages of your board.",
  },
  invalid_target: {
    status: 422,
    message: "{target} cannot be addressed: {problem}.",
    hint: "Address `all` alone, or `@name`, `role:name` and `owner:handle`, up to 50 of them.",
  },
  unknown_recipient: {
    status: 422,
    message: "Nobody on this board is addressed by {target}.",
    hint: "The members are {members}.",
  },
  reply_has_no_recipients: {
    status: 422,
    message: "Nobody else takes part in this thread.",
    hint: "Say who should get the reply: `--to all`, `--to @name` or `--to role:name`.",
  },
  broadcast_not_allowed: {
    status: 403,
    message: "Your role {role} may not post to everyone on this board.",
    hint: "Address a role or members instead: `--to role:{suggestion}` or `--to @name`.",
  },
  urgent_not_allowed: {
    status: 403,
    message: "Your role {role} may not send urgent messages on this board.",
    hint: "Send it without `--urgent`.",
  },
  ack_out_of_range: {
    status: 422,
    message: "The board's log ends at {head}, before {up_to}.",
    hint: "Acknowledge up to the seq of the last message that was shown.",
  },

  ...deliveryErrors,
  ...taskErrors,

  // Asks
  ...askErrors,
  ...fileErrors,
  ...pairingErrors,
} as const satisfies Record<string, ErrorEntry>;

/** The name of an entry of the error table. */
export type ErrorName = keyof typeof errors;
