import { refuse } from "../../contract/refusal.ts";
import { boardAt, boardNamed, boardWithId, type BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { joinCodeWithDigest, joinCodeWithId, type JoinCodeRow } from "../../db/join-codes.ts";
import { eventAt } from "../../db/log/log.ts";
import { activeMembership, memberAt, memberWithId, seatTokenOf } from "../../db/members.ts";
import { placeOf } from "../../db/log/log-place.ts";
import { onBoard, requireMember, seeing } from "../access/visible-boards.ts";
import { seatEnded, type Caller } from "../access/identify.ts";
import { requireActive } from "../access/archived-boards.ts";
import type { Handler, Recheck, RefusalRecheck, Tools } from "../handler.ts";
import { normalizedCode } from "../ids.ts";
import { bringGuest, requireBound } from "./guest-codes.ts";
import { boardToJoin, joinByDelegation } from "./join-by-delegation.ts";
import { requireRole } from "../boards/roles.ts";
import { takeSeat, type Entry } from "./take-seat.ts";

export const join: Handler<"join"> = (tx, { caller }, { body }, tools) => {
  if (caller.delegation) {
    if ("code" in body) throw refuse("codes_not_for_delegations");
    return joinByDelegation(tx, caller, body, tools);
  }
  const entry =
    "code" in body ? entryByCode(tx, caller, body.code, tools) : entryByBoard(tx, caller, body);
  return takeSeat(tx, caller, entry, body, tools);
};

function entryByBoard(
  tx: ReadTx,
  caller: Caller,
  { board: name, role }: { board: string; role?: string },
): Entry {
  if (role === undefined) throw refuse("invalid_request", { problem: "role is missing" });
  const seen = boardToJoin(tx, caller, name);
  const { board } = seen;
  const me = requireMember(seen);
  requireActive(tx, board);
  requireRole(tx, board, role);
  return { board, me, role, code: null };
}

/** A pairing code is for sessions of the person who made it; a guest code is for the guest to whom it is bound. */
function entryByCode(tx: Tx, caller: Caller, typed: string, { secrets }: Tools): Entry {
  const { code, board } = workingCode(tx, typed, secrets);
  if (code.guest !== null) {
    requireBound(code, caller.person);
    requireActive(tx, board);
    return { board, me: bringGuest(tx, board, code, caller.person), role: code.role, code };
  }
  if (memberAt(tx, code.maker_row)!.person_row !== caller.person.row)
    throw refuse("join_code_not_yours");
  requireActive(tx, board);
  const me = activeMembership(tx, board.row, caller.person.row);
  if (!me) throw refuse("join_code_invalid");
  return { board, me, role: code.role, code };
}

/** Finds a code that works, and its board. Refuses one that was used, revoked or expired, or whose maker has left. */
export function workingCode(tx: ReadTx, typed: string, secrets: Tools["secrets"]) {
  const code = codeTyped(tx, typed, secrets);
  const board = code && boardAt(tx, code.board_row);
  const over = !code || code.revoked_at || code.used_at || code.expires_at <= tx.now;
  if (over || !board || !makerStays(tx, code)) throw refuse("join_code_invalid");
  return { code, board };
}

function codeTyped(tx: ReadTx, typed: string, secrets: Tools["secrets"]): JoinCodeRow | null {
  const normal = normalizedCode(typed);
  return normal === null ? null : joinCodeWithDigest(tx, secrets.digest(normal));
}

function makerStays(tx: ReadTx, code: JoinCodeRow): boolean {
  const maker = memberAt(tx, code.maker_row)!;
  return (
    maker.status === "active" && activeMembership(tx, code.board_row, maker.person_row) !== null
  );
}

/** A replay contains the token, so the person must still be able to join and the seat must still work with that token. */
export const joinAgain: Recheck<"join"> = (tx, { caller }, kept, tools, { body }) => {
  requireKeptSeat(tx, requireWayIn(tx, caller, kept.board, "code" in body), kept, tools.secrets);
};

/** Refuses a kept token unless its seat works with it, the board is active, and the maker of the code is still there. */
export function requireKeptSeat(
  tx: ReadTx,
  board: BoardRow,
  kept: { readonly agent: { readonly id: string }; readonly token: string },
  secrets: Tools["secrets"],
): void {
  requireActive(tx, board);
  const seat = memberWithId(tx, kept.agent.id)!;
  if (seat.status !== "active") throw seatEnded(tx, seat);
  const event = eventAt(tx, placeOf(board.row, seat.joined_seq));
  const { join_code_id: codeId } = JSON.parse(event!.data) as { join_code_id: string | null };
  const code = codeId === null ? null : joinCodeWithId(tx, board.row, codeId);
  if (code && !makerStays(tx, code)) throw refuse("join_code_invalid");
  if (seatTokenOf(tx, seat.row)?.digest !== secrets.digest(kept.token))
    throw refuse("seat_token_replaced", { board: board.name });
}

/** The board that was joined. If the person is no longer on it, refuses as a new call would. */
function requireWayIn(
  tx: ReadTx,
  caller: Caller,
  { id, name }: { id: string; name: string },
  byCode: boolean,
): BoardRow {
  if (byCode) {
    const board = boardWithId(tx, id);
    if (!board || !activeMembership(tx, board.row, caller.person.row))
      throw refuse("join_code_invalid");
    return board;
  }
  return onBoard(tx, caller, boardWithId(tx, id), name).board;
}

/** A kept refusal that says something about a board needs a caller who sees the board now. */
export const joinRefusedAgain: RefusalRecheck<"join"> = (
  tx,
  { caller },
  { body },
  { secrets },
  refused,
) => {
  if (!("code" in body)) seeing(tx, caller, boardNamed(tx, body.board), body.board);
  else if (!/^(join|guest)_code_/.test(refused)) {
    const code = codeTyped(tx, body.code, secrets);
    const board = code && boardAt(tx, code.board_row);
    // A guest may know of a board while their code for it works.
    if (code?.guest_row === caller.person.row) workingCode(tx, body.code, secrets);
    else if (!board || !activeMembership(tx, board.row, caller.person.row))
      throw refuse("join_code_invalid");
  }
};
