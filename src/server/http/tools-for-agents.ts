import { addressOf } from "../../contract/address.ts";
import { operationNamed, type OperationName } from "../../contract/index.ts";
import { refuse, type ErrorBody } from "../../contract/refusal.ts";
import { bytesUpTo, type Caller, type ToolRequest } from "../../mcp/caller.ts";
import { parseJson, readBody } from "./body.ts";
import { presentedBy } from "./credentials.ts";
import { asRefusal, problem } from "./problems.ts";
import { logAnswered, logRefused, seenNow, type Seen } from "./request-log.ts";
import { recognize } from "./recognize.ts";
import { refuseForeignPage, serveOperation } from "./serve-operation.ts";
import type { ServerParts } from "./server-parts.ts";

/** The tools are for whoever may read an agent's inbox: an agent with its token, and nobody else. */
const forAgents = operationNamed("getInbox");

/**
 * Serves the tools for agents over HTTP. The caller is recognized before the body is read, and every operation that a tool
 * makes is a request of the API to this server, with the same token, rights, limits and kept answers.
 */
export async function serveTools(
  parts: ServerParts,
  request: Request,
  seen: Seen,
): Promise<Response> {
  refuseQuery(request);
  const presented = presentedBy(request, parts.tools);
  if (!presented) throw refuse("unauthorized");
  const { caller } = recognize(parts, forAgents, presented, request);
  if (caller) seen.caller = caller;
  refuseForeignPage(parts, request);
  const body = request.method === "POST" ? await messageIn(request) : undefined;
  const { answerHttp } = await import("../../mcp/http.ts");
  return answerHttp({
    request,
    body,
    version: parts.tools.server.version,
    door: async (asked) => callerOf(parts, request, asked),
    fault: (error) => asRefusal(error, parts.log),
  });
}

/** Refuses a query. A client that was given one has a token in it, and proxies and logs keep addresses. */
function refuseQuery({ url }: Request): void {
  if (url.includes("?"))
    throw refuse("invalid_request", {
      problem: "/mcp takes no query, and a token is sent as `Authorization: Bearer` alone",
    });
}

/** The one message in a body. Several at once were taken out of the protocol, and would wait for each other. */
async function messageIn(request: Request): Promise<object> {
  const message = parseJson(
    await readBody(forAgents, request),
    request.headers.get("content-type"),
  );
  if (typeof message === "object" && message !== null && !Array.isArray(message)) return message;
  throw refuse("invalid_request", { problem: "the body must be one message of the protocol" });
}

/** Path, query and body of an operation. */
interface Sent {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Makes operations for the agent whose request this is. */
function callerOf(parts: ServerParts, request: Request, asked: ToolRequest): Caller {
  const within = sameConnection(parts, request);
  const send = async (
    name: OperationName,
    input: Sent,
    bytes?: Uint8Array<ArrayBuffer>,
  ): Promise<Response> => {
    const op = operationNamed(name);
    const content = bytes ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    const address = new URL(addressOf(op.path, input), parts.tools.server.url);
    const isWrite = op.method !== "GET";
    const inner = new Request(address, {
      method: op.method,
      headers: {
        authorization: request.headers.get("authorization")!,
        ...(content !== undefined && {
          "content-type": bytes ? "application/octet-stream" : "application/json",
        }),
        ...(isWrite &&
          asked.idempotencyKey !== undefined && { "idempotency-key": asked.idempotencyKey }),
      },
      signal: asked.signal,
      ...(content !== undefined && { body: content }),
    });
    return refusedAsThrown(await answered(within, name, inner, input.params ?? {}));
  };
  return {
    call: async (name, input = {}) => (await send(name, input as Sent)).json() as never,
    upload: async (input, bytes) => (await send("putFile", input, bytes)).json() as never,
    async download(input, most) {
      const { body } = await send("getFileVersion", input);
      return body ? bytesUpTo(body, most) : new Uint8Array();
    },
  };
}

async function answered(
  parts: ServerParts,
  name: OperationName,
  request: Request,
  params: object,
): Promise<Response> {
  const seen = seenNow(parts, request, name);
  try {
    const given = Object.entries(params).map(([key, value]) => [key, String(value)]);
    const response = await serveOperation(
      parts,
      name,
      request,
      Object.fromEntries(given) as never,
      seen,
    );
    return logAnswered(parts, request, seen, response);
  } catch (error) {
    const refusal = asRefusal(error, (fault) => parts.log({ ...fault, request: seen.id }));
    parts.inspect?.(name, refusal);
    logRefused(parts, request, seen, refusal);
    logAnswered(parts, request, seen, problem(refusal));
    throw refusal;
  }
}

/** A kept refusal is an answer; here it is thrown like any other. */
async function refusedAsThrown(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { error } = (await response.json()) as ErrorBody;
  throw Object.assign(new Error(error.message), error);
}

/** The parts for a request within another one: it has the address and the connection of the outer one. */
function sameConnection(parts: ServerParts, outer: Request): ServerParts {
  const { connections } = parts;
  if (!connections) return parts;
  return {
    ...parts,
    connections: {
      keepOpen: (_, seconds) => connections.keepOpen(outer, seconds),
      letIdle: () => connections.letIdle(outer),
      addressOf: () => connections.addressOf(outer),
    },
  };
}
