import { refuse } from "../../contract/refusal.ts";
import { handleTaken, personNamed } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { insertJoinCodeDigest, joinCodeWithDigest, joinCodeWithId } from "../../db/join-codes.ts";
import { activeMembership } from "../../db/members.ts";
import type { Handler } from "../handler.ts";
import { newId, unusedCode } from "../ids.ts";
import { isHandle, normalized } from "../names.ts";
import { recordBy } from "../record.ts";
import { afterSeconds, daySeconds } from "../time.ts";
import { requireRole } from "../boards/roles.ts";
import { joinCodeRecord, joinLine } from "./views.ts";

export const createJoinCode: Handler<"createJoinCode"> = (tx, standing, { body }, tools) => {
  const { board } = standing;
  const { guest: handle } = body;
  const guest = handle === undefined ? null : guestNamed(tx, board, handle);
  requireRole(tx, board, body.role);

  const id = newId(tx, "jc");
  const code = unusedCode((drawn) => joinCodeWithDigest(tx, tools.secrets.digest(drawn)) !== null);
  recordBy(tx, standing)("joincode.created", {
    join_code_id: id,
    role: body.role,
    expires_at: afterSeconds(tx.now, body.ttl_seconds ?? daySeconds),
    ...(guest && { kind: "guest", guest: guest.handle, guest_id: guest.person?.id ?? null }),
  });
  insertJoinCodeDigest(tx, id, tools.secrets.digest(code));
  return {
    ...joinCodeRecord(tx, board, joinCodeWithId(tx, board.row, id)!),
    code,
    join_line: joinLine(board.name, tools.server.url, guest ? "guest" : body.role, code),
  };
};

/** Who a guest code is for: a new handle, or a guest who is not on the board. Refuses everybody else. */
function guestNamed(tx: ReadTx, board: BoardRow, handle: string) {
  if (!isHandle(handle)) throw refuse("handle_invalid", { handle, suggestion: normalized(handle) });
  const person = personNamed(tx, handle);
  if (person ? person.server_role !== "guest" : handleTaken(tx, handle))
    throw refuse("guest_handle_taken", { handle, board: board.name });
  if (person && activeMembership(tx, board.row, person.row))
    throw refuse("already_on_board", { handle, board: board.name });
  return { handle, person };
}
