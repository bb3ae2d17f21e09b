import { operationNamed, type OperationName } from "../../contract/index.ts";
import type { Refusal } from "../../contract/refusal.ts";
import type { Caller } from "../access/identify.ts";
import { ulid } from "../ids.ts";
import type { ServerParts } from "./server-parts.ts";

/** What is known of a request while it is served. The lines of the log about it are made of that. */
export interface Seen {
  readonly id: string;
  readonly operation: OperationName | null;
  /** The client's address. */
  readonly address: string;
  /** When it came, in milliseconds of `performance.now()`. */
  readonly began: number;
  /** Who sent it, once that is known. */
  caller?: Pick<Caller, "kind" | "person" | "seat">;
}

/** How long a request may take before its line says that it was slow, in milliseconds. */
const slowMilliseconds = 1000;

/**
 * Begins to watch a request. Where requests have no lines in the log, few of them need an id or the client's address, so both
 * are found when they are first asked for.
 */
export function seenNow(
  parts: ServerParts,
  request: Request,
  operation: OperationName | null,
): Seen {
  const findAddress = () => parts.connections?.addressOf(request) ?? "";
  // The address of a connection that has been closed meanwhile is no longer known.
  let address = logsRequests(parts) ? findAddress() : undefined;
  let id: string | undefined;
  return {
    operation,
    began: performance.now(),
    get id() {
      return (id ??= ulid(Date.now()));
    },
    get address() {
      return (address ??= findAddress());
    },
  };
}

/** Whether this server logs its requests: a team's always does, and a local one when its log takes such lines. */
export const logsRequests = ({ log, tools }: ServerParts): boolean =>
  tools.server.mode === "team" || log.takes("info");

/** The fields that every line about a request has. */
export function fieldsOf({ id, operation, address, caller }: Seen): Record<string, unknown> {
  return {
    request: id,
    operation,
    address,
    ...(caller && {
      by: caller.person.id,
      by_handle: caller.person.handle,
      credential: caller.kind,
      ...(caller.seat && { by_agent: caller.seat.id }),
    }),
  };
}

/** Logs an answered request, and gives the answer its id. A slow request is a warning, and is logged by every server. */
export function logAnswered(
  parts: ServerParts,
  { method, headers }: Request,
  seen: Seen,
  response: Response,
): Response {
  const took = Math.round(performance.now() - seen.began);
  const slow = took >= slowMilliseconds && !mayTakeLong(seen);
  if (!slow && !logsRequests(parts)) return response;
  const [, trace] =
    /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(headers.get("traceparent") ?? "") ?? [];
  parts.log({
    level: slow ? "warn" : "info",
    event: "request",
    ...fieldsOf(seen),
    method,
    status: response.status,
    ms: took,
    ...(slow && { slow }),
    ...(trace && { trace }),
  });
  response.headers.set("x-request-id", seen.id);
  return response;
}

/** Waits, searches, streams and the transfer of bytes take as long as they need. */
const mayTakeLong = ({ operation }: Seen): boolean =>
  operation !== null && operationNamed(operation).shape !== undefined;

/** The refusals of a credential, or of too many attempts with one. */
const refusalsOfCredentials: ReadonlySet<string> = new Set<Refusal["entry"]>([
  "unauthorized",
  "delegation_revoked",
  "agent_removed",
  "origin_not_allowed",
  "csrf_token_invalid",
  "login_code_invalid",
  "access_key_invalid",
  "join_code_invalid",
  "join_code_not_yours",
  "machine_request_invalid",
  "invite_invalid",
  "rate_limited",
]);

/** Logs that a credential was refused. A request that had none is not about one. */
export function logRefused(
  parts: ServerParts,
  { headers }: Request,
  seen: Seen,
  { entry, status }: Refusal,
): void {
  if (!logsRequests(parts) || !refusalsOfCredentials.has(entry)) return;
  const inBody = seen.operation !== null && operationNamed(seen.operation).access === "anyone";
  if (!inBody && !headers.has("authorization") && !headers.has("cookie")) return;
  parts.log({
    level: "info",
    event: "credential.refused",
    ...fieldsOf(seen),
    status,
    reason: entry,
  });
}
