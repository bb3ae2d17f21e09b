/** Refusals about the request itself, and failures of the server: a part of the table of errors. */
export const requestErrors = {
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
    hint: 'Send less at once. A long text goes into several messages, or into a file: `service say "TEXT" --attach FILE`.',
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
  too_many_bodies: {
    code: "rate_limited",
    status: 429,
    message: "Too many large requests with this credential at once: at most {most}.",
    hint: "Wait until one of them is answered, then try again.",
  },
  rate_limited: {
    status: 429,
    message: "Too many attempts.",
    hint: "Wait for the number of seconds in the Retry-After header, then try again.",
  },
  too_many_downloads: {
    code: "rate_limited",
    status: 429,
    message: "Too many downloads at once: at most {most} for an address, and {in_all} in all.",
    hint: "Wait until one of them has ended, then try again.",
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
    hint: "The server's operator can restore the last good backup of its data folder. `service audit verify --board {board}` says how far the record holds.",
  },
} as const;
