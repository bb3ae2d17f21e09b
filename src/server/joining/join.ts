import { refuse } from "../../contract/refusal.ts";
import { boardAt, boardNamed, boardWithId, type BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/database.ts";
import { joinCodeWithDigest, joinCodeWithId, type JoinCodeRow } from "../../db/join-codes.ts";
import { append, eventAt } from "../../db/log.ts";
import {
  insertSeatToken,
  memberAt,
  memberNamed,
  activeMembership,
  memberWithId,
  seatTokenOf,
  setReadPosition,
  type MemberRow,
} from "../../db/members.ts";
import { placeOf } from "../../db/places.ts";
import { requireActive, seatEnded, seeing, type Caller } from "../access.ts";
import { actorOf } from "../actor.ts";
import { memberRecord } from "../agents/views.ts";
import { policyOf } from "../boards/policy.ts";
import { boardRecord } from "../boards/views.ts";
import type { Handler, Recheck, RefusalRecheck, Tools } from "../handler.ts";
import { newId, normalizedCode } from "../ids.ts";
import { agentNameBase, freeAgentNumber, freeMemberName, hasControls } from "../names.ts";
import { bringGuest, requireBound } from "./guests.ts";
import { requireRole } from "./roles.ts";

interface Entry {
  readonly board: BoardRow;
  /** The person's own member on the board. */
  readonly me: MemberRow;
  readonly role: string;
  readonly code: JoinCodeRow | null;
}

export const join: Handler<"join"> = (tx, { caller }, { body }, tools) => {
  const entry =
    "code" in body ? entryByCode(tx, caller, body.code, tools) : entryByBoard(tx, caller, body);
  return takeSeat(tx, caller, entry, body, tools);
};

/** Gives one of the caller's sessions a seat as a new agent, with its token. */
export function takeSeat(
  tx: Tx,
  caller: Caller,
  entry: Entry,
  asked: { name?: string; harness?: string; session?: string },
  tools: Tools,
) {
  const { board, me, role, code } = entry;
  const harness = asked.harness?.trim() || null;
  if (harness && hasControls(harness))
    throw refuse("invalid_combination", { problem: "harness holds control characters" });
  const name = asked.name ?? defaultName(tx, board, harness, role);
  if (asked.name && memberNamed(tx, board.row, asked.name))
    throw refuse("name_taken", { name: asked.name, board: board.name });

  const agent = addAgent(tx, { board, me, caller, role, harness, name, code });
  const token = tools.secrets.create("aba");
  insertSeatToken(tx, {
    member_row: agent.row,
    digest: tools.secrets.digest(token),
    key_row: caller.key.row,
    session: asked.session ?? null,
  });
  return {
    agent: memberRecord(tx, board, agent, me),
    token,
    board: boardRecord(tx, boardAt(tx, board.row)!, me, caller),
  };
}

function addAgent(
  tx: Tx,
  seat: Entry & { caller: Caller; harness: string | null; name: string },
): MemberRow {
  const { board, me, caller, role, harness, name, code } = seat;
  const id = newId(tx, "mem");
  const head = append(tx, board, {
    id: newId(tx, "evt"),
    type: "member.joined",
    actor: actorOf(caller, me),
    data: {
      member_id: id,
      person_id: caller.person.id,
      name,
      kind: "agent",
      role,
      owner: caller.person.handle,
      harness,
      access: null,
      join_code_id: code?.id ?? null,
    },
  });
  const agent = memberWithId(tx, id)!;
  setReadPosition(tx, agent.row, head);
  return agent;
}

function defaultName(tx: ReadTx, board: BoardRow, harness: string | null, role: string): string {
  return policyOf(board).show_harness
    ? freeMemberName(tx, board.row, agentNameBase(harness, role))
    : freeAgentNumber(tx, board.row);
}

function entryByBoard(
  tx: ReadTx,
  caller: Caller,
  { board: name, role }: { board: string; role: string },
): Entry {
  const { board, me } = seeing(tx, caller, boardNamed(tx, name), name);
  if (caller.person.server_role === "guest") throw refuse("guest_not_allowed");
  if (!me) throw refuse("not_on_board", { board: board.name });
  requireActive(tx, board);
  requireRole(tx, board, role);
  return { board, me, role, code: null };
}

/** A pairing code lets in its maker's own sessions, a guest code the guest whom it was bound to. */
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

/** A code that works, with its board: not over, and its maker and their person are still on the board. */
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

/** The token is given again only while the seat works with that very token and its person still has the way in. */
export const joinAgain: Recheck<"join"> = (tx, { caller }, kept, tools, { body }) => {
  const board = requireWayIn(tx, caller, kept.board, "code" in body);
  requireActive(tx, board);
  const seat = memberWithId(tx, kept.agent.id)!;
  if (seat.status !== "active") throw seatEnded(tx, seat);
  const event = eventAt(tx, placeOf(board.row, seat.joined_seq));
  const { join_code_id: codeId } = JSON.parse(event!.data) as { join_code_id: string | null };
  const code = codeId === null ? null : joinCodeWithId(tx, board.row, codeId);
  if (code && !makerStays(tx, code)) throw refuse("join_code_invalid");
  if (seatTokenOf(tx, seat.row)?.digest !== tools.secrets.digest(kept.token))
    throw refuse("seat_token_replaced", { board: board.name });
};

/** The board that a person came onto, while they are on it; else what a new call would get. */
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
  const { board, me } = seeing(tx, caller, boardWithId(tx, id), name);
  if (!me) throw refuse("not_on_board", { board: board.name });
  return board;
}

/** A refusal that tells of a board is given again only to somebody who may see the board now. */
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
    // A guest may see the board that a code of theirs still opens.
    if (code?.guest_row === caller.person.row) workingCode(tx, body.code, secrets);
    else if (!board || !activeMembership(tx, board.row, caller.person.row))
      throw refuse("join_code_invalid");
  }
};
