import { allowanceNext as next } from "./allowance.ts";
import { callers, operation, type Operation } from "./operation.ts";
import { record } from "./schema.ts";

/** An operation that the contract has and this server does not provide: it answers 501 to callers whom it is for. */
export interface LaterOperation {
  readonly feature: string;
  readonly op: Operation;
}

const later = (
  method: Operation["method"],
  path: Operation["path"],
  feature: string,
  who: Operation["callers"],
): LaterOperation => ({
  feature,
  op: operation({
    method,
    path,
    tag: "people",
    summary: feature,
    access: "caller",
    callers: who,
    next,
    ...(method !== "GET" && { replay: "kept" as const }),
    response: record({}),
    errors: ["not_implemented"],
  }) as Operation,
});

/** These operations are in no document, since nobody can use them. */
export const laterOperations: readonly LaterOperation[] = [
  later("GET", "/v1/me/invite-notices", "notices of invitations by agents", callers.people),
  later("GET", "/v1/me/approvals", "approvals of what agents ask for", callers.members),
  later(
    "POST",
    "/v1/me/approvals/:approval/allow",
    "approvals of what agents ask for",
    callers.people,
  ),
  later(
    "POST",
    "/v1/me/approvals/:approval/decline",
    "approvals of what agents ask for",
    callers.people,
  ),
  later("POST", "/v1/me/admin-requests", "acts of administration by agents", callers.agents),
];

/** Finds the unimplemented operation for a method and path. */
export const laterAt = (method: string, path: string): LaterOperation | undefined =>
  laterOperations.find(
    ({ op }) =>
      op.method === method && new RegExp(`^${op.path.replace(/:\w+/g, "[^/]+")}$`).test(path),
  );
