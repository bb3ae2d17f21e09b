import { Elysia } from "elysia";
import { answerOf } from "./answer-of.ts";
import type { HostCheck } from "./hosts.ts";
import { answerProbe } from "./probes.ts";
import { refuseUnknown } from "./refuse-unknown.ts";
import { routesOf } from "./routes.ts";
import type { ServerParts } from "./server-parts.ts";

/**
 * Makes the HTTP application of a server: probes first, then the check of the name it is called by, then its routes. This is
 * the only file that knows Elysia.
 */
export function createApp(parts: ServerParts, checkHost: HostCheck) {
  const answer = routesOf(parts);
  return new Elysia({ normalize: false, strictPath: true, systemRouter: false })
    .onRequest(({ request }) => {
      const probe = answerProbe(parts, request);
      if (probe) return probe;
      checkHost(request);
    })
    .onError(({ error, code, request }) => {
      return answerOf(parts, request, async () => {
        // An address without a path has no route.
        if (code === "NOT_FOUND") return refuseUnknown(parts, request);
        throw error;
      });
    })
    .all("/*", ({ request, path }) => answer(request, path));
}
