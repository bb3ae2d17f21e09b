import { endedAgentsOf, membersOf } from "../../db/members.ts";
import { actsAsServerAdmin } from "../access/server-admin.ts";
import type { Handler } from "../handler.ts";
import { memberRecord } from "./views.ts";

export const listMembers: Handler<"listMembers"> = (tx, { caller, board, me }, { query }) => {
  const rows = [
    ...membersOf(tx, board.row),
    ...(query.removed ? endedAgentsOf(tx, board.row) : []),
  ];
  const guest = caller.person.server_role === "guest";
  const overall = me.access === "admin" || actsAsServerAdmin(caller);
  return {
    members: rows.map((row) => ({
      ...memberRecord(tx, board, row, me),
      ...(!caller.seat &&
        row.kind === "agent" &&
        row.status === "active" && {
          can_remove: !guest && (overall || row.person_row === caller.person.row),
        }),
    })),
  };
};
