import { refuse, type NextStep } from "../contract/refusal.ts";
import type { Access, CredentialKind, Operation } from "../contract/operation.ts";
import type { KeyRow } from "../db/accounts.ts";
import { boardAt, boardNamed, boardWithId, nameOfBoard, type BoardRow } from "../db/boards.ts";
import {
  delegationWithDigest,
  keyWithDigest,
  pairingWithDigest,
  seatWithDigest,
  sessionWithDigest,
  type BrowserSessionRow,
  type CredentialRow,
} from "../db/credentials.ts";
import type { ReadTx } from "../db/engine/database.ts";
import { activeMembership, creatorOf, type MemberRow } from "../db/members.ts";
import { messageAt, placeOfMessage, type MessageRow } from "../db/messages.ts";
import { boardRowOf } from "../db/log/log-place.ts";
import { requireServerAdmin } from "./access/server-admin.ts";
import { readerOn } from "./messages/reader.ts";
import { isCurrent } from "./pairing/outcome.ts";

/** What a request presented, before anything was looked up. */
export interface Presented {
  readonly kind: CredentialKind;
  /** The keyed digest of the secret. */
  readonly digest: string;
  /** It came in a cookie, which a browser sends by itself. */
  readonly cookie?: true;
}

/** Who is calling, read in the transaction that serves them. */
export interface Caller extends CredentialRow {
  readonly kind: CredentialKind;
  /** Digest of the credential: the scope of its kept answers. */
  readonly digest: string;
}

interface OnBoard {
  readonly caller: Caller;
  readonly board: BoardRow;
  readonly me: MemberRow;
}
interface Standings {
  anyone: { readonly caller: null };
  caller: { readonly caller: Caller };
  "server-admin": { readonly caller: Caller };
  seat: OnBoard;
  "sees-board": {
    readonly caller: Caller;
    readonly board: BoardRow;
    readonly me: MemberRow | null;
  };
  "on-board": OnBoard;
  "reads-message": OnBoard & { readonly message: MessageRow };
}
/** What a handler is given: exactly what its operation's access has proved. */
export type Standing<A extends Access = Access> = Standings[A];

/**
 * Decides whether the caller may make this operation, and where they stand if so. Every request, every kept answer and
 * every turn of a wait passes here, inside the transaction that serves it, so where a caller stands is decided once. The
 * order of the checks is part of the contract.
 */
export function admit(
  tx: ReadTx,
  op: Operation,
  presented: Presented | null,
  params: { board?: string; message?: string },
  { replay = false } = {},
): Standing {
  if (op.access === "anyone") return { caller: null };
  const caller = identify(tx, presented);
  admitKind(op, caller.kind);
  switch (op.access) {
    case "caller":
      if (params.board !== undefined) hideFromGuest(tx, caller, params.board);
      admitGuest(op, caller);
      return { caller };
    case "server-admin":
      admitGuest(op, caller);
      requireServerAdmin(tx, caller);
      return { caller };
    case "seat":
      admitGuest(op, caller);
      return onOwnBoard(tx, caller);
    case "reads-message": {
      const standing = readingMessage(tx, caller, params.message ?? "");
      admitGuest(op, caller);
      admitLifecycle(tx, op, standing.board, replay);
      return standing;
    }
    case "sees-board":
    case "on-board": {
      const asked = params.board ?? "";
      const standing = seeing(tx, caller, boardNamed(tx, asked), asked);
      admitGuest(op, caller);
      const { board, me } = standing;
      if (op.access === "on-board" && !me) throw refuse("not_on_board", { board: board.name });
      admitLifecycle(tx, op, board, replay);
      return standing;
    }
  }
}

/** Refuses guests, and their agents, what is not theirs. */
function admitGuest(op: Operation, { person }: Caller): void {
  if (person.server_role === "guest" && !op.guests) throw refuse("guest_not_allowed");
}

/** A board that a rule looks for itself is told as missing to guests who are not on it, before anything else. */
function hideFromGuest(tx: ReadTx, caller: Caller, asked: string): void {
  if (caller.person.server_role !== "guest") return;
  const board = asked.startsWith("brd_") ? boardWithId(tx, asked) : boardNamed(tx, asked);
  seeing(tx, caller, board, asked);
}

/** Refuses what an archived board does not take. A repeat of what it took before is no new request. */
function admitLifecycle(tx: ReadTx, op: Operation, board: BoardRow, replay: boolean): void {
  if (op.lifecycle === "active" && !replay) requireActive(tx, board);
}

/** Refuses an archived board. */
export function requireActive(tx: ReadTx, board: BoardRow): void {
  if (board.lifecycle === "archived")
    throw refuse("board_archived", { board: board.name, restorers: restorersOf(tx, board) });
}

