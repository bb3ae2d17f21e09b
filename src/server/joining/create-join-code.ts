import { refuse } from "../../contract/refusal.ts";
import { insertJoinCodeDigest, joinCodeWithDigest, joinCodeWithId } from "../../db/join-codes.ts";
import { append } from "../../db/log.ts";
import { actorOf } from "../actor.ts";
import { requirePermission } from "../agents/permissions.ts";
import type { Handler, Tools } from "../handler.ts";
import type { ReadTx } from "../../db/database.ts";
import { newId, shortCode } from "../ids.ts";
import { afterSeconds, daySeconds } from "../time.ts";
import { requireRole } from "./roles.ts";
import { joinCodeRecord, joinLine } from "./views.ts";

export const createJoinCode: Handler<"createJoinCode"> = (
  tx,
  { caller, board, me },
  { body },
  tools,
) => {
  if (body.guest) throw refuse("not_implemented", { feature: "guests" });
  requirePermission(tx, board, me, "invite");
  requireRole(tx, board, body.role);

  const id = newId(tx, "jc");
  const code = unusedCode(tx, tools);
  append(tx, board, {
    id: newId(tx, "evt"),
    type: "joincode.created",
    actor: actorOf(caller, me),
    data: {
      join_code_id: id,
      role: body.role,
      expires_at: afterSeconds(tx.now, body.ttl_seconds ?? daySeconds),
    },
  });
  insertJoinCodeDigest(tx, id, tools.secrets.digest(code));
  return {
    ...joinCodeRecord(tx, board, joinCodeWithId(tx, board.row, id)!),
    code,
    join_line: joinLine(board.name, tools.server.url, body.role, code),
  };
};

/** A code that no stored one shares: they have 30 bits, so two can meet. */
function unusedCode(tx: ReadTx, { secrets }: Tools): string {
  for (;;) {
    const code = shortCode();
    if (!joinCodeWithDigest(tx, secrets.digest(code))) return code;
  }
}
