import { refuse } from "../../contract/refusal.ts";
import { handleTaken } from "../../db/accounts.ts";
import { identify } from "../access/identify.ts";
import { requireActive } from "../access/archived-boards.ts";
import type { Handler } from "../handler.ts";
import { createPerson, newIdleKey } from "../people/create-person.ts";
import { personRecord } from "../people/views.ts";
import { bringGuest } from "./guest-codes.ts";
import { workingCode } from "./join.ts";
import { takeSeat } from "./take-seat.ts";

export const guestJoin: Handler<"guestJoin"> = (tx, _standing, { body }, tools) => {
  const { code, board } = workingCode(tx, body.code, tools.secrets);
  const handle = code.guest;
  if (handle === null || code.guest_row !== null || handleTaken(tx, handle))
    throw refuse("join_code_invalid");
  requireActive(tx, board);

  const person = createPerson(tx, handle, null, "guest");
  const key = newIdleKey(tx, person, body.key_name, tools.secrets);
  const caller = identify(tx, { kind: "key", digest: tools.secrets.digest(key.token) });
  const me = bringGuest(tx, board, code, person);
  const seat = takeSeat(tx, caller, { board, me, role: code.role, code }, body, tools);
  return { server_id: tools.server.id, person: personRecord(person), key, ...seat };
};
