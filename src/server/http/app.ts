import { Elysia } from "elysia";

/** What an application asks about each request. */
export interface Inside {
  /** Answers a request before its route is looked for, or throws a refusal; undefined if neither. */
  before(request: Request): Response | Promise<Response> | undefined;
  answer(request: Request, path: string): Promise<Response>;
  /** Answers a request that failed outside of `answer`. Without an error its address has no path, and so no route. */
  failed(request: Request, error: unknown): Promise<Response>;
}

/**
 * Makes an HTTP application, which knows nothing of the service and may be made before there is an inside to ask. This is the
 * only file that knows Elysia.
 */
export function createApp(inside: () => Inside) {
  return new Elysia({ normalize: false, strictPath: true, systemRouter: false })
    .onRequest(({ request }) => inside().before(request))
    .onError(({ error, code, request }) =>
      inside().failed(request, code === "NOT_FOUND" ? undefined : error),
    )
    .all("/*", ({ request, path }) => inside().answer(request, path))
    .compile();
}
