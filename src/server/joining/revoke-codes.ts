import type { Actor } from "../../contract/log.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/database.ts";
import type { JoinCodeRow } from "../../db/join-codes.ts";
import { append } from "../../db/log.ts";
import { newId } from "../ids.ts";

/** Revokes join codes, one event for each. */
export function revokeCodes(
  tx: Tx,
  board: BoardRow,
  actor: Actor,
  codes: readonly JoinCodeRow[],
): void {
  for (const { id } of codes)
    append(tx, board, {
      id: newId(tx, "evt"),
      type: "joincode.revoked",
      actor,
      data: { join_code_id: id },
    });
}
