import { codesOfBoard, type CodeMaker } from "../../db/join-codes.ts";
import type { MemberRow } from "../../db/members.ts";
import type { Handler } from "../handler.ts";
import { handedOutCode } from "./views.ts";

export const listJoinCodes: Handler<"listJoinCodes"> = (tx, { board, me }, { query }) => ({
  join_codes: codesOfBoard(tx, board.row, makersSeenBy(me), query.ended ?? false).map((code) =>
    handedOutCode(tx, board, code),
  ),
});

/** Whose codes a member may see: an agent its own, a person theirs and those of their agents, an owner all of them. */
function makersSeenBy({ kind, access, row, person_row }: MemberRow): CodeMaker {
  if (kind === "agent") return { memberRow: row };
  return access === "admin" ? "anybody" : { personRow: person_row };
}
