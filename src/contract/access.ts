/**
 * What an operation requires of its caller.
 * - `anyone`: no credential
 * - `caller`: any credential of an accepted kind
 * - `server-admin`: a person whose server role is admin
 * - `seat`: an agent with a working seat; the board is the seat's
 * - `sees-board`: the board is visible: it is open, or the caller is on it
 * - `on-board`: the caller is on the board
 * - `owns-board`: the caller is one of the board's owners
 * - `administers-board`: the caller is an owner of the board or the agent of one
 * - `reaches-board`: the caller is on the board, or is a server admin. The board is named or given by its id, by which
 *   admins reach a private board too
 * - `keeps-board`: the caller made the board and is still on it, or is a server admin
 * - `reads-message`: the caller may read the message
 * - `party-to-pairing`: the caller has a part in the pairing request, and on the `side` if one is given
 * - `party-on-board`: as `party-to-pairing`, and the caller is on the request's board
 * - `own-agent`: if an agent is named, it is an active agent of the caller
 */
export type Access =
  | "anyone"
  | "caller"
  | "server-admin"
  | "seat"
  | "sees-board"
  | "on-board"
  | "owns-board"
  | "administers-board"
  | "reaches-board"
  | "keeps-board"
  | "reads-message"
  | "party-to-pairing"
  | "party-on-board"
  | "own-agent";

/** Where a value of a request is: the part of the request, and the name there. */
export interface Field {
  readonly in: "params" | "body";
  readonly name: string;
}

/** The permissions that roles grant to agents. People need none of them. */
export const permissions = [
  "post",
  "broadcast",
  "urgent",
  "create_tasks",
  "claim_tasks",
  "write_notes",
  "upload_files",
  "invite",
  "edit_charter",
  "add_people",
] as const;
export type Permission = (typeof permissions)[number];
