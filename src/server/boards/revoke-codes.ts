import type { Actor } from "../../contract/log.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { JoinCodeRow } from "../../db/join-codes.ts";
import { recordAs } from "../record.ts";

/** Revokes join codes, one event for each. */
export function revokeCodes(
  tx: Tx,
  board: BoardRow,
  actor: Actor,
  codes: readonly JoinCodeRow[],
): void {
  for (const { id } of codes) recordAs(tx, board, actor, "joincode.revoked", { join_code_id: id });
}
