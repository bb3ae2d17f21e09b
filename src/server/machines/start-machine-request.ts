import { refuse } from "../../contract/refusal.ts";
import { personNamed } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { insertMachineRequest, undecidedRequestWithCode } from "../../db/machine-requests.ts";
import type { Handler } from "../handler.ts";
import { newId, shortCode } from "../ids.ts";
import { isHandle, normalized } from "../names.ts";
import type { Secrets } from "../secrets.ts";
import { afterSeconds, machineRequestSeconds } from "../time.ts";
import { pollSeconds } from "./requests.ts";

export const startMachineRequest: Handler<"startMachineRequest"> = (
  tx,
  _standing,
  { body: { handle, label } },
  { secrets },
  { address },
) => {
  if (!isHandle(handle)) throw refuse("handle_invalid", { handle, suggestion: normalized(handle) });
  const code = unusedCode(tx, secrets);
  const secret = secrets.create("machineRequest");
  const expiresAt = afterSeconds(tx.now, machineRequestSeconds);
  insertMachineRequest(tx, {
    id: newId(tx, "mrq"),
    code_digest: secrets.digest(code),
    secret_digest: secrets.digest(secret),
    handle,
    person_row: personNamed(tx, handle)?.row ?? null,
    label,
    requested_from: address,
    created_at: tx.now,
    expires_at: expiresAt,
  });
  return { code, secret, expires_at: expiresAt, poll_interval_seconds: pollSeconds };
};

/** A code that no other request waits under: they have 30 bits, so two can meet, though hardly five times running. */
function unusedCode(tx: ReadTx, secrets: Secrets): string {
  for (let draws = 0; draws < 5; draws++) {
    const code = shortCode();
    if (!undecidedRequestWithCode(tx, secrets.digest(code))) return code;
  }
  throw new Error("five codes in a row were taken by other machines' requests");
}
