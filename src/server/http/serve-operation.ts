import { operationNamed, type OperationName } from "../../contract/index.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { keepaliveSeconds } from "../../contract/stream.ts";
import { isStream } from "../../contract/streams.ts";
import { longestIdle } from "../live/inbox-streams.ts";
import { answerOnce, onceIndexed, ruled, waitFor } from "./answer-call.ts";
import { readBody, type WhileReading } from "./body.ts";
import type { Arrival, Call, Recognized } from "./request-stages.ts";
import { ownOrigin, setCookie } from "./cookies.ts";
import { presentedBy } from "./credentials.ts";
import { bytesAnswer } from "./download.ts";
import { archiveAnswer } from "./export.ts";
import { inputOf } from "./input.ts";
import { keepingOf, type Answer } from "./kept-answers.ts";
import type { ServerParts } from "./server-parts.ts";
import { jsonHeaders } from "./problems.ts";
import { recognize } from "./recognize.ts";
import type { Seen } from "./request-log.ts";
import { logSecurity } from "./security-log.ts";
import { openStream } from "./stream.ts";
import { answerUpload, uploadStillSeconds } from "./upload.ts";

/**
 * Serves one request of an operation. The order is the contract's: credential, kind of credential, schema, and then
 * everything else inside the one transaction that answers. Each step adds what it found to the call.
 */
export async function serveOperation(
  parts: ServerParts,
  name: OperationName,
  request: Request,
  given: Readonly<Record<string, string>>,
  seen: Seen,
): Promise<Response> {
  const op = operationNamed(name);
  if (op.limit) parts.limits.charge(op.limit, seen);
  try {
    return await serveArrival({ parts, name, op, request, given, seen });
  } catch (error) {
    if (op.limit) parts.limits.failed(op.limit, seen);
    throw error;
  }
}

async function serveArrival(arrival: Arrival): Promise<Response> {
  const { parts, name, op, request, given, seen } = arrival;
  const sent = presentedBy(request, parts.tools, isStream(name));
  // A browser also sends the cookie of a session that has ended. That must not keep it from signing in again.
  const presented = sent?.cookie && op.access === "anyone" ? null : sent;
  if (!presented && op.access !== "anyone") throw refuse("unauthorized");
  if (op.ownOrigin) refuseForeignPage(parts, request);
  const { ended, caller } = presented ? recognize(parts, op, presented, request, given) : {};
  if (caller) seen.caller = caller;
  if (op.limit && presented)
    parts.limits.charge(op.limit, {
      credential: presented.digest,
      ...(caller && { person: caller.person.id }),
    });
  const sender = {
    get address() {
      return seen.address;
    },
    browser: sent?.cookie ? sent.digest : null,
  };
  const recognized = { ...arrival, presented, sender };
  try {
    return await stayingOpen(arrival, () => serveRecognized(recognized));
  } catch (error) {
    throw ended && error instanceof Refusal ? ended : error;
  }
}

/** Refuses a page of another site. Programs send no Origin. */
export function refuseForeignPage({ tools }: ServerParts, request: Request): void {
  const origin = request.headers.get("origin");
  const own = ownOrigin(request, tools.server);
  if (origin !== null && origin !== own)
    throw refuse("origin_not_allowed", { origin, address: own });
}

/**
 * How long the connection may be idle while an operation of this shape runs, in seconds; 0 is for ever. A stream is never
 * idle while its reader takes the keepalive. A wait is idle until it is answered, a search until the index has caught up,
 * and an upload while its bytes are synced.
 */
const longestStill = {
  stream: 2 * keepaliveSeconds,
  // It ends by then, and only an idle connection is closed although its reader takes nothing.
  streamInbox: longestIdle,
  wait: 0,
  indexed: 0,
  // A long log is read once before the answer begins.
  archive: 0,
  upload: uploadStillSeconds,
} as const;

/**
 * Serves a recognized caller, and lets the connection be idle for as long as the operation needs. Afterwards the usual
 * idle time holds again, except for a stream that was opened.
 */
async function stayingOpen(
  { parts: { connections }, name, op: { shape }, request }: Arrival,
  serve: () => Promise<Response>,
): Promise<Response> {
  if (!shape || shape === "download") return serve();
  connections?.keepOpen(request, longestStill[isStream(name) ? name : shape]);
  let streams = false;
  try {
    const response = await serve();
    streams = shape === "stream";
    return response;
  } finally {
    if (!streams) connections?.letIdle(request);
  }
}

/** A body may come slowly while it moves. Without a credential it may not: nothing would bound how many come. */
function whileReading({ parts, op, request, presented }: Recognized): WhileReading | undefined {
  if (op.access === "anyone" || presented === null) return undefined;
  return {
    moved: () => parts.connections?.letIdle(request),
    begin: () => parts.limits.beginBody(presented.digest),
  };
}

async function serveRecognized(recognized: Recognized): Promise<Response> {
  const { parts, name, op, request, given } = recognized;
  const unread = op.method === "GET" || op.shape === "upload";
  const bytes = unread ? new Uint8Array() : await readBody(op, request, whileReading(recognized));
  const call = { ...recognized, input: await inputOf(op, request, given, bytes) };
  if (isStream(name)) return openStream(name, call);
  const answer = await (op.shape === "upload" ? answerUpload(call) : answerTo(call, bytes));
  parts.inspect?.(name, answer);
  logSecurity(call, answer);
  if (op.shape === "download") return bytesAnswer(call, JSON.parse(answer.body) as never);
  if (op.shape === "archive") return archiveAnswer(call, JSON.parse(answer.body) as never);
  const response = new Response(answer.body, { status: answer.status, headers: ofJson });
  if (answer.replayed) response.headers.set("idempotent-replayed", "true");
  if (answer.session !== undefined)
    response.headers.set("set-cookie", setCookie(parts.tools.server, answer.session));
  return response;
}

/** The headers of an answer. Copied from here, they cost half of what they cost from an object. */
const ofJson = new Headers(jsonHeaders);

async function answerTo(call: Call, bytes: Uint8Array): Promise<Answer> {
  const { parts, op, request, presented } = call;
  if (op.shape === "wait") return waitFor(call);
  if (op.shape === "indexed") return onceIndexed(call);
  if (op.method === "GET") return parts.db.read((tx) => ruled(tx, call));
  const keeping = keepingOf(op, request, bytes, presented, parts.tools.secrets);
  return parts.db.write((tx) => answerOnce(tx, call, keeping));
}
