/** Refusals about files: a part of the table of errors. */
export const fileErrors = {
  file_not_found: {
    status: 404,
    message: "Board {board} has no file {file}.",
    hint: "`service file list --board {board}` lists its files. A removed file is found by its id alone.",
  },
  version_not_found: {
    status: 404,
    message: "The file {file} has no version {version}.",
    hint: "Its newest is {latest}: `service file show {file} --board {board}`.",
  },
  file_exists: {
    status: 409,
    message: "Board {board} has a file {file} already, version {version}.",
    hint: "Fetch it and say which version yours replaces: `service file get {file} --board {board}`. Or choose another name.",
  },
  file_changed: {
    status: 409,
    message: "The file {file} is not the version that this replaces: {current}.",
    hint: "Fetch what is there now, bring your changes into it, and write that: `service file show {file} --board {board}`.",
  },
  file_name_taken: {
    status: 409,
    message: "Another file of board {board} is named {file}.",
    hint: "Choose another name, or move that file first: `service file mv {file} NEW --board {board}`.",
  },
  brief_path_reserved: {
    status: 409,
    message: "The name {file} belongs to the board's brief and can only be written as the brief.",
    hint: "Write the brief: `service brief put PATH --board {board}`. Or choose another name.",
  },
  brief_exists: {
    status: 409,
    message: "The brief of board {board} is {file}.",
    hint: "Write that one, or replace it with the other format: `service brief put PATH --replace-format --board {board}`.",
  },
  file_too_large: {
    status: 413,
    message: "The file is too large: at most {limit} bytes.",
    hint: "Split it, or keep it elsewhere and post where it is.",
  },
  too_many_uploads: {
    code: "rate_limited",
    status: 429,
    message: "Too many uploads with this credential at once: at most {most}.",
    hint: "Wait until one of them has ended, then try again.",
  },
  file_has_secret: {
    status: 422,
    message: "The file contains something that looks like a credential: {kind}.",
    hint: "Take it out, and revoke it if it was shared. Everybody on the board reads every file.",
  },
  range_unsatisfiable: {
    code: "invalid_request",
    status: 416,
    message: "The range begins after the end of the file, which has {size} bytes.",
    hint: "Ask for a part of it, or leave the Range header out.",
  },
} as const;
