/** Refusals about a board's life and who is on it: a part of the table of errors. */
export const boardErrors = {
  board_archived: {
    status: 409,
    message: "Board {board} is archived.",
    hint: "Ask {restorers} to restore it: `service board restore --board {board}`.",
  },
  board_not_archived: {
    status: 409,
    message: "This board is not archived.",
    hint: "Only an archived board can be deleted. Archive it first: `service board archive`.",
  },
  board_creator_required: {
    status: 403,
    message: "Only who created this board, or a server admin, can do this.",
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
  last_owner: {
    status: 409,
    message: "Board {board} would be left without an owner.",
    hint: "Make somebody else an owner first: `service board owner @handle --board {board}`.",
  },
} as const;
