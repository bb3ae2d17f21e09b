/** Refusals about a board, its life and who is on it: a part of the table of errors. */
export const boardErrors = {
  board_not_found: {
    status: 404,
    message: "There is no board {board} that you can see.",
    hint: "`service boards` lists yours; `service boards --all` adds the open ones.",
  },
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
  board_archived: {
    status: 409,
    message: "Board {board} is archived.",
    hint: "Ask {restorers} to restore it: `service board restore --board {board}`.",
  },
  board_not_archived: {
    status: 409,
    message: "Board {board} is not archived.",
    hint: "Only an archived board can be deleted. Archive it first: `service board archive --board {board}`.",
  },
  board_moved: {
    status: 409,
    message: "Board {board} has moved to {server}.",
    hint: "Go on there: `service connect {server}`, then `service boards --server {server}`. Here it can only be read.",
  },
  board_head_changed: {
    status: 409,
    message: "Board {board} is at #{seq} now, and the export does not fit that.",
    hint: "Export it again.",
  },
  export_begins_later: {
    code: "board_head_changed",
    status: 409,
    message: "Board {board} ends at #{seq}, so nothing came after #{since}.",
    hint: "Name an event up to #{seq}. If the board had more, its server was restored from a backup: keep the copy that has it.",
  },
  board_creator_required: {
    status: 403,
    message: "Only the person who created this board, or a server admin, can do this.",
    hint: "Ask {restorers}.",
  },
  board_name_archived: {
    code: "board_name_taken",
    status: 409,
    message: "The board name {board} is taken by an archived board.",
    hint: "Choose another name, or ask {restorers} to restore that one.",
  },
  person_not_on_board: {
    status: 404,
    message: "{handle} is not on board {board}.",
    hint: "`service board people --board {board}` lists who is.",
  },
  person_not_in_archive: {
    code: "person_not_on_board",
    status: 404,
    message: "@{handle} was not on board {board} when it was exported.",
    hint: "Nothing was kept. Leave them out, or name somebody who was: where the board comes from, `service board people --board {board}` lists them.",
  },
  guest_handle_taken: {
    code: "handle_taken",
    status: 409,
    message: "{handle} cannot be a guest: the handle is taken.",
    hint: "Add a member of the server to the board: `service board add @{handle} --board {board}`. For a guest choose another handle.",
  },
  guest_comes_by_code: {
    code: "person_is_guest",
    status: 409,
    message: "{handle} is a guest, and guests are not added to boards.",
    hint: "Bring them with a code of their own: `service invite --guest {handle} --board {board}`.",
  },
  guest_never_owns: {
    code: "person_is_guest",
    status: 409,
    message: "{handle} is a guest, and guests own no boards.",
    hint: "Choose a member of the server: `service board people --board {board}` lists who is on it.",
  },
  guest_code_not_for_members: {
    status: 403,
    message: "This code is for a guest, and for that person alone.",
    hint: "Give it to the guest it names. Your own sessions join with a code of yours: `service invite`.",
  },
  board_exists: {
    status: 409,
    message: "The board {id} is on this server already, or was.",
    hint: "A board is imported once. `service boards --all` lists what is here; export it from where it is now, and compare.",
  },
  board_archive_invalid: {
    status: 422,
    message: "This is no archive that can be imported: {problem}.",
    hint: "Nothing was kept. Export the board again: `service board export BOARD -o FILE.board.tar`.",
  },
  import_running: {
    status: 409,
    message: "This server imports another board at the moment.",
    hint: "Try again when that is done.",
  },
  too_many_exports: {
    code: "rate_limited",
    status: 429,
    message: "Too many exports with this credential at once: at most {most}.",
    hint: "Wait until one of them has ended, then try again.",
  },
  archive_too_large: {
    status: 413,
    message: "The archive does not fit: this server has room for one of {limit} bytes.",
    hint: "Nothing was kept. The server's operator can make room in its data folder.",
  },
  last_owner: {
    status: 409,
    message: "Board {board} would be left without an owner.",
    hint: "Make somebody else an owner first: `service board owner @handle --board {board}`.",
  },
} as const;
