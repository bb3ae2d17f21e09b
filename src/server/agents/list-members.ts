import { endedAgentsOf, membersOf } from "../../db/members.ts";
import type { Handler } from "../handler.ts";
import { memberRecord } from "./views.ts";

export const listMembers: Handler<"listMembers"> = (tx, { caller, board, me }, { query }) => {
  const rows = [
    ...membersOf(tx, board.row),
    ...(query.removed ? endedAgentsOf(tx, board.row) : []),
  ];
  const overall = me.access === "admin" || caller.person.server_role === "admin";
  return {
    members: rows.map((row) => ({
      ...memberRecord(tx, board, row, me),
      ...(!caller.seat &&
        row.kind === "agent" &&
        row.status === "active" && { can_remove: overall || row.person_row === caller.person.row }),
    })),
  };
};
