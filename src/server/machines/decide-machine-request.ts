import { decideMachineRequest } from "../../db/machine-requests.ts";
import type { Handler } from "../handler.ts";
import { requestFor, requestRecord } from "./machine-request.ts";

export const lookupMachineRequest: Handler<"lookupMachineRequest"> = (
  tx,
  { caller: { person } },
  { body },
  tools,
) => requestRecord(requestFor(tx, person, body.code, tools), "pending", person);

export const approveMachineRequest: Handler<"approveMachineRequest"> = decidedAs("approved");

export const refuseMachineRequest: Handler<"refuseMachineRequest"> = decidedAs("refused");

function decidedAs(
  state: "approved" | "refused",
): Handler<"approveMachineRequest"> & Handler<"refuseMachineRequest"> {
  return (tx, { caller: { person, key } }, { body }, tools) => {
    const request = requestFor(tx, person, body.code, tools);
    decideMachineRequest(tx, request, state, key.row);
    return requestRecord(request, state, person);
  };
}
