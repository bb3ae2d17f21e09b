import type { Static } from "@sinclair/typebox";
import type { MachineRequest } from "../../contract/machines.ts";
import { refuse } from "../../contract/refusal.ts";
import type { PersonRow } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { undecidedRequestWithCode, type MachineRequestRow } from "../../db/machine-requests.ts";
import type { Tools } from "../handler.ts";
import { normalizedCode } from "../ids.ts";
import { personRecord } from "../people/views.ts";

/** How long a machine waits before it asks again, in seconds. */
export const pollSeconds = 2;

/** The request that a typed code is of. Every way in which it is not for this person to decide now is refused alike. */
export function requestFor(
  tx: ReadTx,
  person: PersonRow,
  typed: string,
  { secrets }: Tools,
): MachineRequestRow {
  const code = normalizedCode(typed);
  const request = code === null ? null : undecidedRequestWithCode(tx, secrets.digest(code));
  // Whoever had the handle when the machine asked must have it still.
  if (request?.person_row !== person.row || request.handle !== person.handle)
    throw refuse("machine_request_invalid");
  return request;
}

/** A request as the person it is for is shown it. */
export const requestRecord = (
  { label, requested_from, created_at, expires_at }: MachineRequestRow,
  state: Static<typeof MachineRequest>["state"],
  person: PersonRow,
): Static<typeof MachineRequest> => ({
  label,
  state,
  requested_from,
  created_at,
  expires_at,
  person: personRecord(person),
});
