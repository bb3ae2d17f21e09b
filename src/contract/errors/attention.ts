/** Refusals about the list of what needs a person: a part of the table of errors. */
export const attentionErrors = {
  attention_not_found: {
    status: 404,
    message: "Nothing on your list has the id {item}.",
    hint: "It may be done already. `service attention` lists what needs you.",
  },
  not_dismissable: {
    status: 409,
    message: "{item} stays on your list until it is done.",
    hint: "Do what `service attention` suggests for it, or hide it for a while: `service attention snooze {item} --for 2h`.",
  },
  snooze_out_of_range: {
    code: "invalid_request",
    status: 422,
    message: "An item can be snoozed until a time in the future, at most 30 days ahead.",
    hint: "Give a time in that range, such as `service attention snooze {item} --for 2h`.",
  },
} as const;
