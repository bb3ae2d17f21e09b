/** Refusals about access keys and the machines that ask for one: a part of the table of errors. */
export const keyErrors = {
  machine_request_invalid: {
    status: 404,
    message: "This machine's request does not work.",
    hint: "It may have expired, been decided or mistyped, or be for somebody else. Start again on the machine: `service connect`.",
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
} as const;
