import { operationNamed, type OperationName } from "../../contract/index.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import type { Presented } from "../access.ts";
import { answerOnce, ruled, waitFor } from "./answer-call.ts";
import { readBody } from "./body.ts";
import { presentedBy } from "./credentials.ts";
import { inputOf } from "./input.ts";
import { keepingOf } from "./kept.ts";
import type { Parts } from "./parts.ts";
import { jsonHeaders } from "./problems.ts";
import { recognize } from "./recognize.ts";
import { openStream } from "./stream.ts";

/**
 * Serves one request of an operation. The order is the contract's: credential, kind of credential, schema, and then
 * everything else inside the one transaction that answers.
 */
export async function serveOperation(
  parts: Parts,
  name: OperationName,
  request: Request,
  given: Record<string, string>,
): Promise<Response> {
  const op = operationNamed(name);
  if (op.limit === "join" || op.limit === "connect")
    parts.charge(op.limit, { address: addressOf(parts, request) });
  const presented = presentedBy(request, parts.tools.secrets);
  if (!presented && op.access !== "anyone") throw refuse("unauthorized");
  const ended = presented && recognize(parts, op, presented, request);
  if (op.limit === "posting" && presented) parts.charge(op.limit, { credential: presented.digest });
  try {
    return await serveRecognized(parts, name, request, given, presented);
  } catch (error) {
    throw ended && error instanceof Refusal ? ended : error;
  }
}

const addressOf = ({ connections }: Parts, request: Request): string =>
  connections?.addressOf(request) ?? "";

async function serveRecognized(
  parts: Parts,
  name: OperationName,
  request: Request,
  given: Record<string, string>,
  presented: Presented | null,
): Promise<Response> {
  const op = operationNamed(name);
  const bytes = op.method === "GET" ? new Uint8Array() : await readBody(request);
  const input = await inputOf(op, request, given, bytes);
  if (op.shape === "stream")
    return openStream(parts.streams, presented!, request.signal, () =>
      parts.connections?.letIdle(request),
    );
  const keeping = keepingOf(op, request, bytes, presented?.digest);
  const call = { parts, name, op, presented, input, keeping };
  const answer =
    op.shape === "wait"
      ? await waitFor(call, request.signal)
      : op.method === "GET"
        ? parts.db.read((tx) => ruled(tx, call))
        : await parts.db.write((tx) => answerOnce(tx, call));
  if (op.shape === "wait") parts.connections?.letIdle(request);
  parts.inspect?.(name, answer);
  return new Response(answer.body, {
    status: answer.status,
    headers: answer.replayed ? { ...jsonHeaders, "idempotent-replayed": "true" } : jsonHeaders,
  });
}
