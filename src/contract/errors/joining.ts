/** Refusals about joining a board with a code, and about the seat that is joined: a part of the table of errors. */
export const joiningErrors = {
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
} as const;
