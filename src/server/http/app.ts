import { Elysia } from "elysia";
import { refuse } from "../../contract/refusal.ts";
import { admit } from "../access/admit.ts";
import { laterAt, type LaterOperation } from "../../contract/not-implemented.ts";
import { programTargets } from "../../contract/programs.ts";
import { operationNamed, operationNames, type OperationName } from "../../contract/index.ts";
import { presentedBy } from "./credentials.ts";
import { sessionCookie } from "./cookies.ts";
import type { HostCheck } from "./hosts.ts";
import { metricsAnswer, refuseOtherToken } from "./metrics.ts";
import { asPage, missingPage, once, pagesOf, wantsPage } from "./pages.ts";
import { asRefusal, jsonHeaders, problem } from "./problems.ts";
import { answerProbe } from "./probes.ts";
import type { ServerParts } from "./server-parts.ts";
import { logAnswered, logRefused, seenNow, type Seen } from "./request-log.ts";
import { serveProgramsOf } from "./program-download.ts";
import { recognize } from "./recognize.ts";
import { serveOperation } from "./serve-operation.ts";
import { previewPath } from "../../contract/preview.ts";
import { assetsPath, manifestPath, pagePaths, workerPath } from "../../web/build/paths.ts";
import { serveTools } from "./tools-for-agents.ts";

/** Makes the HTTP routes of the service. This is the only file that knows Elysia. */
export function createApp(parts: ServerParts, checkHost: HostCheck) {
  const app = new Elysia({ normalize: false, strictPath: true, systemRouter: false })
    .onRequest(({ request }) => {
      const probe = answerProbe(parts, request);
      if (probe) return probe;
      checkHost(request);
    })
    .onError(({ error, code, request }) => {
      return answerOf(parts, request, async () => {
        if (code === "NOT_FOUND") return refuseUnknown(parts, request);
        throw error;
      });
    });
  for (const [path, operations] of operationsByPath())
    app.all(path, ({ request, params }) => {
      const name = operations.get(request.method);
      // The router answers HEAD wherever there is a GET; the contract has no such operation.
      if (name === undefined) return answerOf(parts, request, () => refuseUnknown(parts, request));
      return answerOf(
        parts,
        request,
        (seen) => serveOperation(parts, name, request, params, seen),
        name,
      );
    });
  for (const method of ["POST", "GET", "DELETE"])
    app.route(method, "/mcp", ({ request }) =>
      answerOf(parts, request, (seen) => serveTools(parts, request, seen)),
    );
  const { metricsToken } = parts;
  if (metricsToken !== undefined)
    app.get("/metrics", ({ request }) =>
      answerOf(parts, request, () => {
        refuseOtherToken(request, metricsToken);
        return metricsAnswer(parts);
      }),
    );
  // Documents are made at their first request, so that a server starts without them.
  const document = once(async () =>
    JSON.stringify((await import("./documents/openapi.ts")).openApiDocument(parts.tools.server)),
  );
  const serveProgram = serveProgramsOf(parts.programs);
  for (const target of programTargets)
    app.get(`/download/${target}`, ({ request }) =>
      answerOf(parts, request, ({ address }) => serveProgram(target, request, address)),
    );
  for (const [address, page] of pagesOf(parts))
    app.get(address, ({ request }) => answerOf(parts, request, async () => asPage(await page())));
  for (const path of pagePaths)
    app.get(path, ({ request }) =>
      answerOf(parts, request, async () =>
        (await import("./page/page.ts")).pageDocument(
          sessionCookie(request, parts.tools.server) !== null,
        ),
      ),
    );
  app.get(previewPath, ({ request, params }) =>
    answerOf(parts, request, async (seen) =>
      (await import("./page/preview.ts")).servePreview(parts, request, params, seen),
    ),
  );
  for (const path of [`${assetsPath}*`, manifestPath, workerPath])
    app.get(path, ({ request }) =>
      answerOf(parts, request, async () => {
        const file = await (await import("./page/page.ts")).pageFile(request);
        return file ?? refuseUnknown(parts, request);
      }),
    );
  return app.get("/v1/openapi.json", ({ request }) =>
    answerOf(parts, request, async () => {
      checkCredential(parts, request);
      return new Response(await document(), { headers: jsonHeaders });
    }),
  );
}

/** The operations of each path by their methods. A path is mounted once: each route that the router gets costs a start 40 µs. */
function operationsByPath(): Map<string, Map<string, OperationName>> {
  const paths = new Map<string, Map<string, OperationName>>();
  for (const name of operationNames) {
    const { method, path } = operationNamed(name);
    if (!paths.has(path)) paths.set(path, new Map());
    paths.get(path)!.set(method, name);
  }
  return paths;
}

async function answerOf(
  parts: ServerParts,
  request: Request,
  answer: (seen: Seen) => Promise<Response>,
  name: OperationName | null = null,
): Promise<Response> {
  const seen = seenNow(parts, request, name);
  try {
    return answered(parts, request, seen, await answer(seen));
  } catch (error) {
    const refusal = asRefusal(error, (fault) => parts.log({ ...fault, request: seen.id }));
    if (name) parts.inspect?.(name, refusal);
    logRefused(parts, request, seen, refusal);
    return answered(parts, request, seen, problem(refusal));
  }
}

function answered(parts: ServerParts, request: Request, seen: Seen, response: Response): Response {
  parts.numbers.answered(seen.operation, response.status, performance.now() - seen.began);
  return logAnswered(parts, request, seen, response);
}

/** Refuses an unknown path or method, in a browser with a page. A dead credential comes first. */
async function refuseUnknown(parts: ServerParts, request: Request): Promise<Response> {
  // A client may send a request line without a valid URL.
  const path = URL.parse(request.url)?.pathname ?? "";
  const later = laterAt(request.method, path);
  if (later) refuseLater(parts, later, request);
  if (path.startsWith("/v1/")) checkCredential(parts, request);
  if (wantsPage(request, path)) return missingPage();
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
