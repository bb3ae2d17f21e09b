import { refuse } from "../../contract/refusal.ts";
import { personNamed } from "../../db/accounts.ts";
import { insertMachineRequest, undecidedRequestWithCode } from "../../db/machine-requests.ts";
import type { Handler } from "../handler.ts";
import { newId, unusedCode } from "../ids.ts";
import { isHandle, normalized } from "../names.ts";
import { afterSeconds, machineRequestSeconds } from "../time.ts";
import { pollSeconds } from "./machine-request.ts";

export const startMachineRequest: Handler<"startMachineRequest"> = (
  tx,
  _standing,
  { body: { handle, label } },
  { secrets },
  { address },
) => {
  if (!isHandle(handle)) throw refuse("handle_invalid", { handle, suggestion: normalized(handle) });
  const code = unusedCode((drawn) => undecidedRequestWithCode(tx, secrets.digest(drawn)) !== null);
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
