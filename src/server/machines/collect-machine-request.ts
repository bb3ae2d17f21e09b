import { refuse } from "../../contract/refusal.ts";
import { keyAt, personAt } from "../../db/accounts.ts";
import type { Tx } from "../../db/engine/database.ts";
import {
  countPoll,
  mostPolls,
  openRequestWithSecret,
  setCollected,
  type MachineRequestRow,
} from "../../db/machine-requests.ts";
import { keyWorks } from "../access/identify.ts";
import type { Handler, Tools } from "../handler.ts";
import { freeKeyName } from "../people/keys.ts";
import { newIdleKey } from "../people/create-person.ts";
import { personRecord } from "../people/views.ts";
import { RuleAnswer } from "../rule-answer.ts";
import { pollSeconds } from "./machine-request.ts";

export const collectMachineRequest: Handler<"collectMachineRequest"> = (
  tx,
  _standing,
  { body },
  tools,
) => {
  const request = openRequestWithSecret(tx, tools.secrets.digest(body.secret));
  if (!request) throw refuse("machine_request_invalid");
  if (request.state === "refused") throw refuse("machine_request_refused");
  return request.state === "approved" ? connected(tx, request, tools) : waiting(tx, request);
};

function waiting(tx: Tx, { row, polls, expires_at }: MachineRequestRow) {
  if (polls >= mostPolls) throw refuse("machine_request_invalid");
  countPoll(tx, row);
  return new RuleAnswer(
    { state: "pending" as const, expires_at, poll_interval_seconds: pollSeconds },
    { status: 202 },
  );
}

/** Makes the approver's new key. Refuses if the approver was removed or the key that approved has ended. */
function connected(tx: Tx, request: MachineRequestRow, { secrets, server }: Tools) {
  const approvedWith = keyAt(tx, request.approver_key_row!);
  const person = approvedWith && personAt(tx, approvedWith.person_row);
  if (!person || person.removed_at !== null || !keyWorks(tx, approvedWith))
    throw refuse("machine_request_invalid");
  setCollected(tx, request.row);
  const key = newIdleKey(tx, person, freeKeyName(tx, person, request.label), secrets);
  return { server_id: server.id, person: personRecord(person), key };
}
