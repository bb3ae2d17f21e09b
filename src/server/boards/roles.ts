import { refuse } from "../../contract/refusal.ts";
import { roleNamed, rolesOf, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";

export const roleNames = (tx: ReadTx, boardRow: number): string =>
  rolesOf(tx, boardRow)
    .map(({ name }) => name)
    .join(", ");

/** Refuses a role in a body that the board does not have. */
export function requireRole(tx: ReadTx, board: BoardRow, role: string): void {
  if (!roleNamed(tx, board.row, role))
    throw refuse("role_unknown", { role, roles: roleNames(tx, board.row) });
}
