import { endDelegationNamed, insertDelegation } from "../../db/delegations.ts";
import type { Handler } from "../handler.ts";
import { newId } from "../ids.ts";

export const createDelegation: Handler<"createDelegation"> = (
  tx,
  { caller: { key } },
  { body: { name } },
  { secrets },
) => {
  endDelegationNamed(tx, key.row, name);
  const token = secrets.create("delegation");
  const delegation = { id: newId(tx, "dlg"), name, created_at: tx.now };
  insertDelegation(tx, { ...delegation, key_row: key.row, digest: secrets.digest(token) });
  return { ...delegation, key_id: key.id, token };
};
