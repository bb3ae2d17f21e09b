import { Elysia } from "elysia";
import { refuse } from "../../contract/refusal.ts";
import { admit } from "../access/admit.ts";
import { laterAt, type LaterOperation } from "../../contract/not-implemented.ts";
import { operationNamed, operationNames, type OperationName } from "../../contract/index.ts";
import { presentedBy } from "./credentials.ts";
import type { HostCheck } from "./hosts.ts";
import { asRefusal, jsonHeaders, problem } from "./problems.ts";
import type { ServerParts } from "./server-parts.ts";
import { logAnswered, logRefused, seenNow, type Seen } from "./request-log.ts";
import { recognize } from "./recognize.ts";
import { serveOperation } from "./serve-operation.ts";
import { serveTools } from "./tools-for-agents.ts";

/** Makes the HTTP routes of the service. This is the only file that knows Elysia. */
export function createApp(parts: ServerParts, checkHost: HostCheck) {
  const app = new Elysia({ normalize: false, strictPath: true, systemRouter: false })
    .onRequest(({ request }) => checkHost(request))
    .onError(({ error, code, request }) => {
      return answerOf(parts, request, async () => {
        if (code === "NOT_FOUND") return refuseUnknown(parts, request);
        throw error;
      });
    });
  for (const name of operationNames) mount(app as unknown as Elysia, name, parts);
  for (const method of ["POST", "GET", "DELETE"])
    app.route(method, "/mcp", ({ request }) =>
      answerOf(parts, request, (seen) => serveTools(parts, request, seen)),
    );
  // Documents are made at their first request, so that a server starts without them.
  const document = once(async () =>
    JSON.stringify((await import("./documents/openapi.ts")).openApiDocument(parts.tools.server)),
  );
  const page = once(async () =>
    (await import("./documents/reference-page.ts")).referencePage(parts.tools.server),
  );
  const joining = once(async () =>
    (await import("./documents/invitation-page.ts")).joinPage(parts.tools.server),
  );
  const asPage = (request: Request, text: () => Promise<string>) =>
    answerOf(parts, request, async () => new Response(await text(), { headers: pageHeaders }));
  return app
    .get("/v1/openapi.json", ({ request }) =>
      answerOf(parts, request, async () => {
        checkCredential(parts, request);
        return new Response(await document(), { headers: jsonHeaders });
      }),
    )
    .get("/join", ({ request }) => asPage(request, joining))
    .get("/docs", ({ request }) => asPage(request, page))
    .get("/", ({ request }) => asPage(request, page));
}

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

function mount(app: Elysia, name: OperationName, parts: ServerParts): void {
  const op = operationNamed(name);
  app.route(op.method, op.path, ({ request, params }) => {
    // The router answers HEAD wherever there is a GET; the contract has no such operation.
    if (request.method !== op.method)
      return answerOf(parts, request, () => refuseUnknown(parts, request));
    return answerOf(
      parts,
      request,
      (seen) => serveOperation(parts, name, request, params, seen),
      name,
    );
  });
}

async function answerOf(
  parts: ServerParts,
  request: Request,
  answer: (seen: Seen) => Promise<Response>,
  name: OperationName | null = null,
): Promise<Response> {
  const seen = seenNow(parts, request, name);
  try {
    return logAnswered(parts, request, seen, await answer(seen));
  } catch (error) {
    const refusal = asRefusal(error, (fault) => parts.log({ ...fault, request: seen.id }));
    if (name) parts.inspect?.(name, refusal);
    logRefused(parts, request, seen, refusal);
    return logAnswered(parts, request, seen, problem(refusal));
  }
}

/** Refuses an unknown path or method. A dead credential comes first. */
async function refuseUnknown(parts: ServerParts, request: Request): Promise<never> {
  // A client may send a request line without a valid URL.
  const path = URL.parse(request.url)?.pathname ?? "";
  const later = laterAt(request.method, path);
  if (later) refuseLater(parts, later, request);
  if (path.startsWith("/v1/")) checkCredential(parts, request);
  throw refuse("not_found", { what: `operation ${request.method} ${path}` });
}

/** Refuses an operation that the contract has and this server does not provide yet, after the usual checks of the caller. */
function refuseLater(parts: ServerParts, { op, feature }: LaterOperation, request: Request): never {
  const presented = presentedBy(request, parts.tools);
  if (!presented) throw refuse("unauthorized");
  recognize(parts, op, presented, request);
  parts.db.read((tx) => admit(tx, op, presented, {}));
  throw refuse("not_implemented", { feature });
}

/** Refuses a credential that does not work, where none is needed. */
function checkCredential(parts: ServerParts, request: Request): void {
  const presented = presentedBy(request, parts.tools);
  if (presented) recognize(parts, null, presented, request);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
