/** Refusals about messages: a part of the table of errors. */
export const messageErrors = {
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
    message: "{target} addresses nobody on this board.",
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
} as const;
