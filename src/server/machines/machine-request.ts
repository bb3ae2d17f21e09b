import type { Static } from "@sinclair/typebox";
import type { MachineRequest } from "../../contract/signing-in/machines.ts";
import { refuse } from "../../contract/refusal.ts";
import type { PersonRow } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { undecidedRequestWithCode, type MachineRequestRow } from "../../db/machine-requests.ts";
import type { Tools } from "../handler.ts";
import { normalizedCode } from "../ids.ts";
import { personRecord } from "../people/views.ts";

/** How long a machine waits before it asks again, in seconds. */
export const pollSeconds = 2;

/** Finds the undecided request of a typed code. Refuses an unknown code and another person's request alike. */
export function requestFor(
  tx: ReadTx,
  person: PersonRow,
  typed: string,
  { secrets }: Tools,
): MachineRequestRow {
  const code = normalizedCode(typed);
  const request = code === null ? null : undecidedRequestWithCode(tx, secrets.digest(code));
  // The handle that the machine named must still belong to the same person.
  if (request?.person_row !== person.row || request.handle !== person.handle)
    throw refuse("machine_request_invalid");
  return request;
}

/** A request as its person sees it. */
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
