import { Memoirist } from "memoirist";
import { operationNamed, operationNames } from "../../contract/index.ts";
import { previewPath } from "../../contract/preview.ts";
import { programTargets } from "../../contract/programs.ts";
import { assetsPath, manifestPath, pagePaths, workerPath } from "../../web/build/paths.ts";
import { answerOf } from "./answer-of.ts";
import { sessionCookie } from "./cookies.ts";
import { metricsAnswer, refuseOtherToken } from "./metrics.ts";
import { asPage, once, pagesOf } from "./pages.ts";
import { jsonHeaders } from "./problems.ts";
import { serveProgramsOf } from "./program-download.ts";
import { checkCredential, refuseUnknown } from "./refuse-unknown.ts";
import type { Seen } from "./request-log.ts";
import { serveOperation } from "./serve-operation.ts";
import type { ServerParts } from "./server-parts.ts";
import { serveTools } from "./tools-for-agents.ts";

/** The values of a path's parameters, decoded. */
type Params = Readonly<Record<string, string>>;
type Answer = (request: Request, params: Params) => Promise<Response>;
type SeenAnswer = (request: Request, seen: Seen, params: Params) => Promise<Response>;

/** One route: what answers requests of a method to a path. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly answer: Answer;
}

/**
 * Makes the routes of a server: what answers a request by its method and the path of its address. What no route is for is
 * refused. The routes of one kind of thing become a router at the first request for one of them, and not at the start.
 */
export function routesOf(parts: ServerParts): (request: Request) => Promise<Response> {
  const routes = new Map<string, Route[]>();
  const add = (method: string, path: string, answer: Answer) => {
    const kind = kindOf(path);
    const others = routes.get(kind);
    if (others) others.push({ method, path, answer });
    else routes.set(kind, [{ method, path, answer }]);
  };
  addOperations(parts, add);
  addOthers(parts, (methods, path, answer) => {
    for (const method of methods)
      add(method, path, (request, params) =>
        answerOf(parts, request, (seen) => answer(request, seen, params)),
      );
  });
  const routers = new Map<string, Memoirist<Answer>>();
  return (request) => {
    const path = pathOf(request.url);
    const kind = kindOf(path);
    let router = routers.get(kind);
    if (!router && routes.has(kind)) routers.set(kind, (router = routerOf(routes.get(kind)!)));
    const found = router?.find(request.method, path);
    return found
      ? found.store(request, found.params)
      : answerOf(parts, request, () => refuseUnknown(parts, request));
  };
}

/** The path of an address, which begins with `http://` or `https://`; empty if the address has none. */
function pathOf(address: string): string {
  const start = address.indexOf("/", "https://".length);
  if (start < 0) return "";
  const end = address.indexOf("?", start);
  return address.slice(start, end < 0 ? undefined : end);
}

/** What a path of the API is about: its word after the version, as `boards`. Nothing for every other path. */
const kindOf = (path: string): string =>
  path.startsWith(version) ? path.slice(version.length).split("/", 1)[0]! : "";
const version = "/v1/";

function routerOf(routes: readonly Route[]): Memoirist<Answer> {
  const router = new Memoirist<Answer>({ onParam: decoded });
  for (const { method, path, answer } of routes)
    router.add(method, path, answer, { ignoreHistory: true });
  return router;
}

/** A value as it stood before it was escaped. What is no escape of a text is no value, which every schema refuses. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null as never;
  }
}

/** The operations have their own methods alone: where there is a GET, HEAD is none. */
function addOperations(
  parts: ServerParts,
  add: (method: string, path: string, answer: Answer) => void,
): void {
  for (const name of operationNames) {
    const { method, path } = operationNamed(name);
    add(method, path, (request, params) =>
      answerOf(parts, request, (seen) => serveOperation(parts, name, request, params, seen), name),
    );
  }
}

const get = ["GET", "HEAD"];

/** What is no operation: pages, documents, programs, figures, and the tools for agents. Each is made at its first request. */
function addOthers(
  parts: ServerParts,
  add: (methods: readonly string[], path: string, answer: SeenAnswer) => void,
): void {
  add(["POST", "DELETE", ...get], "/mcp", (request, seen) => serveTools(parts, request, seen));
  const { metricsToken, tools } = parts;
  if (metricsToken !== undefined)
    add(get, "/metrics", (request) => {
      refuseOtherToken(request, metricsToken);
      return metricsAnswer(parts);
    });
  const serveProgram = serveProgramsOf(parts.programs);
  for (const target of programTargets)
    add(get, `/download/${target}`, (request, { address }) =>
      serveProgram(target, request, address),
    );
  for (const [address, page] of pagesOf(parts)) add(get, address, async () => asPage(await page()));
  for (const path of pagePaths)
    add(get, path, async (request) =>
      (await import("./page/page.ts")).pageDocument(sessionCookie(request, tools.server) !== null),
    );
  add(get, previewPath, async (request, seen, params) =>
    (await import("./page/preview.ts")).servePreview(parts, request, params, seen),
  );
  for (const path of [`${assetsPath}*`, manifestPath, workerPath])
    add(get, path, async (request) => {
      const file = await (await import("./page/page.ts")).pageFile(request);
      return file ?? refuseUnknown(parts, request);
    });
  const document = once(async () =>
    JSON.stringify((await import("./documents/openapi.ts")).openApiDocument(tools.server)),
  );
  add(get, "/v1/openapi.json", async (request) => {
    checkCredential(parts, request);
    return new Response(await document(), { headers: jsonHeaders });
  });
}
