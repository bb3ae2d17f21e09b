import type { Operation } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { activeMembership, peopleOf, type MemberRow } from "../../db/members.ts";
import { requireActive, requireMayArchive } from "./archived-boards.ts";
import { requirePermission } from "./role-permissions.ts";
import type { Standing } from "./caller-standing.ts";
import { requireMember, type Seen } from "./visible-boards.ts";
import type { Caller } from "./identify.ts";
import type { Asked } from "./request-subject.ts";

/** Whether an operation depends on the caller's board role or on a permission of an agent's role. */
export const looksAtRole = ({ access, permission }: Operation): boolean =>
  permission !== undefined ||
  access === "owns-board" ||
  access === "administers-board" ||
  access === "keeps-board";

/**
 * Refuses a caller who was admitted to the board but may not make this operation there. A replay needs the same board role
 * as the first call. It needs neither the permission nor an active board, since it writes nothing.
 */
export function requireRight(
  tx: ReadTx,
  op: Operation,
  standing: Standing,
  asked: Asked,
  { replay = false } = {},
): void {
  if (standing.caller?.seat) refuseWhatIsForPeople(op, asked);
  if (!looksAtRole(op)) return;
  if (!("board" in standing)) throw new Error(`${op.path} looks at a role, and names no board`);
  requireAuthority(tx, op, standing, asked);
  if (replay) return;
  requirePermissions(tx, op, standing, asked);
  if (op.lifecycle === "active") requireActive(tx, standing.board);
}

/** Refuses a caller without the board role that the operation needs. */
function requireAuthority(tx: ReadTx, op: Operation, seen: Seen, asked: Asked): void {
  const { caller, board } = seen;
  if (op.access === "keeps-board") requireMayArchive(tx, board, caller);
  if (op.access === "administers-board") requireAdministrator(tx, board, requireMember(seen));
  if (op.access === "owns-board" && !(op.orSelf && isSelf(caller, asked)))
    requireOwner(tx, board, requireMember(seen));
}

/** Refuses an agent a property that only people may send. */
function refuseWhatIsForPeople({ forPeople = [] }: Operation, { body }: Asked): void {
  if (forPeople.some((name) => body?.[name] !== undefined)) throw refuse("human_token_required");
}

const isSelf = ({ person }: Caller, { params }: Asked): boolean =>
  params?.["handle"] === person.handle;

/** Refuses an agent whose role lacks a permission that the operation needs. */
function requirePermissions(
  tx: ReadTx,
  { permission, permissionWith = {} }: Operation,
  seen: Seen,
  { body }: Asked,
): void {
  if (!permission) return;
  const { board } = seen;
  const me = requireMember(seen);
  requirePermission(tx, board, me, permission);
  for (const [name, another] of Object.entries(permissionWith))
    if (body?.[name] === true) requirePermission(tx, board, me, another);
}

/** Refuses a member who does not own the board. */
function requireOwner(tx: ReadTx, board: BoardRow, me: MemberRow): void {
  if (me.access !== "admin")
    throw refuse("owner_required", { board: board.name, owners: ownersOf(tx, board.row) });
}

/** Refuses a member who is neither an owner of the board nor the agent of an owner. */
function requireAdministrator(tx: ReadTx, board: BoardRow, me: MemberRow): void {
  const person = me.kind === "human" ? me : activeMembership(tx, board.row, me.person_row);
  if (person?.access !== "admin")
    throw refuse("admin_required", { board: board.name, admins: ownersOf(tx, board.row) });
}

/** Names of a board's owners, for a hint. */
export const ownersOf = (tx: ReadTx, boardRow: number): string =>
  peopleOf(tx, boardRow)
    .filter(({ access }) => access === "admin")
    .map(({ name }) => `@${name}`)
    .join(", ");
