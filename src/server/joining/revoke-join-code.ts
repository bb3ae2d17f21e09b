import { refuse } from "../../contract/refusal.ts";
import { joinCodeWithId } from "../../db/join-codes.ts";
import { actorOf } from "../actor.ts";
import type { Handler } from "../handler.ts";
import { revokeCodes } from "../boards/revoke-codes.ts";
import { joinCodeRecord } from "./views.ts";

export const revokeJoinCode: Handler<"revokeJoinCode"> = (tx, standing, { params }) => {
  const { caller, board, me } = standing;
  const code = joinCodeWithId(tx, board.row, params.join_code);
  if (!code) throw refuse("join_code_not_found", { id: params.join_code });
  if (me.kind === "agent" && code.maker_row !== me.row)
    throw refuse("forbidden", {
      role: me.role ?? "none",
      permission: "to revoke the codes of others",
    });
  if (!code.revoked_at) revokeCodes(tx, board, actorOf(caller, me), [code]);
  return joinCodeRecord(tx, board, joinCodeWithId(tx, board.row, code.id)!);
};
