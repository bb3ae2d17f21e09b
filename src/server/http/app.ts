import { Elysia } from "elysia";

/** What an application asks about each request. */
export interface Inside {
  /** Answers a request, or throws a refusal. */
  answer(request: Request): Response | Promise<Response>;
  /** Answers a request for which `answer` threw. */
  failed(request: Request, error: unknown): Promise<Response>;
}

/**
 * Makes an HTTP application, which knows nothing of the service and may be made before there is an inside to ask. This is the
 * only file that knows Elysia. A request is answered before Elysia looks for a route, for which it would have to make code.
 */
export function createApp(inside: () => Inside) {
  return new Elysia({ normalize: false, strictPath: true, systemRouter: false })
    .onRequest(({ request }) => inside().answer(request))
    .onError(({ error, request }) => inside().failed(request, error))
    .compile();
}