/** Who can archive, restore and delete a board, for a hint: its creator while still on it, and the server's admins. */
export function restorersOf(tx: ReadTx, board: BoardRow): string {
  const creator = creatorOf(tx, board.row);
  const names = creator.status === "active" ? [`@${creator.handle}, who created it`] : [];
  return [...names, "a server admin"].join(", or ");
}

/** Refuses a kind of credential that an operation does not take; with the step that leads on, where only a person is missing. */
export function admitKind(op: Operation, kind: CredentialKind, next?: NextStep): void {
  if (op.callers.accepts.includes(kind)) return;
  const entry = op.callers.refuses[kind] ?? "human_token_required";
  const refusal = refuse(entry as "human_token_required");
  throw next && entry === "human_token_required" ? refusal.withNext(next) : refusal;
}

/** Who a credential belongs to, if it works now. An ended seat is told so before its key is looked at. */
export function identify(tx: ReadTx, presented: Presented | null): Caller {
  if (!presented) throw refuse("unauthorized");
  const { kind, digest } = presented;
  const found = withDigest[kind](tx, digest);
  if (!found) throw refuse("unauthorized");
  const { seat, session, delegation, pairing, key } = found;
  if (seat && seat.status !== "active") throw seatEnded(tx, seat);
  if (delegation && (delegation.ended_at !== null || !works(tx, key)))
    throw refuse("delegation_revoked");
  const over = (session && !lasts(tx, session)) || (pairing && !isCurrent(tx, pairing));
  if (!works(tx, key) || over) throw refuse("unauthorized");
  return { kind, digest, ...found };
}

const withDigest: Record<CredentialKind, (tx: ReadTx, digest: string) => CredentialRow | null> = {
  key: keyWithDigest,
  browser: sessionWithDigest,
  agent: seatWithDigest,
  delegation: delegationWithDigest,
  pairing: pairingWithDigest,
};

/** Whether a browser's session is neither ended nor over at the transaction's clock. */
export const lasts = (tx: ReadTx, session: Pick<BrowserSessionRow, "ended_at" | "expires_at">) =>
  session.ended_at === null && session.expires_at > tx.now;

/** When a credential stops working by itself: null when it does not. */
export function endOf({ key, session }: Caller): string | null {
  if (!session) return key.expires_at;
  return key.expires_at !== null && key.expires_at < session.expires_at
    ? key.expires_at
    : session.expires_at;
}

/** Whether a key works at the transaction's clock: not revoked, and its end is still ahead. */
export const works = (tx: ReadTx, key: Pick<KeyRow, "revoked_at" | "expires_at">): boolean =>
  key.revoked_at === null && (key.expires_at === null || key.expires_at > tx.now);

/** The refusal that every request of an ended seat gets. */
export function seatEnded(tx: ReadTx, seat: MemberRow) {
  const row = boardAt(tx, seat.board_row);
  if (!row) return refuse("board_not_found", { board: nameOfBoard(tx, seat.board_row) });
  const board = row.name;
  return refuse(
    "agent_removed",
    { agent: seat.name, board },
    { agent: seat.name, board, removed_at: seat.ended_at, removed_by: seat.ended_by },
  );
}

/** The caller's view of a board: the board and their own member on it, or the one refusal for hidden and missing alike. */
export function seeing(
  tx: ReadTx,
  caller: Caller,
  board: BoardRow | null,
  asked: string,
): Standing<"sees-board"> {
  const me = board && memberOn(tx, caller, board);
  if (!board || (!me && !looksAround(caller, board)))
    throw refuse("board_not_found", { board: asked });
  return { caller, board, me };
}

/** Whether a board that the caller is not on shows itself to them: an open one does to people who are no guests. */
export const looksAround = ({ seat, person }: Caller, board: BoardRow): boolean =>
  seat === null && person.server_role !== "guest" && board.visibility === "open";

/** The caller's own member on a board: their seat, or their membership while it lasts. */
export function memberOn(tx: ReadTx, caller: Caller, board: BoardRow): MemberRow | null {
  if (caller.seat) return caller.seat.board_row === board.row ? caller.seat : null;
  return activeMembership(tx, board.row, caller.person.row);
}

function onOwnBoard(tx: ReadTx, caller: Caller): OnBoard {
  const board = caller.seat && boardAt(tx, caller.seat.board_row);
  if (!caller.seat || !board) throw refuse("agent_token_required");
  return { caller, board, me: caller.seat };
}

function readingMessage(tx: ReadTx, caller: Caller, id: string): Standing<"reads-message"> {
  const place = placeOfMessage(tx, id);
  const board = place === null ? null : boardAt(tx, boardRowOf(place));
  const me = board && memberOn(tx, caller, board);
  const message = place !== null && board && me ? messageAt(tx, place, readerOn(board, me)) : null;
  if (!board || !me || !message) throw refuse("message_not_found");
  return { caller, board, me, message };
}
