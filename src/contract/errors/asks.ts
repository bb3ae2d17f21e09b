/** Refusals about asks: a part of the table of errors. */
export const askErrors = {
  ask_invalid: {
    status: 422,
    message: "This ask or answer is not valid: {problem}.",
    hint: "An ask goes to one member who is on the board: `service ask @NAME QUESTION OPTION …`. An answer replies to an ask: `service ask --answer MSG --option K`.",
  },
  not_asked: {
    status: 403,
    message: "Only {who} can {what} #{seq}.",
    hint: "Reply to it without an answer: `service say --reply {seq} TEXT`.",
  },
  ask_closed: {
    status: 409,
    message: "The ask #{seq} was withdrawn.",
    hint: "Reply to it without an answer, or ask what is open now: `service ask @NAME QUESTION`.",
  },
} as const;
