import type { Static } from "@sinclair/typebox";
import type { MachineRequest } from "../../contract/machines.ts";
import type { Tx } from "../../db/engine/database.ts";
import { decideMachineRequest } from "../../db/machine-requests.ts";
import type { Caller } from "../access/identify.ts";
import type { Handler, Tools } from "../handler.ts";
import { requestFor, requestRecord } from "./requests.ts";

export const lookupMachineRequest: Handler<"lookupMachineRequest"> = (
  tx,
  { caller: { person } },
  { body },
  tools,
) => requestRecord(requestFor(tx, person, body.code, tools), "pending", person);

export const approveMachineRequest: Handler<"approveMachineRequest"> = (
  tx,
  { caller },
  { body },
  tools,
) => decide(tx, caller, body.code, "approved", tools);

export const refuseMachineRequest: Handler<"refuseMachineRequest"> = (
  tx,
  { caller },
  { body },
  tools,
) => decide(tx, caller, body.code, "refused", tools);

function decide(
  tx: Tx,
  { person, key }: Caller,
  typed: string,
  state: "approved" | "refused",
  tools: Tools,
): Static<typeof MachineRequest> {
  const request = requestFor(tx, person, typed, tools);
  decideMachineRequest(tx, request.row, state, key.row);
  return requestRecord(request, state, person);
}
