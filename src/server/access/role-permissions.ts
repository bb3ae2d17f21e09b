import { refuse } from "../../contract/refusal.ts";
import type { Permission } from "../../contract/access.ts";
import { roleNamed, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";

/** Whether a member's role grants a permission. People need no permissions. */
export function roleAllows(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  permission: Permission,
): boolean {
  if (me.kind === "human") return true;
  const role = me.role === null ? null : roleNamed(tx, board.row, me.role);
  if (!role) return false;
  const grants = JSON.parse(role.can) as (Permission | Record<string, unknown>)[];
  // A grant limited to task types counts as granted: tasks have no types.
  return grants.some(
    (grant) => grant === permission || (typeof grant === "object" && permission in grant),
  );
}

/** Refuses an agent whose role does not grant a permission. */
export function requirePermission(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  permission: Permission,
): void {
  if (!roleAllows(tx, board, me, permission))
    throw refuse("forbidden", { role: me.role ?? "none", permission });
}
