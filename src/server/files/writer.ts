import type { ReadTx } from "../../db/engine/database.ts";
import { requireActive, type Standing } from "../access.ts";
import { requirePermission } from "../agents/permissions.ts";

/** Refuses an agent that may not write files, and then an archived board. */
export function requireWriter(tx: ReadTx, { board, me }: Standing<"on-board">): void {
  requirePermission(tx, board, me, "upload_files");
  requireActive(tx, board);
}
