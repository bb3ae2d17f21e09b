import { errors, type ErrorName } from "../errors/index.ts";
import type { Access } from "../access.ts";
import { writes, type Operation } from "../operation.ts";

/**
 * The errors of every operation. A credential that is sent must work even if none is needed. The token of an ended seat is
 * refused as such, and one of a deleted board with `board_not_found`.
 */
export const errorsOfAll = [
  "host_not_allowed",
  "unauthorized",
  "delegation_revoked",
  "agent_removed",
  "board_not_found",
  "invalid_request",
  "internal",
] as const satisfies readonly ErrorName[];

/** Further errors of every operation that changes something. */
export const errorsOfWrites = [
  "message_too_large",
  "storage_full",
] as const satisfies readonly ErrorName[];

/** Further errors of a change made with a browser's cookie. */
const errorsOfCookies = ["origin_not_allowed", "csrf_token_invalid"] as const;

const errorsOfAccess: Record<Access, readonly ErrorName[]> = {
  anyone: [],
  caller: [],
  "server-admin": ["server_admin_required"],
  seat: [],
  "sees-board": [],
  "on-board": ["not_on_board"],
  "owns-board": ["not_on_board", "owner_required"],
  "administers-board": ["not_on_board", "admin_required"],
  "reaches-board": ["not_on_board"],
  "keeps-board": ["not_on_board", "board_creator_required"],
  "reads-message": ["message_not_found"],
  "party-to-pairing": ["pairing_not_found"],
  "party-on-board": ["pairing_not_found", "not_on_board"],
  "own-agent": ["own_agent_not_found", "agent_owner_required"],
};

/** The errors for a caller on the wrong side of a pairing. If the request names the side, it can be either. */
function errorsOfSide({ side }: Operation): readonly ErrorName[] {
  if (side === undefined) return [];
  if (side === "initiator") return ["not_the_inviter"];
  return side === "recipient" ? ["not_the_recipient"] : ["not_the_inviter", "not_the_recipient"];
}

/** Every entry of the error table that an operation can answer, declared or implied, by status and then by name. */
export function errorsOf(op: Operation): ErrorName[] {
  const names = new Set<ErrorName>([
    ...op.errors,
    ...errorsOfAll,
    ...(writes(op) ? errorsOfWrites : []),
    ...Object.values(op.callers.refuses),
    ...(op.callers.accepts.includes("browser") && writes(op) ? errorsOfCookies : []),
    ...(op.ownOrigin ? (["origin_not_allowed"] as const) : []),
    ...(op.access !== "anyone" && !op.guests ? (["guest_not_allowed"] as const) : []),
    ...errorsOfAccess[op.access],
    ...errorsOfSide(op),
    ...(op.permission ? (["forbidden"] as const) : []),
    ...(op.forPeople ? (["human_token_required"] as const) : []),
    ...(op.lifecycle ? (["board_archived", "board_moved"] as const) : []),
    ...(op.body && op.access !== "anyone" ? (["too_many_bodies"] as const) : []),
    ...(op.limit ? (["rate_limited"] as const) : []),
    ...(keepsAnswers(op) ? (["idempotency_conflict"] as const) : []),
  ]);
  return [...names].sort((a, b) => errors[a].status - errors[b].status || (a < b ? -1 : 1));
}

/** An entry of the error table as it is on the wire. */
export function wireError(name: ErrorName): {
  status: number;
  code: string;
  message: string;
  hint: string;
} {
  const {
    status,
    message,
    hint,
    code = name,
  }: (typeof errors)[ErrorName] & { code?: string } = errors[name];
  return { status, code, message, hint };
}

/** Whether a repeat with the same Idempotency-Key gets the first answer. */
export const keepsAnswers = ({ replay }: Operation): boolean =>
  replay === "kept" || replay === "kept-for-caller";
