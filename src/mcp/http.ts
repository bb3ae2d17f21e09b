import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Door } from "./caller.ts";
import { createToolServer } from "./tool-server.ts";

/** One request over HTTP, whose caller has been recognized. */
interface Exchange {
  readonly request: Request;
  /** The body, parsed; undefined if the request has none. */
  readonly body: unknown;
  readonly version: string;
  readonly door: Door;
  fault(error: unknown): Error;
}

/**
 * Answers one request of the protocol, in its present or its previous revision, and keeps nothing of it. The answer is always
 * one JSON body, since no tool sends anything before it, so a call that waits holds its connection as any waiting request of the API does.
 */
export async function answerHttp({
  request,
  body,
  version,
  door,
  fault,
}: Exchange): Promise<Response> {
  const create = () => createToolServer(version, door, fault);
  if (!(await isLegacyRequest(request, body))) {
    const handler = createMcpHandler(create, { legacy: "reject", maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody: body });
  }
  const server = create();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const close = () => void server.close();
  request.signal.addEventListener("abort", close);
  try {
    if (request.method !== "POST") return notAllowed();
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    request.signal.removeEventListener("abort", close);
    await server.close();
  }
}

/** Clients of the previous revision ask for a stream of the server's own, and go on without it when they get this. */
const notAllowed = (): Response => new Response(null, { status: 405, headers: { allow: "POST" } });
