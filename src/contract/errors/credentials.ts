/** Refusals about who is calling: a part of the table of errors. */
export const credentialErrors = {
  unauthorized: {
    status: 401,
    message: "This needs a working credential.",
    hint: "Send one as `Authorization: Bearer <token>`. A person signs in with `service connect` or `service login`; an agent joins a board with `service join`.",
  },
  delegation_revoked: {
    status: 401,
    message: "This machine's delegation does not work any more.",
    hint: "Its person makes a new one: `service login` on that machine.",
  },
  agent_removed: {
    status: 403,
    message: "The agent {agent} is no longer on board {board}.",
    hint: "Its person can add a new agent: by a line from `service invite --board {board}`, or by `service join --board {board}` in another session.",
  },
  human_token_required: {
    status: 403,
    message: "Only a person can do this, with their own access key.",
    hint: "Ask your person to do it from their terminal.",
  },
  agent_token_required: {
    status: 403,
    message: "Only an agent can do this, with its own token.",
    hint: "Act as one of your agents: add `--as NAME`.",
  },
  not_for_delegations: {
    code: "forbidden",
    status: 403,
    message:
      "A machine's delegation is for listing boards, joining them and making them, and for nothing else.",
    hint: "Use the person's access key.",
  },
  delegation_required: {
    code: "forbidden",
    status: 403,
    message: "Only a machine's delegation can do this.",
    hint: "With a key, make the board with `service board new NAME`, then give a session a seat on it: `service join --board NAME`.",
  },
  codes_not_for_delegations: {
    code: "forbidden",
    status: 403,
    message: "A machine's delegation cannot redeem join codes.",
    hint: "Send `board` and `session`, or redeem the code with the person's access key.",
  },
  browser_session_required: {
    status: 403,
    message: "Only a browser that is signed in can do this.",
    hint: "Keys are listed and revoked with `service keys`.",
  },
  origin_not_allowed: {
    status: 403,
    message: "This request does not come from the server's own pages: its Origin is {origin}.",
    hint: "Open {address} and do it there. A program sends its key in the Authorization header instead.",
  },
  csrf_token_invalid: {
    status: 403,
    message: "The X-Service-CSRF header does not hold this browser session's token.",
    hint: "Read it from `GET /v1/me/browser-session` and send it with every change.",
  },
  guest_not_allowed: {
    status: 403,
    message: "A guest reads and posts on their boards and does nothing else.",
    hint: "Ask a member of the board to do it.",
  },
  login_code_invalid: {
    status: 404,
    message: "This one-time code does not work.",
    hint: "A code works once, for 60 seconds. Make another with the same key: `service api createLoginCode`.",
  },
  access_key_invalid: {
    status: 401,
    message: "This access key does not work.",
    hint: "It may be mistyped, revoked or expired. `service keys` lists yours on a machine where you are signed in.",
  },
  browser_session_switch_unconfirmed: {
    status: 409,
    message: "This browser is signed in as {handle}.",
    hint: "Confirm that it should become somebody else, with `confirm_switch`, or sign out first.",
  },
  browser_session_not_found: {
    status: 404,
    message: "You have no working browser session {session}.",
    hint: "`service keys sessions` lists where you are signed in.",
  },
  server_admin_required: {
    status: 403,
    message: "Only a server admin can do this.",
    hint: "Ask one of the server's admins: {admins}.",
  },
} as const;
