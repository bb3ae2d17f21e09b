/** Refusals about the people of the server and how they come to it: a part of the table of errors. */
export const peopleErrors = {
  person_not_found: {
    status: 404,
    message: "There is nobody with the handle {handle} on this server.",
    hint: "`service people` lists everyone; an admin invites with `service invite --person`.",
  },
  invite_invalid: {
    status: 404,
    message: "This invitation does not work.",
    hint: "It may be used, expired or mistyped. Ask an admin for a new one: `service invite --person`.",
  },
  handle_taken: {
    status: 409,
    message: "The handle {handle} is taken.",
    hint: "Choose another with `--handle`; the invitation is still unused.",
  },
  handle_invalid: {
    status: 422,
    message: "{handle} is not a handle: lowercase letters, digits and single dashes, at most 40.",
    hint: "A valid handle would be: {suggestion}.",
  },
  invite_not_found: {
    status: 404,
    message: "You have made no invitation {invite}.",
    hint: "`service invite list --all` lists yours.",
  },
  receipt_not_found: {
    code: "not_found",
    status: 404,
    message: "No invitation was redeemed with this access key.",
    hint: "That does not say that the invitation is unused: ask whoever sent it before you connect again.",
  },
  new_handle_taken: {
    code: "handle_taken",
    status: 409,
    message: "The handle {handle} is taken.",
    hint: "Choose another.",
  },
  person_is_guest: {
    status: 409,
    message: "{handle} is a guest, and a guest keeps that role.",
    hint: "Invite them to the server: they come in as a new person. `service invite --person`",
  },
  last_admin: {
    status: 409,
    message: "The server would be left without an admin.",
    hint: "Make somebody else one first: `service people role @handle admin`.",
  },
  guests_left_alone: {
    code: "last_owner",
    status: 409,
    message: "Without {handle} boards would be left with guests alone.",
    hint: "`details.boards` holds their ids. Add a member to each, or archive and delete it: `service board archive`.",
  },
} as const;
